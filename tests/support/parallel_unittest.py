"""unittest.main() for files whose cases wait for seconds of the real clock: each case is a process of its own, some at
once.

What is waited for (a time-out, a reading due, the ten seconds without a hello) is the sender's own and happens at its
true pace; what is saved is that one case waits for another.  Cases share nothing, so classes with a setUpClass are
refused. OG_PARALLEL_CASES says how many run at once (default 3; 1: one after the other).  Names on the command line
choose, as in unittest. """
import io
import os
import sys
import tempfile
import time
import unittest

AT_ONCE = int(os.environ.get("OG_PARALLEL_CASES", "3"))


def cases(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from cases(test)
        else:
            yield test


def alone(case, output):
    """Run one case in this process; its words go to output, and the answer is an exit code."""
    words = io.TextIOWrapper(output, write_through=True)
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    result = unittest.TextTestRunner(words, verbosity=0).run(case)
    return 0 if result.wasSuccessful() and result.testsRun == 1 else 1


def start(case):
    output = tempfile.TemporaryFile()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = alone(case, output)
        finally:
            os._exit(code)
    return child, (case, output, time.monotonic())


def main():
    module, loader = sys.modules["__main__"], unittest.defaultTestLoader
    names = sys.argv[1:]
    waiting = list(cases(loader.loadTestsFromNames(names, module) if names else loader.loadTestsFromModule(module)))
    for case in waiting:
        if "setUpClass" in vars(type(case)):
            sys.exit(f"{case.id()}: what a class sets up for all its cases is not for processes of their own")
    count, failed, running = len(waiting), 0, {}
    waiting.reverse()
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            child, what = start(waiting.pop())
            running[child] = what
        child, status = os.wait()
        case, output, since = running.pop(child)
        print(f"{'FAILED' if status else 'ok'} {time.monotonic() - since:.1f} s {case.id()}", flush=True)
        if status:
            failed += 1
            output.seek(0)
            print(output.read().decode(errors="replace"), flush=True)
        output.close()
    print(f"{count - failed} passed, {failed} failed")
    sys.exit(1 if failed or not count else 0)
