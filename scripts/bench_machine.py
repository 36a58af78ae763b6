"""What a comparison with PyTorch finds on a machine: a Python that has it, the fastest OpenBLAS, and how fast that
multiplies and reads from cache."""
import os
import subprocess
import sys
from pathlib import Path

OPENBLAS = "/usr/lib/x86_64-linux-gnu/openblas-openmp"


def pythonWithTorch():
    """The first Python that has torch and h5py, with OpenBLAS; installs Debian's where there is none."""
    for attempt in range(2):
        for python in ("python3", "/usr/bin/python3"):
            probe = subprocess.run([python, "-c", "import torch, h5py, numpy"], capture_output=True)
            if probe.returncode == 0 and (attempt or python != "/usr/bin/python3" or Path(OPENBLAS).is_dir()):
                return python  # Debian's torch multiplies with the reference BLAS unless it finds another
        if attempt == 0:
            print("bench: installing python3-torch python3-h5py libopenblas0-openmp", file=sys.stderr)
            root = [] if os.geteuid() == 0 else ["sudo"]
            subprocess.run([*root, "apt-get", "install", "-y", "-qq", "--no-install-recommends",
                            "python3-torch", "python3-h5py", "libopenblas0-openmp"], check=True)
    sys.exit("bench: no Python with torch and h5py")


def importable(python, frameworks):
    """Those that this Python has; says which it has not."""
    has = [name for name in frameworks
           if subprocess.run([python, "-c", f"import {name}"], capture_output=True).returncode == 0]
    for name in frameworks:
        if name not in has:
            print(f"{name}: {python} cannot import it, so it is left out")
    return has


def cacheBandwidth(python, threads):
    """GB/s that all threads together read from their second-level caches, in OpenBLAS's dot products."""
    code = ("import torch, time; torch.set_num_threads(1); a, b = torch.ones(49152), torch.ones(49152)\n"
            "best = 9e9\n"
            "for _ in range(4000):\n t = time.perf_counter(); a.dot(b); best = min(best, time.perf_counter() - t)\n"
            "print(2 * a.numel() * 4 / best / 1e9)")
    runs = [subprocess.Popen([python, "-c", code], env=environment(1, {}), stdout=subprocess.PIPE, text=True)
            for _ in range(threads)]
    rate = sum(float(run.communicate()[0]) for run in runs)
    print(f"rows read from cache: {rate:.0f} GB/s on {threads} thread(s)")
    return 1e9 * rate


def fastestBlas(python, threads):
    """OpenBLAS does not know every processor; the kernel that multiplies fastest is PyTorch's here."""
    code = ("import torch, time, sys; torch.set_num_threads(int(sys.argv[1])); a = torch.randn(1024, 1024); a @ a\n"
            "best = 9e9\n"
            "for _ in range(5):\n t = time.perf_counter(); a @ a; best = min(best, time.perf_counter() - t)\n"
            "print(2 * 1024**3 / best / 1e9)")
    results = {}
    given = os.environ.get("OPENBLAS_CORETYPE")
    for kernel in (given,) if given else (None, "HASWELL", "ZEN", "SKYLAKEX"):
        env = environment(threads, {"OPENBLAS_CORETYPE": kernel} if kernel else {})
        run = subprocess.run([python, "-c", code, str(threads)], env=env, capture_output=True, text=True)
        if run.returncode == 0:
            results[kernel] = float(run.stdout)
    kernel = max(results, key=results.get)
    print(f"PyTorch's matrix product: {results[kernel]:.0f} GFLOP/s "
          f"({'default kernel' if kernel is None else 'OPENBLAS_CORETYPE=' + kernel})")
    return {"OPENBLAS_CORETYPE": kernel} if kernel else {}, 1e9 * results[kernel]


def environment(threads, more):
    # Large thresholds keep malloc from giving memory back at every step, which helps PyTorch.
    env = dict(os.environ, OMP_NUM_THREADS=str(threads), MALLOC_MMAP_THRESHOLD_="1000000000",
               MALLOC_TRIM_THRESHOLD_="4000000000", MALLOC_TOP_PAD_="100000000", **more)
    if Path(OPENBLAS).is_dir():
        env["LD_LIBRARY_PATH"] = OPENBLAS + ":" + env.get("LD_LIBRARY_PATH", "")
    return env
