#!/usr/bin/env python3
"""ordergate policy new: what it writes over every shipped policy and over files has the usual layout, no lint
findings, and tests that pass. It replaces no file, and leaves none if it fails."""
import os
import unittest

from policy_case import PolicyCase

SHIPPED = ["default", "paper", "live", "cautious", "small-account", "options-income", "short-seller"]


class New(PolicyCase):
    def made(self, *args):
        done = self.gate("policy", "new", *args)
        self.assertEqual((done.returncode, done.stderr), (0, b""), args)
        paths = done.stdout.decode().split()
        for args in [["lint", "--strict", paths[0]], ["fmt", "--check", *paths], ["test", paths[1]]]:
            done = self.gate(*args)
            self.assertEqual((done.returncode, done.stderr), (0, b""), (args, done.stdout))
        return [os.path.join(self.dir.name, path) for path in paths]

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8") as f:
            return f.read()

    def test_over_every_shipped_policy(self):
        for name in SHIPPED:
            policy, test = self.made(f"desk-{name}", "--from", name)
            self.assertEqual(self.show(policy).replace(f"desk-{name}", name).split("\n", 4)[4],
                             self.show(name).split("\n", 4)[4])
            text = self.read(test)
            self.assertEqual(text.count("expect: {verdict: "), 5, text)
            self.assertNotIn("...", text)
            self.assertIn("verdict: refuse", text)
        self.assertIn("extends: [live]", self.read(self.made("own")[0]))

    def test_over_files_wherever_they_are(self):
        os.makedirs(os.path.join(self.dir.name, "a b", "c"))
        self.file("firm.yaml", "ordergate: 1\nextends: [live]\nrules:\n  order-notional: {level: refuse, most: 500}\n")
        self.file("a b/house.yaml", "ordergate: 1\nextends: [live]\nenvironment: paper\n")
        for name, base in [("d1", "firm.yaml"), ("d2", "./firm.yaml"), ("c1.yaml", "a b/house.yaml"),
                           ("a b/c/d3", "firm.yaml"), ("a b/d4", os.path.join(self.dir.name, "a b/house.yaml"))]:
            done = self.gate("policy", "new", name, "--from", base)
            self.assertEqual((done.returncode, done.stderr), (0, b""), name)
            stem = os.path.join(self.dir.name, name.removesuffix(".yaml"))
            self.assertEqual(self.gate("test", stem + "_test.yaml").returncode, 0)
            self.assertIn("accountType: Paper" if "house" in base else "accountType: Live",
                          self.read(stem + "_test.yaml"))
            self.assertIn("notional-above-limit" if "firm" in base else "accept", self.read(stem + "_test.yaml"))

    def test_the_test_fails_once_the_policy_is_changed(self):
        policy, test = self.made("desk")
        self.file("desk.yaml", self.read(policy).replace("# ", "").replace("#", " ").split("\n", 1)[1]
                  .replace("10000", "100"))
        done = self.gate("test", test)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"notional-above-limit", done.stdout)

    def test_nothing_is_replaced(self):
        for there in ("desk.yaml", "desk_test.yaml"):
            path = self.file(there, "mine\n")
            done = self.gate("policy", "new", "desk")
            self.assertEqual((done.returncode, done.stdout), (4, b""))
            self.assertIn(f"{there}: exists already".encode(), done.stderr)
            self.assertEqual(os.listdir(self.dir.name), [there])
            self.assertEqual(self.read(path), "mine\n")
            os.remove(path)
        os.symlink("elsewhere.yaml", os.path.join(self.dir.name, "desk_test.yaml"))
        self.assertEqual(self.gate("policy", "new", "desk").returncode, 4)
        self.assertEqual(os.listdir(self.dir.name), ["desk_test.yaml"])

    def test_what_cannot_be_used_leaves_nothing(self):
        self.file("bad.yaml", "ordergate: 1\nrules: {order-notional: refuse}\n")
        for args, code in [([], 2), (["a", "b"], 2), (["a b"], 2), ([""], 2), (["a/"], 2), ([".a"], 2), (["a_test"], 2),
                           (["x" * 65], 2), (["x" * 5000], 2), (["a", "--from", ""], 2), (["a", "--from", "nix"], 3),
                           (["a", "--from", "nix.yaml"], 3), (["a", "--from", "bad.yaml"], 3),
                           (["nowhere/a", "--from", "live"], 4)]:
            done = self.gate("policy", "new", *args)
            self.assertEqual((done.returncode, done.stdout), (code, b""), args)
            self.assertTrue(done.stderr, args)
            self.assertEqual(os.listdir(self.dir.name), ["bad.yaml"], args)


if __name__ == "__main__":
    unittest.main()
