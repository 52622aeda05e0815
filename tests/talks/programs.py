"""Runs the programs that talk to the service, in a temporary HOME and with the keys in the environment."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from paper import DEADLINE, LIVE

BIN = os.environ["OG_BIN"]


class Programs:
    """A mix-in for test cases whose self.p is the brokerage; it runs ordergate against it. Rate budgets are off
    unless a test sets them."""

    keys = LIVE
    budgets = "off"

    def home(self):
        if not hasattr(self, "_home"):
            self._home = tempfile.mkdtemp()
            self.addCleanup(shutil.rmtree, self._home)
        return self._home

    def file(self, name, text, mode=0o600):
        path = os.path.join(self.home(), name)
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, mode)
        return path

    def environment(self, keys=None, **more):
        key, secret = keys or self.keys
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ORDERGATE_", "XDG_"))}
        kept.update(HOME=self.home(), XDG_STATE_HOME=os.path.join(self.home(), "state"), ORDERGATE_KEY_ID=key,
                    ORDERGATE_SECRET_KEY=secret, ORDERGATE_CLOCK="broker", **more)
        return kept

    def broker_file(self, url=None):
        text = f"base_url: {url or self.p.url}\n" + (f"budgets: {self.budgets}\n" if self.budgets else "")
        path = os.path.join(self.home(), "broker.yaml")
        if not os.path.exists(path) or pathlib.Path(path).read_text() != text:  # another process may be reading it
            self.file("broker.yaml", text)
        return path

    def start(self, *args, keys=None, url=None, **env):
        """Start ordergate, with --broker after the command."""
        command = [os.path.join(BIN, "ordergate"), args[0], "--broker", self.broker_file(url), *args[1:]]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=self.environment(keys, **env))

    def end(self, process, code=0, keys=None):
        """Wait for the end of the process, compare its exit code, and return (stdout, stderr)."""
        out, words = process.communicate(timeout=DEADLINE * 3)
        self.assertEqual(process.returncode, code, words + out)
        self.assertNotIn((keys or self.keys)[1], out + words)
        for sign in ("AddressSanitizer", "runtime error:", "LeakSanitizer"):
            self.assertNotIn(sign, words)
        return out, words

    def run_broker(self, *args, code=0, **more):
        keys = more.get("keys")
        return self.end(self.start("broker", *args, **more), code, keys)

    def asked(self, *args, **more):
        """Returns the document that `ordergate broker` prints for a call with these arguments."""
        return json.loads(self.run_broker(*args, **more)[0])

    def requests(self, method=None, part=""):
        seen = self.p.control("GET", "requests?since=0")["requests"]
        return [r for r in seen if method in (None, r["method"]) and part in r["path"]]

    def until(self, found, what):
        """Repeat found() until it returns something true, and return that. Every attempt is a request to the
        service."""
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline:
            result = found()
            if result:
                return result
        raise AssertionError(f"{what} did not come")

    def fault(self, on, do, **more):
        self.p.control("POST", "faults", {"on": on, "do": do, **more})
