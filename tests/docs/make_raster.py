"""make_raster.py FOLDER: train.npz and test.npz for `data.set = raster`, without NumPy.

spikes [samples, steps, inputs] of 0 and 1, labels [samples]: class k spikes at inputs k, k + 3, ... in turn.
"""
import struct
import sys
import zipfile
from pathlib import Path

STEPS, INPUTS, CLASSES = 20, 12, 3


def npy(shape, kind, data):
    header = str({"descr": kind, "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def main(folder, samples):
    folder.mkdir(parents=True, exist_ok=True)
    for split in ("train", "test"):
        spikes, labels = bytearray(), bytearray()
        for sample in range(samples):
            label = sample % CLASSES
            labels += struct.pack("<q", label)
            for step in range(STEPS):
                active = {(label + CLASSES * step) % INPUTS, (sample + step) % INPUTS}
                spikes += bytes(int(i in active) for i in range(INPUTS))
        with zipfile.ZipFile(folder / f"{split}.npz", "w") as archive:
            archive.writestr("spikes.npy", npy((samples, STEPS, INPUTS), "|u1", bytes(spikes)))
            archive.writestr("labels.npy", npy((samples,), "<i8", bytes(labels)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), 30)
