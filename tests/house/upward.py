#!/usr/bin/env python3
"""What a station's objects need is defined in them or in a station below, at link level too (docs/architecture.md).

upward.py STATION OBJECT... -- STATION OBJECT...   the stations from the lowest to the highest; prints every name
that is defined above the station that needs it; exit 1 if there is one.

It first judges two stations the wrong way round, and demands that this is found.
"""
import subprocess
import sys


def names(option, objects):
    out = subprocess.run(["nm", option, *objects], check=True, capture_output=True, text=True).stdout
    words = [line.split() for line in out.splitlines()]
    return {w[-1] for w in words if len(w) >= 2 and w[-1].startswith("og_")}


def judge(stations):
    """stations: (name, what it defines, what it needs)."""
    faults, below = [], set()
    anywhere = set().union(*(defined for _, defined, _ in stations))
    for name, defined, needed in stations:
        below |= defined
        faults += [f"{name} needs {x}, which is defined above it" for x in sorted((needed & anywhere) - below)]
    return faults


def main():
    stations, group = [], []
    for word in [*sys.argv[1:], "--"]:
        if word != "--":
            group.append(word)
            continue
        stations.append((group[0], names("--defined-only", group[1:]), names("--undefined-only", group[1:])))
        group = []
    if not judge(list(reversed(stations))):
        sys.exit("upward.py is broken: it finds nothing wrong with the stations upside down")
    faults = judge(stations)
    print(*faults, f"{len(stations)} stations, {len(faults)} faults", sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
