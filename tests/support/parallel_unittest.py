"""unittest.main() for files whose cases wait on the real clock: it runs several cases at the same time, each in a
process of its own.

The waits are the sender's own time-outs and keep their true length; only the cases no longer wait for one another.
Cases must share nothing, so a class with setUpClass is an error. OG_PARALLEL_CASES is the number of processes; without
it main() says how many: WAITING in a file whose cases need little processor time (below a tenth of their length), else
3. Names on the command line select cases, as with unittest.
"""
import io
import os
import sys
import tempfile
import time
import unittest

WAITING = 8


def cases(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from cases(test)
        else:
            yield test


def alone(case, output):
    """Run one case in this process, with its output in a file. Returns an exit code."""
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


def main(at_once=3):
    at_once = int(os.environ.get("OG_PARALLEL_CASES") or at_once)
    module, loader = sys.modules["__main__"], unittest.defaultTestLoader
    names = sys.argv[1:]
    waiting = list(cases(loader.loadTestsFromNames(names, module) if names else loader.loadTestsFromModule(module)))
    for case in waiting:
        if "setUpClass" in vars(type(case)):
            sys.exit(f"{case.id()}: what a class sets up for all its cases is not for processes of their own")
    count, failed, running = len(waiting), 0, {}
    waiting.reverse()
    while waiting or running:
        while waiting and len(running) < at_once:
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
