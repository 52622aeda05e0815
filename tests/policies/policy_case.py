"""Base class of the tests of the policy language: writes policies and facts to files, decides orders, compares
findings."""
import json
import os
import subprocess
import tempfile
import unittest

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
NOON = "2026-01-15T17:00:00Z"  # a Thursday, 12:00 in New York


def order(**keys):
    line = {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
            "limitPrice": 10, "orderQuantity": 10, "timeInForce": "Day"}
    line.update(keys)
    return json.dumps({k: v for k, v in line.items() if v is not None})


class PolicyCase(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def file(self, name, text):
        path = os.path.join(self.dir.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def policy(self, text, name="p.yaml", extends="[]"):
        return self.file(name, f"ordergate: 1\nextends: {extends}\n{text}")

    def gate(self, *args, **more):
        return subprocess.run([GATE, *args], capture_output=True, cwd=self.dir.name, timeout=600, check=False, **more)

    def decide(self, policies, orders, facts=None, at=NOON, **more):
        """Returns the decisions, one for each order."""
        policies = [policies] if isinstance(policies, str) else policies
        orders = [orders] if isinstance(orders, str) else orders
        args = ["check", "--independent", "--at", at]
        for p in policies:
            args += ["-p", p]
        if facts is not None:
            args += ["-f", self.file("facts.json", json.dumps(facts))]
        done = self.gate(*args, input="\n".join(orders).encode(), **more)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(done.stderr, b"")
        found = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(found), len(orders))
        return found

    def reasons(self, policies, orders, key="findings", **more):
        """Returns (reason, level) of each finding about one order."""
        return [(f["reason"], f["level"]) for f in self.decide(policies, orders, **more)[0].get(key, [])]

    def show(self, *policies):
        done = self.gate("policy", "show", *policies)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def faults(self, path, *more):
        """Returns the errors that lint prints, without the file name: "line:col: error: text [code]"."""
        done = self.gate("lint", *more, path)
        self.assertEqual(done.stderr, b"")
        return [line.replace(self.dir.name + "/", "").split(":", 1)[1] for line in done.stdout.decode().splitlines()
                if ": error: " in line]

    def shows_as_itself(self, *policies):
        text = self.show(*policies)
        again = self.file("shown.yaml", text)
        self.assertEqual(self.show(again), text)
        return again
