"""The policies of policies/: each has tests that pass and reach most of it, and no lint findings; and the layers of
prop-desk work together.

OG_BIN names the folder of the programs (CTest sets it).
"""
import glob
import json
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
POLICIES = os.path.join(ROOT, "policies")
DESK = os.path.join(POLICIES, "prop-desk")
GATE = os.path.join(os.environ["OG_BIN"], "ordergate")


def gate(*args, **more):
    return subprocess.run([GATE, *args], capture_output=True, text=True, timeout=600, **more)


def policies():
    found = [path for path in glob.glob(os.path.join(POLICIES, "**", "*.yaml"), recursive=True)
             if not path.endswith(("_test.yaml", "reference.yaml"))]
    assert len(found) > 8, found
    return sorted(found)


class Shipped(unittest.TestCase):
    def test_each_has_tests_that_pass_and_reach_most_of_it(self):
        p = gate("test", "--format", "json", "--coverage", "--coverage-least", "85%", "--coverage-least",
                 "overrides=100%", "--coverage-least", "custom=100%", POLICIES)
        self.assertEqual(p.returncode, 0, p.stdout[-3000:] + p.stderr)
        report = json.loads(p.stdout)
        self.assertGreater(report["passed"], 300)
        covered = {item["file"] for item in report["coverage"]["items"] if item["reached"]}
        self.assertEqual(covered, set(policies()))
        print("coverage of the shipped policies: %(reached)d of %(of)d" % report["coverage"])

    def test_each_lints_clean(self):
        p = gate("lint", "--strict", *policies())
        self.assertEqual((p.returncode, p.stdout, p.stderr), (0, "", ""))

    def test_a_test_file_is_known_for_one(self):
        p = gate("lint", os.path.join(POLICIES, "live_test.yaml"))
        self.assertEqual(p.returncode, 1)
        self.assertIn("this is a test file: ordergate test runs it", p.stdout)
        self.assertEqual(p.stdout.count("error:"), 1)


class Layers(unittest.TestCase):
    def shown(self, *names):
        p = gate("policy", "show", *(os.path.join(DESK, name + ".yaml") for name in names))
        self.assertEqual(p.returncode, 0, p.stderr)
        lines = p.stdout.splitlines()
        return [line for line in lines if not line.startswith(("name:", "description:", "#"))]

    def test_named_one_by_one_or_by_what_they_extend_they_come_to_the_same(self):
        self.assertEqual(self.shown("firm", "account", "momentum"), self.shown("momentum"))

    def test_what_the_firm_locked_nobody_loosens(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "loose.yaml")
            for rule in ("order-notional: {most: 3000000}", "trading: warn", "day-loss: off",
                         "order-notional: {overrides: [{match: {symbol: SPY}, most: 5000000}]}"):
                with open(path, "w", encoding="utf-8") as f:
                    f.write("ordergate: 1\nextends: []\nrules:\n  %s\n" % rule)
                p = gate("policy", "digest", os.path.join(DESK, "momentum.yaml"), path)
                self.assertEqual(p.returncode, 3, rule)
                self.assertRegex(p.stderr, r"loose\.yaml:4:\d+: error: .*firm\.yaml:\d+:\d+.* \[locked-loosened\]",
                                 rule)


if __name__ == "__main__":
    unittest.main()
