"""The networks of scripts/bench in PyTorch, written from the equations of docs/numerics.md.

A worker process: loads weights and batch, then takes one training step (forward, backward, SGD with learning
rate 0) for every line it reads, and answers in JSON. All variants compute the same loss and gradients.

  plain        a loop over steps, autograd for everything
  fused        a loop over steps with a custom autograd function per layer and step, which adds to the weight
               gradient in place: faster than leaving the sum of T matrices to autograd
  layerwise    one product per layer over all steps, a custom autograd function per layer
  eventwise    the same, but rows of weights and of adjoints are added up where there are spikes (embedding_bag);
               only what goes to the layer below is a dense product
  checkpoint   (with plain or fused) torch.utils.checkpoint over segments of about sqrt(T) steps

Where they can be imported, the neurons of snntorch, norse (a loop over steps each) and spikingjelly (all steps of
a layer at once) on the same weights and inputs. Their reset and so their loss differ a little from the others'.
"""
import argparse
import json
import re
import sys
import time
from pathlib import Path

import h5py
import numpy as np
import torch
from torch.utils.checkpoint import checkpoint

ALPHA, THETA, WIDTH, READOUT_ALPHA, READOUT_GAIN = 0.95, 1.0, 0.04, 0.9, 1.0


def surrogate(x, window):
    y = 1.0 / (1.0 + x.abs() / WIDTH) ** 2
    return y if window is None else y * (x > window)


class Spike(torch.autograd.Function):
    """The spike of u - theta, with the surrogate's derivative."""

    @staticmethod
    def forward(context, x, window):
        context.save_for_backward(x)
        context.window = window
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(context, gradient):
        (x,) = context.saved_tensors
        return gradient * surrogate(x, context.window), None


class Step(torch.autograd.Function):
    """One layer, one step: product, leak, reset and spike in one node of the autograd graph."""

    @staticmethod
    def forward(context, spikes, u, weight, window, total):
        now = torch.addmm(torch.where(u > THETA, u - THETA, u), spikes, weight, beta=ALPHA)
        context.save_for_backward(spikes, now, weight)
        context.window, context.total = window, total
        return now, (now > THETA).to(now.dtype)

    @staticmethod
    def backward(context, fromLater, fromAbove):
        spikes, now, weight = context.saved_tensors
        adjoint = torch.addcmul(fromLater, fromAbove, surrogate(now - THETA, context.window))
        context.total.addmm_(spikes.t(), adjoint)
        below = adjoint @ weight.t() if context.needs_input_grad[0] else None
        return below, adjoint.mul_(ALPHA), None, None, None


def integrate(state):
    """From what arrives at all steps to the states, in place."""
    for t in range(1, len(state)):
        before = state[t - 1]
        state[t].add_(torch.where(before > THETA, before - THETA, before), alpha=ALPHA)


def adjointOf(state, gradient, window):
    """[step and sample][neuron]"""
    adjoint = (state - THETA).abs_().mul_(1 / WIDTH).add_(1)  # in place: each pass is a walk through memory
    adjoint.mul_(adjoint).reciprocal_().mul_(gradient)
    if window is not None:
        adjoint.mul_(state - THETA > window)
    for t in range(len(state) - 2, -1, -1):
        adjoint[t].add_(adjoint[t + 1], alpha=ALPHA)
    return adjoint.flatten(0, 1)


class Layer(torch.autograd.Function):
    """One layer, all steps: one product each way, and loops over steps of what is element by element."""

    @staticmethod
    def forward(context, spikes, weight, window):
        state = (spikes.flatten(0, 1) @ weight).view(*spikes.shape[:2], -1)
        integrate(state)
        context.save_for_backward(spikes, state, weight)
        context.window = window
        return (state > THETA).to(state.dtype)

    @staticmethod
    def backward(context, gradient):
        spikes, state, weight = context.saved_tensors
        adjoint = adjointOf(state, gradient, context.window)
        below = (adjoint @ weight.t()).view_as(spikes) if context.needs_input_grad[0] else None
        return below, spikes.flatten(0, 1).t() @ adjoint, None


def addRows(table, rows, to, numSums):
    """sums[to[k]] += table[rows[k]], where `to` ascends."""
    ends = torch.bincount(to, minlength=numSums).cumsum(0)
    begins = torch.cat([ends.new_zeros(1), ends])
    return torch.nn.functional.embedding_bag(rows, table, begins, mode="sum", include_last_offset=True)


class EventLayer(torch.autograd.Function):
    """Layer, with products of spikes as sums of rows."""

    @staticmethod
    def forward(context, spikes, weight, window):
        places, ids = spikes.flatten(0, 1).nonzero(as_tuple=True)
        state = addRows(weight, ids, places, spikes.shape[0] * spikes.shape[1]).view(*spikes.shape[:2], -1)
        integrate(state)
        context.save_for_backward(places, ids, state, weight)
        context.window, context.shape = window, spikes.shape
        return (state > THETA).to(state.dtype)

    @staticmethod
    def backward(context, gradient):
        places, ids, state, weight = context.saved_tensors
        adjoint = adjointOf(state, gradient, context.window)
        below = (adjoint @ weight.t()).view(context.shape) if context.needs_input_grad[0] else None
        ids, order = ids.sort(stable=True)
        return below, addRows(adjoint, places[order], ids, len(weight)), None


class Network:
    def __init__(self, weights, windows):
        self.layers = [w.requires_grad_() for name, w in weights if name.startswith("layer")]
        self.readout, self.bias = [w.requires_grad_() for name, w in weights if name.startswith("readout")]
        self.windows = windows
        self.parameters = self.layers + [self.readout, self.bias]
        for parameter in self.parameters:
            parameter.grad = torch.zeros_like(parameter)

    # Spikes reach the layer above a step after they were made.
    def initialState(self, batch):
        state = [torch.zeros(batch, w.shape[1]) for w in self.layers] * 2
        return state + [torch.zeros(batch, self.readout.shape[1])] * 2

    def segment(self, raster, cell, *state):
        count = len(self.layers)
        u, spikes, (v, total) = list(state[:count]), list(state[count:2 * count]), state[2 * count:]
        for x in raster:
            v = READOUT_ALPHA * v + READOUT_GAIN * torch.addmm(self.bias, spikes[-1], self.readout)
            total = total + v
            arriving = [x] + spikes[:-1]
            for l in range(count):
                u[l], spikes[l] = cell(arriving[l], u[l], self.layers[l], self.windows[l], self.layers[l].grad)
        return (*u, *spikes, v, total)

    def loop(self, raster, labels, cell, segments):
        state = self.initialState(raster.shape[1])
        for part in torch.tensor_split(raster, segments):
            if segments == 1:
                state = self.segment(part, cell, *state)
            else:
                state = checkpoint(lambda *s, part=part: self.segment(part, cell, *s), *state, use_reentrant=False)
        return torch.nn.functional.cross_entropy(state[-1] / raster.shape[0], labels)

    def layerwise(self, raster, labels, layer):
        spikes = raster
        for weight, window in zip(self.layers, self.windows):
            spikes = layer(spikes, weight, window)
            spikes = torch.cat([torch.zeros_like(spikes[:1]), spikes[:-1]])
        current = READOUT_GAIN * (spikes @ self.readout + self.bias)
        v, total = torch.zeros_like(current[0]), torch.zeros_like(current[0])
        for x in current:
            v = READOUT_ALPHA * v + x
            total = total + v
        return torch.nn.functional.cross_entropy(total / raster.shape[0], labels)


def plainCell(spikes, u, weight, window, _):
    reset = u - THETA * (u > THETA).to(u.dtype)
    now = ALPHA * reset + spikes @ weight
    return now, Spike.apply(now - THETA, window)


def snntorchCell():
    import snntorch
    import snntorch.surrogate
    neuron = snntorch.Leaky(beta=ALPHA, threshold=THETA, reset_mechanism="subtract",
                            spike_grad=snntorch.surrogate.fast_sigmoid(slope=1 / WIDTH))

    def cell(spikes, u, weight, *_):
        fired, now = neuron(spikes @ weight, u)
        return now, fired
    return cell


def norseCell():
    from norse.torch.functional.lif_box import LIFBoxFeedForwardState, LIFBoxParameters
    from norse.torch.module.lif_box import LIFBoxCell
    step = 0.001
    neuron = LIFBoxCell(LIFBoxParameters(tau_mem_inv=torch.as_tensor((1 - ALPHA) / step),
                                         v_th=torch.as_tensor(THETA), alpha=torch.as_tensor(1 / WIDTH)), dt=step)

    def cell(spikes, u, weight, *_):  # its leak weighs the input as well
        fired, state = neuron(spikes @ weight / (1 - ALPHA), LIFBoxFeedForwardState(v=u))
        return state.v, fired
    return cell


def spikingjellyLayer(spikes, weight, _):
    from spikingjelly.activation_based import neuron, surrogate
    return neuron.LIFNode(tau=1 / (1 - ALPHA), decay_input=False, v_threshold=THETA, v_reset=None, step_mode="m",
                          surrogate_function=surrogate.SoftSign(alpha=1 / WIDTH))(spikes @ weight)


CELLS = {"plain": lambda: plainCell, "fused": lambda: Step.apply, "snntorch": snntorchCell, "norse": norseCell}
LAYERS = {"layerwise": Layer.apply, "eventwise": EventLayer.apply, "spikingjelly": spikingjellyLayer}


def lossOf(network, variant, raster, labels):
    if variant in LAYERS:
        return network.layerwise(raster, labels, LAYERS[variant])
    cell = CELLS[variant.removesuffix("+checkpoint")]()
    segments = round(len(raster) ** 0.5) if variant.endswith("checkpoint") else 1
    return network.loop(raster, labels, cell, segments)


def loadCase(path):
    with h5py.File(path) as file:
        names = [f"layer{l}/weight" for l in range(3)] + ["readout/weight", "readout/bias"]
        weights = [(name, torch.from_numpy(file[name][:])) for name in names]
        raster = torch.from_numpy(file["batch/raster"][:].astype(np.float32))
        return weights, raster, torch.from_numpy(file["batch/labels"][:].astype(np.int64))


def memory(field):
    """Resident memory in bytes; getrusage() would also count that of the process that started this one."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(re.search(rf"{field}:\s+(\d+)", status)[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("case")
    parser.add_argument("variant")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--windows", default="", help="second threshold minus first, per layer")
    parser.add_argument("--gradients", help="write loss and gradients to this HDF5 file")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    windows = [float(w) for w in given.windows.split(",")] if given.windows else [None] * 3
    weights, raster, labels = loadCase(given.case)
    network = Network(weights, windows)
    optimiser = torch.optim.SGD(network.parameters, lr=0.0)
    Path("/proc/self/clear_refs").write_text("5")  # forgets the peak of reading the files
    bytesBefore = memory("VmRSS")

    def step():
        optimiser.zero_grad(set_to_none=False)
        loss = lossOf(network, given.variant, raster, labels)
        loss.backward()
        optimiser.step()
        return loss.item()

    if given.gradients:
        loss = step()
        with h5py.File(given.gradients, "w") as file:
            file["loss"] = loss
            for (name, weight) in weights:
                file[f"gradients/{name}"] = weight.grad.numpy()
        return
    print(json.dumps({"bytesBefore": bytesBefore}), flush=True)
    for _ in sys.stdin:
        start = time.perf_counter()
        loss = step()
        print(json.dumps({"seconds": time.perf_counter() - start, "loss": loss}), flush=True)
    print(json.dumps({"peakBytes": memory("VmHWM")}), flush=True)


if __name__ == "__main__":
    main()
