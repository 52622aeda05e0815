#!/usr/bin/env python3
"""Checks the built and installed binaries: nothing is loaded from the current folder, and hardening is on.

binaries.py BUILD_DIR BUILD_TYPE SANITIZE BINARY...   reads the binaries, installs the build, and reads what is
installed. It first checks run paths known to be wrong. Exit 1 if there is a fault.
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def read(what, path):
    done = subprocess.run(["readelf", "-W", what, path], capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C"})
    return done.stdout


def is_elf(path):
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as f:
        return f.read(4) == b"\x7fELF"


def wrong_paths(text):
    """Returns the entries of a run path that make the loader search the current folder: those that are empty or
    relative."""
    return [p for p in text.split(":") if not re.match(r"/|\$ORIGIN(/|$)|\$\{ORIGIN\}(/|$)", p)]


def paths(path):
    return re.findall(r"\((?:RPATH|RUNPATH)\)[^\[]*\[(.*)\]", read("-d", path))


def judge_paths(path):
    return [f"{path}: run path [{p}] makes the loader look into the current folder" for p in paths(path)
            if wrong_paths(p)]


def judge_hardening(path):
    dynamic, segments, symbols = read("-d", path), read("-l", path), read("--dyn-syms", path)
    stack = re.search(r"GNU_STACK.*?(\bR?W?E?)\s+0x", segments)
    wanted = {
        "position independent": bool(re.search(r"Type:\s+DYN", read("-h", path))),
        "full RELRO": "GNU_RELRO" in segments,
        "BIND_NOW": bool(re.search(r"\(FLAGS\).*BIND_NOW|\(BIND_NOW\)|\(FLAGS_1\).*NOW", dynamic)),
        "a stack that is not executable": bool(stack) and "E" not in stack.group(1),
        "no text relocations": "TEXTREL" not in dynamic,
    }
    if "INTERP" in segments:
        wanted["PIE"] = bool(re.search(r"FLAGS_1.*PIE", dynamic))
    if "libordergate" in path or "ordergate-paper" in path:  # large enough for each to be there
        wanted["the stack protector"] = "__stack_chk_fail" in symbols
        wanted["FORTIFY"] = bool(re.search(r"__\w+_chk\b", symbols.replace("__stack_chk_fail", "")))
    return [f"{path}: lacks {what}" for what, there in wanted.items() if not there]


def judge_objects(build):
    """Check that the objects were compiled with -fcf-protection. The notes of an object file are read, because a
    binary has this note only if the C library has it too."""
    machine = os.uname().machine
    if machine != "x86_64":
        return []
    path = os.path.join(build, "CMakeFiles/og_base.dir/src/base/file.c.o")
    return [] if re.search(r"IBT, SHSTK", read("-n", path)) else [f"{path}: is compiled without -fcf-protection"]


def lacking(command):
    """Returns the hardening options that a compiler's command lacks. If an option is given several times, the last
    counts."""
    wanted = {r"-f(no-)?stack-protector": "-fstack-protector-strong",
              r"-f(no-)?stack-clash-protection": "-fstack-clash-protection",
              r"-[DU]_FORTIFY_SOURCE": "-D_FORTIFY_SOURCE=3"}
    words = command.split()
    return [f"lacks {flag}" for one, flag in wanted.items() if [w for w in words if re.match(one, w)][-1:] != [flag]]


def judge_commands(build):
    """Check the hardening options of every compiler command. Binaries do not show the level of FORTIFY and the
    protection against stack clash."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        commands = [c for c in json.load(f) if not re.search(r"/tests/", c["file"])]
    faults = [f"{c['file']}: {lack}" for c in commands for lack in lacking(c["command"])]
    return faults if len(commands) > 300 else faults + [f"{build}: {len(commands)} commands are too few"]


def judge_here(path, folder):
    """Check that the binary runs in a folder that has an invalid file for each library it needs, so it loads none
    from the current folder."""
    for name in re.findall(r"\(NEEDED\)[^\[]*\[(.*)\]", read("-d", path)):
        with open(os.path.join(folder, name), "w") as f:
            f.write("no library")
    done = subprocess.run([path, "--version"], cwd=folder, capture_output=True, text=True)
    return [] if done.returncode == 0 else [f"{path}: in a folder of false libraries: {done.stderr.strip()}"]


def main():
    build, kind, sanitize, *binaries = sys.argv[1:]
    for text in ("", ":", "/a:", ":/a", "/a::/b", ".", "lib", "$ORIGINAL/x", "/a:../b", ":::::::"):
        assert wrong_paths(text), text
    for text in ("/a", "$ORIGIN", "$ORIGIN/../lib:/b", "${ORIGIN}/x"):
        assert not wrong_paths(text), text
    good = "cc -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 a.c"
    assert lacking(good) == []
    for word in good.split()[1:5]:
        assert word == "-U_FORTIFY_SOURCE" or lacking(good.replace(word, "")), word
    for more in ("-fstack-protector", "-fno-stack-protector", "-fno-stack-clash-protection", "-D_FORTIFY_SOURCE=2",
                 "-U_FORTIFY_SOURCE"):
        assert lacking(f"{good} {more}"), more
    build, faults, seen = os.path.abspath(build), [], 0
    for at, folders, names in os.walk(build):
        folders[:] = [f for f in folders if f != "CMakeFiles"]
        for path in (os.path.join(at, n) for n in names):
            if not path.endswith((".o", ".a")) and is_elf(path):
                seen += 1
                faults += judge_paths(path)
        for path in (p for p in (os.path.join(at, n) for n in names) if at.endswith("/tools") and is_elf(p)):
            with tempfile.TemporaryDirectory() as to:
                faults += judge_here(path, to)
    with tempfile.TemporaryDirectory() as to:
        subprocess.run(["cmake", "--install", build, "--prefix", to], check=True, stdout=subprocess.DEVNULL)
        installed = [os.path.join(at, n) for at, _, names in os.walk(to) for n in names]
        installed = [path for path in installed if is_elf(path)]
        for path in installed:
            faults += judge_paths(path) + ([] if sanitize else judge_hardening(path))
            if "/bin/" in path:
                faults += judge_here(path, to)
            found = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
            faults += [f"{path}: {line.strip()}" for line in found.splitlines() if "not found" in line]
    if not sanitize and kind != "Debug":
        faults += judge_objects(build) + judge_commands(build)
    print("\n".join(faults + [f"{seen} files built, {len(installed)} installed, {len(faults)} faults"]))
    return 1 if faults or seen < len(binaries) or len(installed) < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
