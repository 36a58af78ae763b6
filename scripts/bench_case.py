"""Makes a case for scripts/bench: CASE.h5 WIDTH SAMPLES STEPS ACTIVITY SHARE.

Random weights, scaled layer by layer until the share ACTIVITY of the neurons fires a step, and the second
threshold above which lies the share SHARE of them. Samples in which a state comes so close to the threshold that
rounding decides whether the neuron fires are drawn again: two right programs may differ there in everything that
follows. Prints what it chose as JSON.
"""
import json
import sys

import h5py
import numpy as np
import torch

INPUTS, CLASSES, THETA, ALPHA = 700, 10, 1.0, 0.95
ROUNDING = 5e-7  # how far single precision may take a state near the threshold


def run(spikes, weight):
    """States of a layer over all steps; spikes [steps, samples, fan-in]."""
    current = spikes @ weight
    states, u = [], torch.zeros_like(current[0])
    for x in current:
        u = ALPHA * torch.where(u > THETA, u - THETA, u) + x
        states.append(u)
    return torch.stack(states)


def scaled(spikes, weight, activity):
    low, high = 0.0, 8.0
    for _ in range(18):
        scale = 0.5 * (low + high)
        rate = (run(spikes, scale * weight) > THETA).float().mean().item()
        low, high = (scale, high) if rate < activity else (low, scale)
    return scale * weight


def delayed(fired):
    """What the next layer receives: the spikes of the step before."""
    return torch.cat([torch.zeros_like(fired[:1]), fired[:-1]])


def dependsOnRounding(sample, weights):
    """Whether a state comes close to the threshold; sample [steps, inputs]."""
    spikes = torch.from_numpy(sample.astype(np.float64))
    for weight in weights:
        states = run(spikes, weight.double())
        if (states - THETA).abs().min() < ROUNDING:
            return True
        spikes = delayed(states > THETA).double()
    return False


def main():
    path, width, samples, steps = sys.argv[1], *map(int, sys.argv[2:5])
    activity, share = map(float, sys.argv[5:7])
    random = np.random.default_rng(1)
    raster = random.random((steps, samples, INPUTS)) < activity
    tuneSteps = min(steps, 100)
    spikes = torch.from_numpy(raster[:tuneSteps].astype(np.float32))
    weights, rates, thetas, mostSpikes, mostActive = [], [], [], 0, 0
    with h5py.File(path, "w") as file:
        for l in range(3):
            weight = torch.from_numpy(random.normal(size=(spikes.shape[2], width)).astype(np.float32))
            weight = scaled(spikes, weight, activity)
            states = run(spikes, weight)
            fired = states > THETA
            theta = min(THETA, float(np.quantile(states.numpy().ravel()[::7], 1.0 - share)))
            rates.append(fired.float().mean().item())
            thetas.append(theta)
            mostSpikes = max(mostSpikes, int(fired.sum(2).max()))
            mostActive = max(mostActive, int((states > theta).sum(2).max()))
            spikes = delayed(fired).float()
            weights.append(weight)
            file[f"layer{l}/weight"] = weight.numpy()
        for sample in range(samples):
            while dependsOnRounding(raster[:, sample], weights):
                raster[:, sample] = random.random((steps, INPUTS)) < activity
        file["readout/weight"] = random.normal(0, 0.1, (width, CLASSES)).astype(np.float32)
        file["readout/bias"] = np.zeros(CLASSES, np.float32)
        file["batch/raster"] = raster
        file["batch/labels"] = random.integers(0, CLASSES, samples)
    # Room for half as many again as were seen; what is dropped all the same is reported.
    print(json.dumps({"rates": rates, "gradientThetas": thetas, "spikeCap": min(width, 3 * mostSpikes // 2 + 8),
                      "activeCap": min(width, 3 * mostActive // 2 + 8),
                      "inputCap": int(raster.sum(2).max())}))


if __name__ == "__main__":
    main()
