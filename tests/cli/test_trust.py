"""Signed policies, and policies reloaded by a running check: with real keys, files and signals.

OG_BIN names the folder of the programs (CTest sets it).
"""
import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

BIN = os.environ["OG_BIN"]
GATE = os.path.join(BIN, "ordergate")
ORDER = {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
         "orderQuantity": 10, "timeInForce": "Day", "limitPrice": 190.5, "clientOrderId": "a1",
         "route": "SMART"}
AT = "2026-01-15T15:00:00Z"


def line(**changes):
    return (json.dumps({**ORDER, **changes}) + "\n").encode()


def policy(shares, *extends, name="desk"):
    return (f"ordergate: 1\nname: {name}\nextends: [{', '.join(extends or ['default'])}]\n"
            f"rules:\n  order-quantity-limit: {{level: refuse, shares: {shares}}}\n")


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = folder.name

    def path(self, name):
        return os.path.join(self.dir, name)

    def put(self, name, text):
        """Replace the file by renaming a new one over it, as deployment tools do."""
        with open(self.path(name) + ".new", "w") as f:
            f.write(text)
        os.chmod(self.path(name) + ".new", 0o644)
        os.rename(self.path(name) + ".new", self.path(name))
        return self.path(name)

    def read(self, name):
        with open(self.path(name)) as f:
            return f.read()

    def keys(self, name="key", kind="ed25519"):
        private, public = self.path(name), self.path(name + ".pub")
        more = ["-pkeyopt", "rsa_keygen_bits:2048"] if kind == "rsa" else []
        subprocess.run(["openssl", "genpkey", "-algorithm", kind, "-out", private] + more, check=True,
                       capture_output=True)
        subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True)
        return private, public

    def gate(self, *args, data=b"", **more):
        return subprocess.run([GATE, *args], input=data, capture_output=True, timeout=600, **more)

    def sign(self, key, *names):
        done = self.gate("policy", "sign", "--key", key, *names)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode().strip()


class Signing(Files):
    def setUp(self):
        super().setUp()
        self.private, self.public = self.keys()
        self.base = self.put("base.yaml", policy(100, name="base"))
        self.desk = self.put("desk.yaml", "ordergate: 1\nname: desk\nextends: [base.yaml]\n")

    def refused(self, code, *args, key=None):
        """Assert that verify rejects the policy, and that check does before it reads any order."""
        for command in (["policy", "verify", "--key", key or self.public, *(args or [self.desk])],
                        ["check", "--at", AT, "--require-signature", key or self.public] +
                        [x for name in (args or [self.desk]) for x in ("-p", name)]):
            done = self.gate(*command, data=line())
            self.assertEqual(done.returncode, 3, (command, done))
            self.assertEqual(done.stdout, b"", command)
            self.assertIn(f"[{code}]", done.stderr.decode(), command)

    def test_what_was_signed_is_used(self):
        self.assertEqual(self.sign(self.private, self.desk), self.desk + ".sig")
        done = self.gate("policy", "verify", "--key", self.public, self.desk)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        digest = done.stdout.decode().strip()
        done = self.gate("check", "--at", AT, "-p", self.desk, "--require-signature", self.public, data=line())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["policy"], digest)

    def test_openssl_agrees(self):
        """openssl verifies a signature: the signed text is the first two lines, and the key file has the format of
        openssl."""
        self.sign(self.private, self.desk)
        text = self.read("desk.yaml.sig")
        found = re.fullmatch(r"(ordergate policy signature 1\ndesk@sha256:[0-9a-f]{64}\n)ed25519:([0-9a-f]{128})\n",
                             text)
        self.assertTrue(found, text)
        self.put("signed", found[1])
        with open(self.path("raw"), "wb") as f:
            f.write(bytes.fromhex(found[2]))
        subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", self.public, "-rawin", "-in",
                        self.path("signed"), "-sigfile", self.path("raw")], check=True, capture_output=True)

    def test_a_changed_policy_or_base_is_seen(self):
        self.sign(self.private, self.desk)
        self.put("base.yaml", policy(1000, name="base"))
        self.refused("signature-of-another")
        self.sign(self.private, self.desk)
        self.put("desk.yaml", policy(7, "base.yaml"))
        self.refused("signature-of-another")

    def test_words_that_change_nothing_need_no_new_signature(self):
        self.sign(self.private, self.desk)
        self.put("base.yaml", "# reviewed\n" + policy(100, name="base"))
        self.assertEqual(self.gate("policy", "verify", "--key", self.public, self.desk).returncode, 0)

    def verdict(self, *keys):
        """Run verify and check, which must find the same fault. Returns the fault, or None."""
        found = set()
        for args in (["policy", "verify", *[x for key in keys for x in ("--key", key)], self.desk],
                     ["check", "--at", AT, "-p", self.desk,
                      *[x for key in keys for x in ("--require-signature", key)]]):
            done = self.gate(*args, data=line())
            self.assertIn(done.returncode, (0, 3), done.stderr)
            found.add(None if done.returncode == 0 else re.search(r"\[([a-z-]+)\]\n$", done.stderr.decode())[1])
        self.assertEqual(len(found), 1, found)
        return found.pop()

    def test_every_key_that_is_named_must_have_signed(self):
        """If several keys are demanded in different places, each must have signed, whatever the order: naming one
        key cannot cancel the demand for another."""
        mine, mine_public = self.keys("mine")
        third, third_public = self.keys("third")
        self.sign(mine, self.desk)
        self.assertIsNone(self.verdict(mine_public))
        for keys in ((self.public, mine_public), (mine_public, self.public), (mine_public, mine_public, self.public)):
            self.assertEqual(self.verdict(*keys), "signature-wrong", keys)
        self.sign(self.private, self.desk)  # beside the other's
        self.assertEqual(self.read("desk.yaml.sig").count("ed25519:"), 2)
        for keys in ((self.public, mine_public), (mine_public, self.public), (mine_public,), (self.public,)):
            self.assertIsNone(self.verdict(*keys), keys)
        self.assertEqual(self.verdict(mine_public, self.public, third_public), "signature-wrong")
        self.assertEqual(self.verdict(mine_public, self.path("nobody.pub")), "key-unusable")
        self.sign(mine, self.desk)  # again is the same
        self.assertEqual(self.read("desk.yaml.sig").count("ed25519:"), 2)
        self.put("desk.yaml", policy(7, "base.yaml"))
        self.sign(third, self.desk)  # of another text: the signatures before it are no longer valid
        self.assertEqual(self.read("desk.yaml.sig").count("ed25519:"), 1)
        self.assertEqual(self.verdict(third_public, self.public), "signature-wrong")

    def test_another_key_and_a_changed_signature(self):
        self.refused("signature-missing")
        self.sign(self.private, self.desk)
        _, other = self.keys("other")
        self.refused("signature-wrong", key=other)
        text = self.read("desk.yaml.sig")
        self.put("desk.yaml.sig", text[:-2] + ("0" if text[-2] != "0" else "1") + "\n")
        self.refused("signature-wrong")
        for broken in ("", text[:-1], text + "\n", text.replace("signature 1", "signature 2"), text.upper()):
            self.put("desk.yaml.sig", broken)
            self.refused("signature-unreadable")

    def test_keys_that_cannot_be_used(self):
        self.sign(self.private, self.desk)
        self.refused("key-unusable", key=self.path("none"))
        self.refused("key-unusable", key=self.private)
        rsa, rsa_public = self.keys("rsa", "rsa")
        self.refused("key-unusable", key=rsa_public)
        os.chmod(self.public, 0o646)
        self.refused("key-unusable")
        for key in (rsa, self.public, self.path("none")):
            os.chmod(key, 0o600) if os.path.exists(key) else None
            done = self.gate("policy", "sign", "--key", key, self.desk)
            self.assertEqual((done.returncode, done.stdout), (3, b""))
        os.chmod(self.private, 0o640)
        done = self.gate("policy", "sign", "--key", self.private, self.desk)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"chmod 600", done.stderr)

    def test_a_key_with_a_passphrase_is_refused_and_nobody_is_asked(self):
        locked = self.path("locked")
        subprocess.run(["openssl", "pkey", "-in", self.private, "-aes256", "-passout", "pass:x", "-out", locked],
                       check=True)
        os.chmod(locked, 0o600)
        done = self.gate("policy", "sign", "--key", locked, self.desk, start_new_session=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"without a passphrase", done.stderr)

    def test_shipped_policies_have_no_signature(self):
        self.refused("signature-missing", "live")
        done = self.gate("policy", "sign", "--key", self.private, "live")
        self.assertEqual(done.returncode, 2)

    def test_several_over_one_another_are_signed_as_one(self):
        path = self.sign(self.private, "live", self.base, self.desk)
        self.assertEqual(path, self.desk + ".sig")
        self.assertEqual(self.gate("policy", "verify", "--key", self.public, "live", self.base, self.desk).returncode,
                         0)
        self.refused("signature-of-another")

    def test_faults_have_places(self):
        self.sign(self.private, self.desk)
        self.put("base.yaml", policy(100, name="base") + "  rout: warn\n")
        done = self.gate("check", "-p", self.desk, "--require-signature", self.public)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr.decode().count("base.yaml:6:3: error: there is no rule"), 1, done.stderr)

    def test_usage(self):
        for args in (["sign", self.desk], ["sign", "--key", self.private], ["verify", self.desk], ["verify", "-o", "x"],
                     ["sign", "--nothing"]):
            self.assertEqual(self.gate("policy", *args).returncode, 2, args)
        for verb in ("sign", "verify"):
            self.assertEqual(self.gate("policy", verb, "--help").returncode, 0)
        with open("/dev/full", "w") as full:
            done = subprocess.run([GATE, "policy", "sign", "--key", self.private, self.desk], stdout=full,
                                  stderr=subprocess.PIPE, timeout=600)
            self.assertEqual(done.returncode, 4)


class Reloading(Files):
    def start(self, *args):
        self.words = open(self.path("words"), "w+")
        self.addCleanup(self.words.close)
        self.check = subprocess.Popen([GATE, "check", "--at", AT, "--independent", *args], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=self.words)
        self.addCleanup(self.check.stdout.close)
        self.addCleanup(self.check.kill)

    def ask(self, quantity=50):
        self.check.stdin.write(line(orderQuantity=quantity))
        self.check.stdin.flush()
        return json.loads(self.check.stdout.readline())

    def end(self):
        self.check.stdin.close()
        code = self.check.wait(timeout=600)
        self.words.seek(0)
        return code, self.words.read()

    def reload(self):
        self.check.send_signal(signal.SIGHUP)

    def test_a_hangup_reads_it_again(self):
        desk = self.put("desk.yaml", policy(100))
        self.start("-p", desk)
        first = self.ask()
        self.assertEqual(first["verdict"], "accept")
        self.put("desk.yaml", policy(10))
        self.reload()
        second = self.ask()
        self.assertEqual(second["verdict"], "refuse")
        self.put("desk.yaml", policy(100))
        self.reload()
        self.assertEqual(self.ask()["policy"], first["policy"])
        self.reload()
        self.assertEqual(self.ask()["policy"], first["policy"])
        code, words = self.end()
        self.assertEqual(code, 1)
        self.assertIn(f"policy {second['policy']} is in force, in the place of {first['policy']}\n", words)
        self.assertIn(f"is the same: {first['policy']}\n", words)

    def until(self, verdict):
        """Send orders until one has the given verdict. Files are checked once a second between two orders, so
        without orders no change is noticed."""
        until = time.monotonic() + 30
        while (d := self.ask())["verdict"] != verdict:
            self.assertLess(time.monotonic(), until, d)

    def test_a_changed_file_is_seen(self):
        self.put("base.yaml", policy(100, name="base"))
        self.start("-p", self.put("desk.yaml", "ordergate: 1\nextends: [base.yaml]\n"))
        self.until("accept")
        self.put("base.yaml", policy(10, name="base"))
        self.until("refuse")
        with open(self.path("base.yaml"), "w") as f:  # written in place
            f.write(policy(100, name="base"))
        self.until("accept")
        self.assertEqual(self.end()[0], 1)

    def test_a_list_of_words_is_one_of_its_files(self):
        self.put("words.txt", "GME\n")
        self.start("-p", self.put("desk.yaml", policy(100) + "lists: {barred: {file: words.txt}}\n"
                                  "custom: [{id: no-barred, require: '!(order.symbol in lists.barred)'}]\n"))
        self.until("accept")
        self.put("words.txt", "GME\nAAPL\n")
        self.until("refuse")
        self.assertEqual(self.end()[0], 1)

    def test_one_that_does_not_load_leaves_the_old(self):
        desk = self.put("desk.yaml", policy(100))
        self.start("-p", desk)
        first = self.ask()
        self.put("desk.yaml", policy(100) + "  rout: warn\n")
        self.reload()
        self.assertEqual(self.ask()["policy"], first["policy"])
        os.remove(desk)
        self.reload()
        self.assertEqual(self.ask()["policy"], first["policy"])
        code, words = self.end()
        self.assertEqual(code, 3)  # the change that was requested is not in force
        self.assertIn("desk.yaml:6:3: error: there is no rule", words)
        self.assertIn("does not exist", words)
        self.assertEqual(words.count(f"policy {first['policy']} stays in force\n"), 2)

    def test_what_is_no_policy_leaves_the_old(self):
        """A file that is not a valid policy does not replace the loaded one. One of the files, with an item over a
        lock, once crashed a running process; the others are similar."""
        most = "rules:\n  order-quantity-limit:\n    "
        self.put("firm.yaml", policy(100).replace("shares: 100}", "shares: 100, lock: true, overrides: "
                                                  "[{match: {symbol: SPY}, shares: 50}]}"))
        over = "ordergate: 1\nextends: [firm.yaml]\n"
        middle = self.put("middle.yaml", over + most + "overrides: [{match: {side: Buy}, shares: 40}]\n")
        desk = self.put("desk.yaml", over + most + "shares: 100\n")
        self.start("-p", desk)
        old = self.ask()
        self.assertEqual(old["verdict"], "accept")
        for text in (over + most + "overrides:\n      -\n", over + most + "overrides: [~]\n",
                     over + most + "overrides: [x]\n",
                     over + most + "overrides: [[], {match: {symbol: A}, shares: 1}, 7]\n",
                     over + most + "overrides: {}\n",
                     over + "rules: [~]\n", over + "custom: [~]\n", over + "lists: {a: [~]}\ncustom: [{}]\n",
                     "[{}]\n", "",
                     over.replace("firm", "middle") + most + "overrides: [{match: {side: Buy}, shares: 45}]\n"):
            self.put("desk.yaml", text)
            self.reload()
            now = self.ask()
            self.assertEqual((now["verdict"], now["policy"]), ("accept", old["policy"]), text)
        self.assertTrue(os.path.exists(middle))
        self.put("desk.yaml", over + most + "shares: 10\n")
        self.until("refuse")
        code, words = self.end()
        self.assertEqual(code, 1)  # the last one could be read
        for word in ("[wrong-type]", "[locked-loosened]", "[key-missing]"):
            self.assertIn(word, words)

    def test_mended_again(self):
        desk = self.put("desk.yaml", policy(100))
        self.start("-p", desk)
        self.ask()
        os.remove(desk)
        self.reload()
        self.assertEqual(self.ask()["verdict"], "accept")
        self.put("desk.yaml", policy(10))
        self.until("refuse")  # the missing file is looked for again
        self.assertEqual(self.end()[0], 1)

    def test_stdin_is_not_read_again(self):
        self.is_not_read_again("-", b"a policy from stdin cannot be read again: give it as a file")

    def test_a_pipe_is_not_read_again(self):
        self.is_not_read_again("/dev/fd/0", b"a policy from a pipe cannot be read again: give it as a file")

    def is_not_read_again(self, name, why):
        orders = self.path("orders")
        os.mkfifo(orders)
        process = subprocess.Popen([GATE, "check", "--at", AT, "-p", name, orders], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        process.stdin.write(policy(100).encode())
        process.stdin.close()
        with open(orders, "wb", buffering=0) as f:
            f.write(line())
            first = json.loads(process.stdout.readline())
            process.send_signal(signal.SIGHUP)
            f.write(line(clientOrderId="a2"))
            self.assertEqual(json.loads(process.stdout.readline())["policy"], first["policy"])
        self.assertEqual(process.wait(timeout=600), 3)
        self.assertIn(why, process.stderr.read())
        process.stdout.close()
        process.stderr.close()

    def test_a_reload_needs_its_signature(self):
        private, public = self.keys()
        desk = self.put("desk.yaml", policy(100))
        self.sign(private, desk)
        self.start("-p", desk, "--require-signature", public)
        first = self.ask()
        self.put("desk.yaml", policy(10))
        self.reload()
        self.assertEqual(self.ask()["policy"], first["policy"])
        self.sign(private, desk)  # the signature comes, which alone counts as a change
        self.until("refuse")
        code, words = self.end()
        self.assertEqual(code, 1)
        self.assertIn("[signature-of-another]", words)


if __name__ == "__main__":
    unittest.main()
