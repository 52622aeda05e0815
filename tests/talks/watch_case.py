"""A running ordergate watch, whose lines tests wait for."""
import json
import signal
import threading

from paper import DEADLINE, PAPER
from programs import Programs
from reading_case import ReadingCase


class WatchCase(Programs, ReadingCase):
    account = "PAPER0001"
    keys = PAPER

    def watch(self, *args, **more):
        """Returns a running watch, whose output is collected in self.lines."""
        run = self.start("watch", *args, **more)
        self.addCleanup(lambda: run.poll() is None and run.kill())
        self.lines, self.changed = [], threading.Condition()

        def read():
            for line in run.stdout:
                with self.changed:
                    self.lines.append(json.loads(line))
                    self.changed.notify_all()

        self.reader = threading.Thread(target=read, daemon=True)
        self.reader.start()
        return run

    def event(self, kind, count=1):
        """Wait for the count-th line of that kind."""
        def found():
            return [e for e in self.lines if e["event"] == kind][count - 1:count]
        with self.changed:
            if not self.changed.wait_for(found, DEADLINE):
                raise AssertionError(f"no {kind} in {self.lines}")
            return found()[0]

    def stop(self, run, how=signal.SIGINT, code=0):
        run.send_signal(how)
        self.ended(run, code)

    def ended(self, run, code=0):
        run.wait(DEADLINE)
        self.reader.join()
        words = run.stderr.read()
        run.stderr.close()
        run.stdout.close()
        self.assertEqual(run.returncode, code, words)
        self.assertNotIn(self.keys[1], words + json.dumps(self.lines))
        return words

    def hello(self):
        """Wait until the stream is signed in and subscribed; returns the hello, which has the time of the service's
        clock."""
        self.event("ready")
