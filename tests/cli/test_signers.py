"""Several signatures beside one policy, of which so many are needed, and lists under a key of their own: with real
keys, by the programs from outside.

OG_BIN names the folder of the programs (CTest sets it).
"""
import base64
import json
import os
import re
import unittest

from test_trust import AT, Files, line, policy

LISTED = """ordergate: 1
name: desk
extends: [default]
lists:
  barred: {file: barred.txt, key: ops.pub}
  hard: {file: hard.txt, key: ops.pub}
custom:
  - {id: no-barred, require: '!(order.symbol in lists.barred)', message: barred}
  - {id: no-hard, require: '!(order.symbol in lists.hard)', message: hard}
"""


class Keys(Files):
    def setUp(self):
        super().setUp()
        self.key, self.public = {}, {}
        for name in ("ann", "ben", "eve", "mal"):
            self.key[name], self.public[name] = self.keys(name)
        self.desk = self.put("desk.yaml", policy(100))

    def found(self, names, need=None, desk=None):
        """Run verify and check, which must find the same fault. Returns the fault, or None, and what they print."""
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
        """A key counts once, however often it is named, copied or rewritten, and however often its signature is in
        the file."""
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
        """A signature whose S is replaced by S + L is invalid. It would verify if S were not compared with L, the
        order of the group."""
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

    def test_a_key_for_which_anybody_signs_is_none(self):
        """A key of small order is an error. For such a key R = 1, S = 0 is a valid signature of every text, so
        anybody could make the second of two signatures."""
        self.sign(self.key["ann"], self.desk)
        self.put("desk.yaml.sig", "".join(self.lines()) + "ed25519:01" + "00" * 63 + "\n")
        for n, raw in enumerate((bytes(32), b"\1" + bytes(31), b"\1" + bytes(30) + b"\x80",
                                 bytes.fromhex("ec" + "ff" * 30 + "7f"))):
            der = bytes.fromhex("302a300506032b6570032100") + raw
            weak = self.put(f"weak{n}.pub", "-----BEGIN PUBLIC KEY-----\n" + base64.b64encode(der).decode() +
                            "\n-----END PUBLIC KEY-----\n")
            for names in ((weak,), ("ann", weak)):
                self.assertIn("is of small order", self.refused("key-unusable", *names, need=len(names)))
            self.put("ops.pub", self.read(f"weak{n}.pub"))
            for name in ("barred", "hard"):
                self.put(name + ".txt", "XYZ\n")
                self.sign(self.key["ann"], "--list", self.path(name + ".txt"))
            self.put("listed.yaml", LISTED)
            self.assertIn("is of small order", self.refused("list-unsigned", "ann", desk=self.path("listed.yaml")))

    def test_a_file_holds_one_key(self):
        """A key file with two keys is an error, because only the first would be used, even if the second was meant.
        """
        for name in ("ann", "mal"):
            self.sign(self.key[name], self.desk)
        for first, second in (("ann", "mal"), ("mal", "ann"), ("ann", "ann")):
            both = self.put("both.pub", self.read(first + ".pub") + self.read(second + ".pub"))
            self.assertIn("more than one key", self.refused("key-unusable", both))
        self.put("both", self.read("ann") + self.read("mal"))
        os.chmod(self.path("both"), 0o600)
        done = self.gate("policy", "sign", "--key", self.path("both"), self.desk)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(b"more than one private key", done.stderr)

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
        """An older version of a policy is still accepted with its own signatures, since a signature has no date
        (docs/security.md)."""
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
        self.put("desk.yaml.sig", right[:-137])  # without its second line, the file has one signature
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
        # the other two would suffice, but nobody would notice that a key file was removed
        os.remove(self.public["eve"])
        self.refused("key-unusable", "ann", "ben", "eve", need=2)

    def test_one_signature_as_it_always_was(self):
        """A file with one signature has the same form as one with several."""
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
        self.assertEqual(done.returncode, 0, done.stdout)  # lint can be used before a policy is signed

    def test_usage(self):
        ann, ben = self.public["ann"], self.public["ben"]
        for args in (["policy", "verify", "--key", ann, "--need", "2", self.desk],
                     ["policy", "verify", "--key", ann, "--key", ben, "--need", "3", self.desk],
                     ["policy", "verify", "--key", ann, "--need", "0", self.desk],
                     ["policy", "verify", "--key", ann, "--need", "-1", self.desk],
                     ["policy", "sign", "--key", self.key["ann"], "--need", "1", self.desk],
                     ["policy", "sign", "--key", self.key["ann"], "--list", self.desk, self.desk],
                     ["policy", "sign", "--key", self.key["ann"], "--list"],
                     ["check", "--need-signatures", "1"],
                     ["check", "--need-signatures", "2", "--require-signature", ann],
                     ["check", "--need-signatures", "0", "--require-signature", ann]):
            self.assertEqual(self.gate(*args).returncode, 2, args)


class Lists(Keys):
    def setUp(self):
        super().setUp()
        self.key["ops"], self.public["ops"] = self.keys("ops")
        self.put_list("barred.txt", "GME\n")
        self.put_list("hard.txt", "AMC\n")
        self.desk = self.put("desk.yaml", LISTED)
        for name in ("ann", "ben"):
            self.sign(self.key[name], self.desk)

    def put_list(self, name, text, key="ops"):
        path = self.put(name, text)
        if key:
            self.assertEqual(self.sign(self.key[key], "--list", path), path + ".sig")
        return path

    def verdict(self, symbol):
        done = self.gate("check", "--at", AT, "-p", self.desk, "--require-signature", self.public["ann"],
                         data=line(symbol=symbol))
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)["verdict"]

    def test_it_changes_under_its_own_key(self):
        self.assertEqual((self.verdict("GME"), self.verdict("AAPL")), ("refuse", "accept"))
        first = self.gate("policy", "verify", "--key", self.public["ann"], self.desk).stdout
        self.assertEqual(self.verdict("TSLA"), "accept")
        self.put_list("barred.txt", "GME\nTSLA\n")
        self.taken("ann", "ben", "eve", need=2)
        self.assertEqual((self.verdict("GME"), self.verdict("TSLA"), self.verdict("AAPL")),
                         ("refuse", "refuse", "accept"))
        second = self.gate("policy", "verify", "--key", self.public["ann"], self.desk).stdout
        self.assertNotEqual(first, second)  # the digest in a decision covers the list's words

    def test_a_list_without_a_key_is_signed_with_the_policy(self):
        self.put("desk.yaml", LISTED.replace("hard.txt, key: ops.pub", "hard.txt"))
        self.sign(self.key["ann"], self.desk)
        self.taken("ann")
        self.put_list("barred.txt", "GME\nTSLA\n")
        self.taken("ann")
        self.put_list("hard.txt", "TSLA\n")
        self.refused("signature-of-another", "ann")

    def unsigned(self, words, *more):
        """Assert that a policy whose list is not signed is an error in every command that loads it, whether signatures
        are demanded or not."""
        for args in (["check", "--at", AT, "-p", self.desk], ["policy", "show", self.desk],
                     ["check", "--at", AT, "-p", self.desk, "--require-signature", self.public["ann"]],
                     ["policy", "verify", "--key", self.public["ann"], self.desk],
                     ["policy", "sign", "--key", self.key["ann"], self.desk], *more):
            done = self.gate(*args, data=line())
            self.assertEqual((done.returncode, done.stdout), (3, b""), (args, done))
            said = done.stderr.decode()
            self.assertIn("[list-unsigned]", said)
            self.assertIn("desk.yaml:5:35: error: ", said)
            self.assertIn(words, said)

    def test_it_does_not_change_without(self):
        self.put_list("barred.txt", "NOBODY\n", key=None)
        self.unsigned("it signs list:barred.txt@sha256:")
        self.put_list("barred.txt", "NOBODY\n", key="mal")
        self.unsigned("none of its signatures was made with the key")
        self.put_list("barred.txt", "NOBODY\n", key="ann")  # the policy's signers are not the list's
        self.unsigned("none of its signatures was made with the key")
        os.remove(self.path("barred.txt.sig"))
        self.unsigned("barred.txt.sig': it does not exist")
        self.put("barred.txt.sig", self.read("desk.yaml.sig"))
        self.unsigned("it signs desk@sha256:")
        self.put("barred.txt.sig", "")
        self.unsigned("it is not a signature")
        self.put("barred.txt.sig", "x" * (1 << 20))
        self.unsigned("too long to be a signature")
        self.put_list("barred.txt", "GME\n")
        self.taken("ann")

    def test_lists_of_one_key_are_not_swapped(self):
        for end in ("", ".sig"):
            barred, hard = self.read("barred.txt" + end), self.read("hard.txt" + end)
            self.put("barred.txt" + end, hard)
            self.put("hard.txt" + end, barred)
        self.unsigned("it signs list:hard.txt@sha256:")

    def test_another_key_is_another_policy(self):
        """A policy's signature covers the key of its list: if the key is replaced or removed, the signature is no
        longer valid."""
        ours = self.read("ops.pub")
        self.put("ops.pub", self.read("mal.pub"))
        for name in ("barred.txt", "hard.txt"):
            self.put_list(name, "NOBODY\n", key="mal")
        self.refused("signature-of-another", "ann")
        self.put("ops.pub", ours.replace("\n", "\r\n"))  # the same key
        self.put_list("barred.txt", "GME\n")
        self.put_list("hard.txt", "AMC\n")
        self.taken("ann")
        for change in (("barred.txt, key: ops.pub", "barred.txt"), ("file: barred.txt", "file: hard.txt"),
                       ("{file: barred.txt, key: ops.pub}", "[GME]")):
            self.put("desk.yaml", LISTED.replace(*change))
            self.refused("signature-of-another", "ann")
        self.put("desk.yaml", LISTED)
        self.taken("ann")

    def test_the_signature_of_a_list_is_none_of_a_policy(self):
        self.put("desk.yaml.sig", self.read("barred.txt.sig"))
        self.refused("signature-of-another", "ops")

    def test_an_older_list_is_still_signed(self):
        """An older version of a list is still accepted with its signature (docs/security.md, which says how a rule
        can demand today's list)."""
        old = self.read("barred.txt"), self.read("barred.txt.sig")
        self.put_list("barred.txt", "GME\nAAPL\n")
        self.put("barred.txt", old[0])
        self.put("barred.txt.sig", old[1])
        self.taken("ann")

    def test_a_lock_holds_the_words_and_the_key(self):
        """A layer above a lock can change neither the words of a locked list nor its key."""
        firm = LISTED.replace("name: desk", "name: firm").replace("message: barred}", "message: barred, lock: true}")
        self.put("firm.yaml", firm)
        for words, code in (("[GME]", 0), ("[NOBODY]", 3), ("{file: hard.txt}", 3)):
            top = self.put("top.yaml", f"ordergate: 1\nextends: [firm.yaml]\nlists: {{barred: {words}}}\n")
            done = self.gate("check", "--at", AT, "-p", top, data=line())
            self.assertEqual(done.returncode, code, done.stderr)
            if code:
                self.assertIn(b"a locked rule names it", done.stderr)
        self.put("top.yaml", "ordergate: 1\nextends: [firm.yaml]\nlists: {barred: [GME]}\n")
        self.sign(self.key["ann"], self.path("top.yaml"))
        self.put_list("barred.txt", "GME\nTSLA\n")
        done = self.gate("check", "--at", AT, "-p", self.path("top.yaml"), data=line())
        self.assertEqual(done.returncode, 3, done.stderr)

    def test_what_is_written_wrongly(self):
        for said, words in (("{file: barred.txt, key: }", "wrong-type"),
                            ("{file: barred.txt, key: [ops.pub]}", "wrong-type"),
                            ("{key: ops.pub}", "wrong-type"), ("{file: barred.txt, keys: ops.pub}", "wrong-type"),
                            ("{file: barred.txt, key: ops.pub, need: 1}", "wrong-type"),
                            ("{file: barred.txt, key: none.pub}", "list-unsigned"),
                            ("{file: barred.txt, key: ops}", "list-unsigned"),
                            ("{file: 'a b.txt', key: ops.pub}", "list-unsigned")):
            self.put("a b.txt", "GME\n")
            self.put("desk.yaml", LISTED.replace("{file: barred.txt, key: ops.pub}", said))
            done = self.gate("check", "-p", self.desk, data=line())
            self.assertEqual(done.returncode, 3, said)
            self.assertIn(f"[{words}]", done.stderr.decode(), said)
        done = self.gate("policy", "sign", "--key", self.key["ops"], "--list", self.path("a b.txt"))
        self.assertEqual(done.returncode, 3, done)
        self.assertIn(b"cannot be signed", done.stderr)
        done = self.gate("policy", "sign", "--key", self.key["ops"], "--list", self.path("none.txt"))
        self.assertEqual(done.returncode, 3, done)


if __name__ == "__main__":
    unittest.main()
