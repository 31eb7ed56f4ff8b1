"""Ten million shots through a generator: how fast, and how much memory it takes.

    python -m bench.stream                       # 10,000,000 shots of two balls
    python -m bench.stream --shots 1000000 --balls 22

The first shot of a workload under the noise of a professional, sample after sample, each chunk forgotten when the next
one comes. Memory is the resident set of the process, read after every chunk; the first `WARM` chunks fill the pools of
the allocator and of the threads and do not count. Exit status 1 if it grows afterwards by more than `MOST_GROWTH`.
"""

import argparse
import sys
import time
from pathlib import Path

import simcore
from bench.workloads import WORKLOADS
from simcore.shots import CHUNK

SHOTS, WARM, MOST_GROWTH = 10_000_000, 8, 0.05
BYTES_OF_MIB = 2**20


def resident_bytes() -> int:
    """Memory of this process that is in use now; only Linux tells."""
    words = Path("/proc/self/status").read_text(encoding="ascii").partition("VmRSS:")[2].split()
    return int(words[0]) * 1024


def run(balls: int, shots: int, size: int) -> tuple[float, list[int]]:
    """Seconds of so many shots, and the resident memory after each chunk, bytes."""
    workload = WORKLOADS[f"{balls} balls"]()
    layout, samples = workload.positions[0], simcore.Noise.preset("pro").chunks(workload.shots[0], shots, 1, size)
    found, began = [], time.perf_counter()
    for results in simcore.stream(((layout, chunk) for chunk in samples), check=True):
        found.append(resident_bytes())
        del results
    return time.perf_counter() - began, found


def growth(memory: list[int]) -> float:
    """By what share the memory rose above what it was when warm."""
    return max(memory[WARM:]) / memory[WARM - 1] - 1.0


def main(arguments: list[str] | None = None) -> int:
    """Command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.stream", description=__doc__.partition("\n")[0])
    parser.add_argument("--shots", type=int, default=SHOTS)
    parser.add_argument("--balls", type=int, default=2, choices=(2, 8, 16, 22))
    parser.add_argument("--size", type=int, default=CHUNK, help="shots of a chunk")
    given = parser.parse_args(arguments)
    if given.shots <= WARM * given.size:
        parser.error(f"--shots {given.shots}: expected more than {WARM} chunks of {given.size}")
    seconds, memory = run(given.balls, given.shots, given.size)
    grown = growth(memory)
    sys.stdout.write(
        f"{given.shots:,} shots of {given.balls} balls in {len(memory)} chunks of {given.size}: {seconds:.0f} s, "
        f"{given.shots / seconds:,.0f} shots/s\n"
        f"memory: {memory[WARM - 1] / BYTES_OF_MIB:.0f} MiB after {WARM} chunks, {max(memory) / BYTES_OF_MIB:.0f} MiB "
        f"at most, {memory[-1] / BYTES_OF_MIB:.0f} MiB at the end: {grown:+.1%}\n"
    )
    return int(grown > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
