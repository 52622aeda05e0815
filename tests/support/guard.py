"""ordergate guard and flatten for tests: a process whose events are read as those of a sender."""
import os

from sender import Sender


def passed_wrongly(orders):
    """What must not stand after -- for a sender that guard or flatten starts, and what the message names."""
    wrong = [([orders], orders), (["-"], "'-'"), (["--tag", "x", orders], orders), (["--", orders], orders),
             (["--nope"], "--nope"), (["--tag"], "--tag"), (["--timeout", "x"], "--timeout")]
    for option in ("--ledger=x", "--intake=x", "--batch=x", "--console=127.0.0.1:0", "--console-port-file=x",
                   "--dry-run", "--recover", "--resend-not-sent", "--trust-input", "--until=acked", "--dead-man=1s",
                   "--inta=x", "--help", "--version"):
        name = option.split("=", maxsplit=1)[0]
        wrong.append(([option], name))
        wrong.append((["--tag", "x", option, orders], name))
    return wrong


class Tool(Sender):
    """A run of another program with the sender's environment. Its events are its own and those of senders that it
    starts."""

    def __init__(self, name, url, home, *args, **more):
        super().__init__(url, home, *args, program=os.path.join(os.environ["OG_BIN"], "ordergate-" + name), **more)

    def _event(self, line):
        self.raw = getattr(self, "raw", []) + [line]
        if '"event"' in line:
            super()._event(line)

    def told(self, kind, run=None, **members):
        """Wait for an event of the program itself."""
        return self.event(kind, **{**({} if run is None else {"run": run}), **members})

    def end(self):
        """Wait for the end and return the exit code."""
        if self.process.stdin and not self.process.stdin.closed:
            self.close_input()
        code = self.process.wait()
        for reader in self.readers:
            reader.join()
        for sign in ("AddressSanitizer", "runtime error:", "LeakSanitizer"):
            if sign in self.stderr:
                raise AssertionError(self.stderr)
        return code
