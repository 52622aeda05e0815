#!/usr/bin/env python3
"""What the objects of one part of the library need is defined in them, or in a part whose headers they may include. So
layers hold at link level too (docs/architecture.md; layering.py lists the parts, called stations).

upward.py STATION OBJECT... -- STATION OBJECT... prints every name that is defined elsewhere; exit 1 if there is one.

It first judges the stations with their permissions reversed, and demands that the faults are found.
"""
import subprocess
import sys

from layering import MAY


def names(option, objects):
    out = subprocess.run(["nm", option, *objects], check=True, capture_output=True, text=True).stdout
    words = [line.split() for line in out.splitlines()]
    return {w[-1] for w in words if len(w) >= 2 and w[-1].startswith("og_")}


def judge(stations, may):
    """Returns a sentence for every name that a station needs and may not use.

    stations is {name: (names it defines, names it needs)}; may is {name: stations that it may use}.
    """
    places = {x: name for name, (defined, _) in stations.items() for x in defined}
    return [f"{name} needs {x}, which is defined in {places[x]}" for name, (_, needed) in stations.items()
            for x in sorted(needed) if x in places and places[x] not in (name, *may.get(name, ()))]


def main():
    stations, group = {}, []
    for word in [*sys.argv[1:], "--"]:
        if word != "--":
            group.append(word)
            continue
        stations[group[0]] = names("--defined-only", group[1:]), names("--undefined-only", group[1:])
        group = []
    turned = {name: [other for other in stations if name in MAY[other]] for name in stations}
    if len({fault.split()[0] for fault in judge(stations, turned)}) < len(stations) // 2:
        sys.exit("upward.py is broken: it finds little wrong with the stations upside down")
    faults = judge(stations, MAY)
    faults += [f"{name} is no station that is judged" for name in sorted(set(MAY) - set(stations))]
    print(*faults, f"{len(stations)} stations, {len(faults)} faults", sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
