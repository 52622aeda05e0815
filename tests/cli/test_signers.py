"""Several signatures beside one policy, of which so many are needed: with real keys, by the programs from outside.

OG_BIN names the folder of the programs (CTest sets it).
"""
import os
import re
import unittest

from test_trust import AT, Files, line, policy

class Keys(Files):
    def setUp(self):
        super().setUp()
        self.key, self.public = {}, {}
        for name in ("ann", "ben", "eve", "mal"):
            self.key[name], self.public[name] = self.keys(name)
        self.desk = self.put("desk.yaml", policy(100))

    def found(self, names, need=None, desk=None):
        """What verify and check find wrong (they must agree), or None; and what they say."""
        found, said = set(), ""
        paths = [self.public.get(name, name) for name in names]
        for args in (["policy", "verify", *[x for p in paths for x in ("--key", p)],
                      *(["--need", str(need)] if need else []), desk or self.desk],
                     ["check", "--at", AT, "-p", desk or self.desk,
                      *[x for p in paths for x in ("--require-signature", p)],
                      *(["--need-signatures", str(need)] if need else [])]):
            done = self.gate(*args, data=line())
            said = done.stderr.decode()
            self.assertIn(done.returncode, (0, 3), (args, said))
            if done.returncode == 3:
                self.assertEqual(done.stdout, b"", args)
            found.add(None if done.returncode == 0 else re.search(r"\[([a-z-]+)\]\n$", said)[1])
        self.assertEqual(len(found), 1, found)
        return found.pop(), said

    def refused(self, code, *names, need=None, desk=None):
        found, said = self.found(names, need, desk)
        self.assertEqual(found, code, said)
        return said

    def taken(self, *names, need=None, desk=None):
        found, said = self.found(names, need, desk)
        self.assertIsNone(found, said)


class Signers(Keys):
    def lines(self):
        return self.read("desk.yaml.sig").splitlines(keepends=True)

    def test_so_many_of_them_must_have_signed(self):
        three = ("ann", "ben", "eve")
        self.refused("signature-missing", *three, need=2)
        self.sign(self.key["ann"], self.desk)
        said = self.refused("signatures-too-few", *three, need=2)
        self.assertIn("2 of 3 keys must have signed, 1 have", said)
        self.assertIn("ben.pub', '", said)
        self.assertNotIn("ann.pub", said)
        self.taken(*three, need=1)
        self.sign(self.key["eve"], self.desk)
        for names in (three, three[::-1], ("eve", "ben", "ann")):
            self.taken(*names, need=2)
        self.refused("signatures-too-few", *three, need=3)
        self.refused("signature-wrong", *three)  # all of them, as without a number
        self.sign(self.key["ben"], self.desk)
        self.taken(*three, need=3)
        self.taken(*three)

    def test_a_key_counts_once(self):
        """However often it is named, copied or rewritten, and however often its signature is in the file."""
        self.sign(self.key["ann"], self.desk)
        pem = self.read("ann.pub")
        body = "".join(pem.splitlines()[1:-1])
        copies = [self.put("copy.pub", pem), self.put("crlf.pub", "of ben, he says\r\n" + pem.replace("\n", "\r\n")),
                  self.put("wrapped.pub", "-----BEGIN PUBLIC KEY-----\n" + body[:20] + "\n" + body[20:] +
                           "\n-----END PUBLIC KEY-----\n")]
        os.symlink(self.public["ann"], self.path("link.pub"))
        for copy in [*copies, self.path("link.pub"), "ann"]:
            self.refused("keys-too-few", "ann", copy, need=2)
            self.refused("signatures-too-few", "ann", copy, "ben", need=2)
            self.taken("ann", copy, "ben", need=1)
        first, digest, signature = self.lines()
        for again in ([signature] * 2, [signature] * 16):
            self.put("desk.yaml.sig", "".join([first, digest, *again]))
            self.refused("signatures-too-few", "ann", "ben", need=2)
        self.put("desk.yaml.sig", "".join([first, digest, *[signature] * 17]))
        self.refused("signature-unreadable", "ann", "ben", need=1)
        other = signature.replace("ed25519:", "ed25519:0")[:-2] + "\n"
        self.put("desk.yaml.sig", "".join([first, digest, signature, other]))
        self.refused("signatures-too-few", "ann", "ben", need=2)

    def test_another_encoding_of_a_signature_is_none(self):
        """S + L verifies where S is not compared with the group's order L."""
        self.sign(self.key["ann"], self.desk)
        first, digest, signature = self.lines()
        raw = bytes.fromhex(signature.strip().removeprefix("ed25519:"))
        order = 2**252 + 27742317777372353535851937790883648493
        moved = raw[:32] + (int.from_bytes(raw[32:], "little") + order).to_bytes(32, "little")
        upper = signature.replace("ed25519:", "").upper()
        for text, code in ((f"ed25519:{moved.hex()}\n", "signature-wrong"), (f"ed25519:{upper}", None)):
            self.put("desk.yaml.sig", first + digest + text)
            self.refused(code or "signature-unreadable", "ann")
        self.put("desk.yaml.sig", first + digest + signature + f"ed25519:{moved.hex()}\n")
        self.refused("signatures-too-few", "ann", "ben", need=2)

    def test_whoever_is_not_named_does_not_count(self):
        self.sign(self.key["ann"], self.desk)
        self.sign(self.key["mal"], self.desk)
        self.refused("signatures-too-few", "ann", "ben", "eve", need=2)
        self.sign(self.key["ben"], self.desk)
        self.taken("ann", "ben", "eve", need=2)

    def test_a_change_needs_all_of_them_again(self):
        for name in ("ann", "ben"):
            self.sign(self.key[name], self.desk)
        self.taken("ann", "ben", "eve", need=2)
        self.put("desk.yaml", policy(1000))
        self.refused("signature-of-another", "ann", "ben", "eve", need=2)
        self.sign(self.key["ann"], self.desk)
        self.refused("signatures-too-few", "ann", "ben", "eve", need=2)
        first, digest, _ = self.lines()
        self.put("desk.yaml", policy(100))  # the signatures of one version do not count for another
        self.sign(self.key["ben"], self.desk)
        old = self.lines()[2]
        self.put("desk.yaml", policy(1000))
        self.sign(self.key["ann"], self.desk)
        self.put("desk.yaml.sig", "".join(self.lines()) + old)
        self.refused("signatures-too-few", "ann", "ben", "eve", need=2)
        self.assertEqual(self.lines()[:2], [first, digest])

    def test_of_another_policy(self):
        other = self.put("other.yaml", policy(1000, name="desk"))
        for name in ("ann", "ben"):
            self.sign(self.key[name], other)
            self.sign(self.key[name], self.desk)
        right = self.read("desk.yaml.sig")
        self.put("desk.yaml.sig", self.read("other.yaml.sig"))
        self.refused("signature-of-another", "ann", "ben", "eve", need=2)
        lines = self.read("other.yaml.sig").splitlines(keepends=True)
        self.put("desk.yaml.sig", "".join([*right.splitlines(keepends=True)[:2], *lines[2:]]))
        self.refused("signatures-too-few", "ann", "ben", "eve", need=2)

    def test_an_older_version_with_its_signatures_is_still_signed(self):
        """docs/security.md says so: a signature has no date."""
        self.sign(self.key["ann"], self.desk)
        old = self.read("desk.yaml.sig")
        self.put("desk.yaml", policy(7))
        self.sign(self.key["ann"], self.desk)
        self.put("desk.yaml", policy(100))
        self.refused("signature-of-another", "ann")
        self.put("desk.yaml.sig", old)
        self.taken("ann")

    def test_files_that_are_none(self):
        for name in ("ann", "ben"):
            self.sign(self.key[name], self.desk)
        right, path = self.read("desk.yaml.sig"), self.desk + ".sig"
        for length in (0, 1, 29, 30, 60, len(right) // 2, len(right) - 1):
            self.put("desk.yaml.sig", right[:length])
            self.refused("signature-unreadable", "ann", "ben", "eve", need=2)
        self.put("desk.yaml.sig", right[:-137])  # a whole line less is a file with one signature
        self.refused("signatures-too-few", "ann", "ben", "eve", need=2)
        self.put("desk.yaml.sig", right + "0" * (1 << 20))
        self.assertIn("too long", self.refused("signature-missing", "ann", "ben", need=1))
        os.remove(path)
        os.mkfifo(path)
        self.refused("signature-missing", "ann", "ben", need=1)
        os.remove(path)
        os.mkdir(path)
        self.refused("signature-missing", "ann", "ben", need=1)
        os.rmdir(path)
        os.symlink(self.put("elsewhere", right), path)
        self.taken("ann", "ben", "eve", need=2)
        os.chmod(self.path("elsewhere"), 0o646)
        self.refused("signature-missing", "ann", "ben", need=2)
        os.chmod(self.path("elsewhere"), 0o644)
        os.remove(self.public["eve"])  # it would not be needed: whoever removes it is not told so
        self.refused("key-unusable", "ann", "ben", "eve", need=2)

    def test_one_signature_as_it_always_was(self):
        """The file has one form, for one signature and for many."""
        self.sign(self.key["ann"], self.desk)
        self.assertRegex(self.read("desk.yaml.sig"), r"\Aordergate policy signature 1\ndesk@sha256:[0-9a-f]{64}\n"
                                                     r"ed25519:[0-9a-f]{128}\n\Z")
        self.taken("ann")
        self.taken("ann", need=1)

    def test_a_policy_does_not_say_who_signs_it(self):
        path = self.put("desk.yaml", policy(100) + "require_signatures: {need: 1, keys: [ann.pub]}\n")
        for args in (["check", "-p", path], ["lint", path], ["policy", "sign", "--key", self.key["ann"], path]):
            done = self.gate(*args)
            self.assertEqual(done.returncode, 1 if args[0] == "lint" else 3, done)
            self.assertIn(b"desk.yaml:6:1: error:", done.stdout + done.stderr)
            self.assertIn(b"[floor-only]", done.stdout + done.stderr)

    def test_a_floor_that_no_policy_can_meet(self):
        for text, place, words in (("{need: 3, keys: [a.pub, b.pub]}", "2:28", "more signatures than it names keys"),
                                   ("{need: 0, keys: [a.pub]}", "2:28", "at least 1"),
                                   ("{need: 2, keys: [a.pub, a.pub]}", "2:45", "names a key twice"),
                                   ("{keys: [a.pub]}", "2:21", "needs 'need'"), ("2", "2:21", "must be {need"),
                                   ("{need: 1}", "2:21", "needs 'keys'"),
                                   ("{need: 1, keys: []}", "2:37", "needs 'keys'"),
                                   ("{need: 1, keys: [a.pub], of: x}", "2:50", "and nothing else")):
            floor = self.put("floor.yaml", f"ordergate: 1\nrequire_signatures: {text}\n")
            done = self.gate("lint", "--floor", floor, self.desk)
            said = (done.stdout + done.stderr).decode()
            self.assertEqual(done.returncode, 1, (text, said))
            self.assertIn(f"floor.yaml:{place}: error: ", said, text)
            self.assertIn(words, said, text)
        floor = self.put("floor.yaml", "ordergate: 1\nrequire_signatures: {need: 1, keys: [ann.pub]}\n")
        done = self.gate("lint", "--floor", floor, self.desk)
        self.assertEqual(done.returncode, 0, done.stdout)  # lint is for those who have not signed yet

    def test_usage(self):
        ann, ben = self.public["ann"], self.public["ben"]
        for args in (["policy", "verify", "--key", ann, "--need", "2", self.desk],
                     ["policy", "verify", "--key", ann, "--key", ben, "--need", "3", self.desk],
                     ["policy", "verify", "--key", ann, "--need", "0", self.desk],
                     ["policy", "verify", "--key", ann, "--need", "-1", self.desk],
                     ["policy", "sign", "--key", self.key["ann"], "--need", "1", self.desk],
                     ["check", "--need-signatures", "1"],
                     ["check", "--need-signatures", "2", "--require-signature", ann],
                     ["check", "--need-signatures", "0", "--require-signature", ann]):
            self.assertEqual(self.gate(*args).returncode, 2, args)


if __name__ == "__main__":
    unittest.main()
