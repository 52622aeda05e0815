"""Files that another user could have written or replaced are not used, whatever they are for.

Each kind of file is used once in its correct state, and then in every state in which another user could have changed
it. Cases that need a second user are skipped with a message, unless root runs the test.
"""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

from paper import PAPER, Paper
from parallel_unittest import main
from sender import RUNNING, resting

BIN = os.environ["OG_BIN"]
OTHER = 54321  # a user id that nobody has
AT = "2026-01-15T15:00:00Z"
ORDER = json.dumps(resting("f1"))
needs_root = unittest.skipUnless(os.geteuid() == 0, "only root can make files of another user")


def run(*command, data="", env=None, **more):
    given = {k: v for k, v in os.environ.items() if not k.startswith(("ORDERGATE_", "XDG_"))}
    given.update(env or {})
    return subprocess.run([os.path.join(BIN, command[0]), *command[1:]], input=data.encode(), capture_output=True,
                          env=given, timeout=600, **more)


def gave_up(done):
    """Assert that the program ended with an error: it did not succeed, crash or wait."""
    return done.returncode in (1, 3, 4)


class Folder(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.dir)
        self.home = self.folder("home")
        self.env = {"HOME": self.home, "XDG_STATE_HOME": os.path.join(self.home, "state")}

    def folder(self, name, mode=0o700):
        path = os.path.join(self.dir, name)
        os.makedirs(path, exist_ok=True)
        os.chmod(path, mode)
        return path

    def put(self, path, text, mode=0o600):
        if not path.startswith("/"):
            path = os.path.join(self.dir, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, mode)
        return path

    def check(self, *args, data=ORDER, **more):
        return run("ordergate", "check", "--at", AT, "--ignore-halt", *args, data=data, env=self.env, **more)


POLICY = "ordergate: 1\nname: mine\nextends: []\nrules: {}\n"
LISTED = ("ordergate: 1\nname: mine\nextends: []\nlists: {names: {file: %s}}\n"
          "custom: [{id: named, require: order.symbol in lists.names}]\n")


def keys_of(case):
    """Returns a signed policy and the public key."""
    policy, key = case.put("signed.yaml", POLICY, 0o644), os.path.join(case.dir, "key")
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, capture_output=True)
    os.chmod(key, 0o600)
    public = case.put("up/at/key.pub", subprocess.run(["openssl", "pkey", "-in", key, "-pubout"], check=True,
                                                      capture_output=True).stdout.decode(), 0o644)
    done = run("ordergate", "policy", "sign", "--key", key, policy, env=case.env)
    case.assertEqual(done.returncode, 0, done.stderr)
    return policy, public


class Kinds(Folder):
    """For each kind of file: the file's path, and how a program is made to use it."""

    def policy(self):
        path = self.put("up/at/mine.yaml", POLICY)
        return path, lambda: self.check("-p", path)

    def base(self):
        path = self.put("up/at/base.yaml", POLICY)
        top = self.put("top.yaml", f"ordergate: 1\nname: top\nextends: [{path}]\n")
        return path, lambda: self.check("-p", top)

    def linted(self):
        path = self.put("up/at/mine.yaml", POLICY)
        return path, lambda: run("ordergate", "lint", path, env=self.env)

    def floor(self):
        path, mine = self.put("up/at/floor.yaml", POLICY), self.put("mine.yaml", POLICY)
        return path, lambda: run("ordergate", "lint", "--floor", path, mine, env=self.env)

    def word_list(self):
        path = self.put("up/at/symbols.txt", "AAPL\n")
        policy = self.put("mine.yaml", LISTED % path)
        return path, lambda: self.check("-p", policy)

    def facts(self):
        path = self.put("up/at/facts.json", json.dumps({"accountId": "PAPER0001"}))
        policy = self.put("mine.yaml", POLICY)
        return path, lambda: self.check("-p", policy, "-f", path)

    def public_key(self):
        policy, path = keys_of(self)
        return path, lambda: self.check("-p", policy, "--require-signature", path)

    def signature(self):
        policy, public = keys_of(self)
        shutil.move(policy, os.path.join(self.dir, "up/at", "signed.yaml"))
        shutil.move(policy + ".sig", os.path.join(self.dir, "up/at", "signed.yaml.sig"))
        shutil.move(public, os.path.join(self.dir, "key.pub"))
        at = os.path.join(self.dir, "up/at", "signed.yaml")
        return at + ".sig", lambda: self.check("-p", at, "--require-signature", os.path.join(self.dir, "key.pub"))

    def _listed(self):
        """Returns a policy that names a list; each of the two files and the key is in a folder of its own."""
        _, public = keys_of(self)
        key = self.put("lists/key.pub", open(public).read(), 0o644)
        path = self.put("up/at/symbols.txt", "AAPL\n", 0o644)
        policy = self.put("mine.yaml", LISTED % f"{path}, key: {key}")
        done = run("ordergate", "policy", "sign", "--key", os.path.join(self.dir, "key"), "--list", path, env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        return policy, path, key

    def list_signature(self):
        policy, path, _ = self._listed()
        return path + ".sig", lambda: self.check("-p", policy)

    def list_key(self):
        policy, path, key = self._listed()
        at = self.put("up/at/key.pub", open(key).read(), 0o644)
        for name in (path, path + ".sig"):
            shutil.move(name, os.path.join(self.dir, "lists"))
        policy = self.put("mine.yaml", LISTED % f"{os.path.join(self.dir, 'lists', 'symbols.txt')}, key: {at}")
        return at, lambda: self.check("-p", policy)

    def cases_of_a_policy(self):
        path = self.put("up/at/mine_test.yaml",
                        f"ordergate-test: 1\nat: {AT}\npolicy: default\norder: {ORDER}\ncases:\n"
                        "- {name: one, expect: {verdict: accept}}\n")
        return path, lambda: run("ordergate", "test", "--list", path, env=self.env)

    def orders_of_cases(self):
        path = self.put("up/at/orders.ndjson", ORDER + "\n")
        cases = self.put("mine_test.yaml", f"ordergate-test: 1\nat: {AT}\npolicy: default\ncases:\n"
                         f"- {{name: one, orders: {path}, expect: accept}}\n")
        return path, lambda: run("ordergate", "test", cases, env=self.env)

    KINDS = ("policy", "base", "linted", "floor", "word_list", "facts", "public_key", "signature", "list_signature",
             "list_key", "cases_of_a_policy", "orders_of_cases")

    def every(self, spoil, word, mend, kinds=KINDS):
        """Make every kind of file unsafe by spoil(path); the program must report the path and this word. mend(path)
        undoes it."""
        for kind in kinds:
            with self.subTest(kind=kind):
                path, use = getattr(self, kind)()
                done = use()
                self.assertIn(done.returncode, (0, 1), done.stderr)
                well = done
                spoil(path)
                try:
                    done = use()
                    said = (done.stdout + done.stderr).decode()
                    self.assertTrue(gave_up(done), (done, path))
                    self.assertIn(word, said)
                    self.assertIn(os.path.basename(path).removesuffix(".sig"), said)
                    self.assertNotIn("verdict", done.stdout.decode())
                finally:
                    mend(path)
                done = use()
                self.assertEqual((done.returncode, done.stdout), (well.returncode, well.stdout), done.stderr)

    def test_written_by_others(self):
        self.every(lambda p: os.chmod(p, 0o646), "may be written by others: chmod o-w", lambda p: os.chmod(p, 0o644))

    def test_written_by_its_group(self):
        self.every(lambda p: os.chmod(p, 0o664), "may be written by its group: chmod g-w", lambda p: os.chmod(p, 0o644))

    def test_in_a_folder_open_to_all(self):
        self.every(lambda p: os.chmod(os.path.dirname(p), 0o777), "/at', which may be written by others",
                   lambda p: os.chmod(os.path.dirname(p), 0o755))

    def test_in_a_folder_of_a_group(self):
        self.every(lambda p: os.chmod(os.path.dirname(p), 0o770), "/at', which may be written by its group",
                   lambda p: os.chmod(os.path.dirname(p), 0o755))

    def test_below_a_folder_open_to_all(self):
        self.every(lambda p: os.chmod(os.path.join(self.dir, "up"), 0o777), "/up', which may be written by others",
                   lambda p: os.chmod(os.path.join(self.dir, "up"), 0o700))

    @needs_root
    def test_owned_by_another(self):
        self.every(lambda p: os.chown(p, OTHER, -1), f"belongs to uid {OTHER}", lambda p: os.chown(p, 0, -1))

    @needs_root
    def test_in_a_folder_of_another(self):
        self.every(lambda p: os.chown(os.path.dirname(p), OTHER, -1), f"/at', which belongs to uid {OTHER}",
                   lambda p: os.chown(os.path.dirname(p), 0, -1))

    @needs_root
    def test_a_link_of_another_in_a_shared_folder(self):
        def spoil(path):
            os.rename(path, path + ".real")
            os.chmod(os.path.dirname(path), 0o1777)
            os.symlink(path + ".real", path)
            os.chown(path, OTHER, -1, follow_symlinks=False)

        def mend(path):
            os.unlink(path)
            os.rename(path + ".real", path)
            os.chmod(os.path.dirname(path), 0o755)
        self.every(spoil, f"belongs to uid {OTHER}: remove it", mend)

    def test_through_a_link_into_a_folder_open_to_all(self):
        def spoil(path):
            there = self.folder("open", 0o777)
            os.rename(path, os.path.join(there, "real"))
            os.symlink(os.path.join(there, "real"), path)

        def mend(path):
            os.rename(os.path.join(self.dir, "open", "real"), path)
        self.every(spoil, "/open', which may be written by others", mend)

    def test_a_fifo_never_blocks(self):
        def spoil(path):
            os.rename(path, path + ".real")
            os.mkfifo(path, 0o600)

        def mend(path):
            os.unlink(path)
            os.rename(path + ".real", path)
        self.every(spoil, "is a FIFO", mend)

    def test_a_device_and_a_folder(self):
        policy = self.put("mine.yaml", POLICY)
        for path, word in (("/dev/null", "is a device"), (self.folder("is.json"), "is a folder")):
            done = self.check("-p", policy, "-f", path)
            self.assertEqual(done.returncode, 3)
            self.assertIn(f"'{path}' {word}", done.stderr.decode())

    def test_links_of_our_own_and_sticky_folders_are_fine(self):
        """Configuration files of a mounted volume are links within a folder, and the folder is a link too: they are
        used."""
        for kind in self.KINDS:
            with self.subTest(kind=kind):
                path, use = getattr(self, kind)()
                well = use()
                there = self.folder("..2026/x")
                real = os.path.join(there, os.path.basename(path))
                os.rename(path, real)
                if os.path.lexists(os.path.join(self.dir, "..data")):
                    os.unlink(os.path.join(self.dir, "..data"))
                os.symlink("..2026", os.path.join(self.dir, "..data"))
                os.symlink("../../..data/x/../x/./" + os.path.basename(path), path)
                os.chmod(os.path.dirname(path), 0o1777)
                done = use()
                self.assertEqual((done.returncode, done.stdout), (well.returncode, well.stdout), done.stderr)
                os.rename(real, path)

    def test_links_that_go_round(self):
        policy = self.put("mine.yaml", POLICY)
        os.symlink("b.json", os.path.join(self.dir, "a.json"))
        os.symlink("a.json", os.path.join(self.dir, "b.json"))
        done = self.check("-p", policy, "-f", os.path.join(self.dir, "a.json"))
        self.assertEqual(done.returncode, 3)
        self.assertIn("symbolic links", done.stderr.decode())

    def test_relative_paths(self):
        self.put("up/at/mine.yaml", POLICY)
        self.put("up/at/facts.json", json.dumps({"accountId": "PAPER0001"}))
        at = os.path.join(self.dir, "up/at")
        for words in (("-p", "mine.yaml", "-f", "facts.json"), ("-p", "../at/./mine.yaml", "-f", "..//at/facts.json")):
            self.assertEqual(self.check(*words, cwd=at).returncode, 0)
        os.chmod(self.dir, 0o777)
        for words in (("-p", "./mine.yaml"), ("-p", "default", "-f", "facts.json")):
            done = self.check(*words, cwd=at)
            self.assertEqual(done.returncode, 3)
            self.assertIn(f"'{self.dir}', which may be written by others", done.stderr.decode())

    def test_what_the_caller_opened(self):
        """Process substitution, a pipe on stdin, or a file on stdin is used, because whoever starts the program chose
        it."""
        policy = self.put("mine.yaml", POLICY)
        facts = self.put("facts.json", json.dumps({"accountId": "PAPER0001"}))
        gate = os.path.join(BIN, "ordergate")
        for words in (f"{gate} check --ignore-halt -p <(cat {policy}) -f <(cat {facts})",
                      f"{gate} check --ignore-halt -p {policy} -f - {self.put('o', ORDER)} <{facts}",
                      f"{gate} check --ignore-halt -p - {self.put('o', ORDER)} < <(cat {policy})",
                      f"{gate} check --ignore-halt -p /dev/stdin {self.put('o', ORDER)} <{policy}",
                      f"exec 7<{facts}; {gate} check --ignore-halt -p {policy} -f /proc/self/fd/7"):
            done = subprocess.run(["bash", "-c", words], input=ORDER.encode(), capture_output=True,
                                  env={**os.environ, **self.env}, timeout=600)
            self.assertEqual(done.returncode, 0, (words, done.stderr))
            self.assertEqual(json.loads(done.stdout)["verdict"], "accept", words)
        os.chmod(policy, 0o666)
        done = subprocess.run(["bash", "-c",
                               f"{gate} check --ignore-halt -p /dev/stdin {self.put('o', ORDER)} <{policy}"],
                              capture_output=True, env={**os.environ, **self.env}, timeout=600)
        self.assertEqual(done.returncode, 3, "a regular file on stdin is looked at as any other")
        self.assertIn(b"may be written by others", done.stderr)

    @needs_root
    def test_another_user_uses_files_of_root_and_his_own(self):
        os.chmod(self.dir, 0o755)
        roots, own = self.put("roots.yaml", POLICY, 0o644), self.put("own.yaml", POLICY)
        os.chown(own, OTHER, -1)
        self.put("up/at/x", "")
        os.chmod(os.path.join(self.dir, "up/at"), 0o755)
        third = self.put("up/at/third.yaml", POLICY, 0o644)
        os.chown(third, OTHER + 1, -1)
        env = {**self.env, "XDG_STATE_HOME": "/nowhere"}
        for path, code in ((roots, 0), (own, 0), (third, 3)):
            done = run("ordergate", "check", "--ignore-halt", "-p", path, data=ORDER, env=env, user=OTHER, group=OTHER)
            self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(f"belongs to uid {OTHER + 1}, allowed are root and you (uid {OTHER})", done.stderr.decode())

    def test_mended_while_it_runs(self):
        """While the policy's file is writable for others, the policy loaded before stays in force. Once the file is
        mended, it is loaded again."""
        policy = self.put("up/at/mine.yaml", POLICY)
        p = subprocess.Popen([os.path.join(BIN, "ordergate"), "check", "--ignore-halt", "--at", AT, "-p", policy],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env={**os.environ, **self.env})

        def digest(number):
            p.stdin.write((ORDER.replace("f1", f"f{number}") + "\n").encode())
            p.stdin.flush()
            return json.loads(p.stdout.readline())["policy"]

        with p:
            first = digest(0)
            self.put("up/at/mine.yaml", POLICY.replace("{}", "{route: warn}"), 0o646)
            p.send_signal(signal.SIGHUP)
            self.assertEqual(digest(1), first)
            self.assertIn(b"may be written by others", p.stderr.readline())
            os.chmod(policy, 0o600)
            p.send_signal(signal.SIGHUP)
            self.assertNotEqual(digest(2), first)
            p.stdin.close()


class Sender(Folder):
    """The files of ordergate send: an unsafe file is reported before the broker is asked anything."""

    def setUp(self):
        super().setUp()
        self.broker = self.put("at/broker.yaml", "base_url: http://127.0.0.1:%d\nkey_id: paper-key\n"
                               "secret_key_file: secret\nclock: broker\n")
        self.secret = self.put("at/secret", PAPER[1])
        self.ledger = os.path.join(self.dir, "at", "ledger.db")

    def send(self, url, *args, data=""):
        self.put("at/broker.yaml", f"base_url: {url}\nkey_id: {PAPER[0]}\nsecret_key_file: secret\nclock: broker\n")
        return self.again(*args, data=data)

    def again(self, *args, data=""):
        return run("ordergate-send", "--broker", self.broker, *(args or ("--ledger", self.ledger)), data=data,
                   env=self.env)

    def spoilt(self, url, path, *args):
        """Assert that the broker file, the secret, the quotes and the ledger are rejected in every unsafe state.
        Nothing listens at url, because they must be rejected before the broker is asked."""
        states = [("o", lambda: os.chmod(path, 0o602), lambda: os.chmod(path, 0o600)),
                  ("g", lambda: os.chmod(path, 0o620), lambda: os.chmod(path, 0o600)),
                  ("folder", lambda: os.chmod(os.path.dirname(path), 0o777),
                   lambda: os.chmod(os.path.dirname(path), 0o700)),
                  ("above", lambda: os.chmod(self.dir, 0o773), lambda: os.chmod(self.dir, 0o700))]
        if os.geteuid() == 0:
            states += [("owner", lambda: os.chown(path, OTHER, -1), lambda: os.chown(path, 0, -1)),
                       ("owner above", lambda: os.chown(self.dir, OTHER, -1), lambda: os.chown(self.dir, 0, -1))]
        for name, spoil, mend in states:
            with self.subTest(state=name, path=path):
                spoil()
                done = self.again(*args)
                mend()
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertTrue(any(w in done.stderr for w in (b"may be written by", b"belongs to", b"chmod 600")),
                                done.stderr)

    def test_broker_file_secret_quotes_ledger(self):
        quotes = self.put("at/quotes.ndjson", "")
        args = ("--quotes", quotes, "--ledger", self.ledger)
        with Paper(clock=RUNNING) as p:
            self.assertEqual(self.send(p.url, *args).returncode, 0)
            for path in (self.broker, self.secret, quotes, self.ledger):
                self.spoilt(p.url, path, *args)
            for end in ("-wal", "-shm", "-runs"):
                beside = self.ledger + end
                self.put(beside, "") if not os.path.exists(beside) else None
                os.chmod(beside, 0o666)
                done = self.again(*args)
                os.unlink(beside)
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertIn(b"may be written by others", done.stderr)
            self.assertEqual(self.again(*args).returncode, 0)

    def test_a_fifo_for_a_broker_file_secret_and_ledger(self):
        with Paper(clock=RUNNING) as p:
            self.assertEqual(self.send(p.url).returncode, 0)
            for path in (self.broker, self.secret, self.ledger):
                os.rename(path, path + ".real")
                os.mkfifo(path, 0o600)
                done = self.again()
                os.unlink(path)
                os.rename(path + ".real", path)
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertIn(b"is a FIFO", done.stderr)

    def test_certificates_that_others_may_write(self):
        ca = self.put("at/ca.pem", "")
        with Paper(clock=RUNNING) as p:
            self.put("at/broker.yaml",
                     f"base_url: {p.url}\nkey_id: {PAPER[0]}\nsecret_key_file: secret\nca_file: ca.pem\n")
            os.chmod(ca, 0o666)
            done = self.again()
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn(b"ca.pem' may be written by others", done.stderr)

    def test_looking_at_a_ledger_that_others_may_write(self):
        with Paper(clock=RUNNING) as p:
            self.assertEqual(self.send(p.url).returncode, 0)
        look = ("ordergate-ledger", "--ledger", self.ledger, "list")
        self.assertEqual(run(*look, env=self.env).returncode, 0)
        os.chmod(self.ledger, 0o606)
        done = run(*look, env=self.env)
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"may be written by others", done.stderr)


@unittest.skipUnless(os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK), "there is no tmpfs to write to")
class Vanishing(Folder):
    """A ledger on tmpfs is lost at a restart of the machine: a warning, and an error if orders would outlive the
    ledger."""

    def setUp(self):
        super().setUp()
        self.shm = tempfile.mkdtemp(dir="/dev/shm")
        self.addCleanup(shutil.rmtree, self.shm)
        self.secret = self.put("secret", PAPER[1])

    def send(self, url, more, *args, data=""):
        broker = self.put("broker.yaml", f"base_url: {url}\nkey_id: {PAPER[0]}\nsecret_key_file: secret\n{more}")
        return run("ordergate-send", "--broker", broker, *args, data=data, env=self.env)

    def test_on_this_machine_it_is_a_word(self):
        with Paper(clock=RUNNING) as p:
            done = self.send(p.url, "clock: broker\n", "--ledger", self.shm + "/l.db", data=ORDER)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(b"/l.db' is on tmpfs, whose files may be lost", done.stderr)
            for args in (("--ledger", self.shm + "/l.db", "--ledger-may-vanish"), ("--ledger", self.dir + "/l.db")):
                if subprocess.run(["stat", "-f", "-c", "%T", self.dir], capture_output=True).stdout.split()[0] not in (
                        b"tmpfs", b"overlayfs") or "--ledger-may-vanish" in args:
                    done = self.send(p.url, "clock: broker\n", *args)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertNotIn(b"whose files may be lost", done.stderr)

    def test_live_on_another_machine_it_is_an_error(self):
        live, url = "environment: live\n", "https://broker.invalid"
        policy = ("-p", "live")
        refused = b"--ledger-may-vanish"
        done = self.send(url, live, *policy, "--ledger", self.shm + "/l.db")
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"is on tmpfs, whose files are lost", done.stderr)
        self.env["XDG_STATE_HOME"] = self.shm + "/state"
        done = self.send(url, live, *policy)
        self.assertEqual(done.returncode, 4)
        self.assertIn(refused, done.stderr, "the ledger where it is by default, too")
        link = os.path.join(self.dir, "l.db")
        os.symlink(self.shm + "/l.db", link)
        self.assertIn(refused, self.send(url, live, *policy, "--ledger", link).stderr, "and where a link leads there")
        for more, args in ((live, ("--ledger-may-vanish",)), ("environment: paper\n", ())):
            done = self.send(url, more, *policy, "--timeout", "1s", "--wait", "1s", *args)
            self.assertEqual(done.returncode, 4, "the broker is not there")
            self.assertNotIn(b"--ledger-may-vanish", done.stderr)


class State(Folder):
    """The state folder, and the halt flag in it."""

    def setUp(self):
        super().setUp()
        self.state = os.path.join(self.home, "state", "ordergate")
        self.policy = self.put("mine.yaml", "ordergate: 1\nname: mine\nextends: []\nrules: {}\n")

    def halt(self):
        return run("ordergate-halt", "--reason", "x", env=self.env)

    def reason(self):
        """Returns the rule by which `ordergate check`, which reads the flag itself, refuses a valid order; None if it
        accepts it."""
        done = run("ordergate", "check", "-p", self.policy, data=ORDER, env=self.env)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        findings = json.loads(done.stdout)["findings"]
        return next((f["rule"] for f in findings if f["level"] == "refuse"), None)

    def test_a_state_folder_is_ours_and_closed(self):
        done = self.halt()
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(os.stat(self.state).st_mode & 0o777, 0o700)
        os.chmod(self.state, 0o755)
        self.halt()
        self.assertEqual(os.stat(self.state).st_mode & 0o777, 0o700, "others could only look: it is closed")
        for mode in (0o777, 0o770, 0o1777):
            os.chmod(self.state, mode)
            done = self.halt()
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn(b"may be written by", done.stderr)
        os.chmod(self.state, 0o700)

    @needs_root
    def test_a_state_folder_of_another(self):
        self.halt()
        os.chown(self.state, OTHER, -1)
        done = self.halt()
        self.assertEqual(done.returncode, 4)
        self.assertIn(f"belongs to uid {OTHER}".encode(), done.stderr)

    def test_a_flag_removed_from_an_open_folder_halts(self):
        self.halt()
        self.assertEqual(self.reason(), "trading")
        flag = os.path.join(self.state, "halt.json")
        os.unlink(flag)
        self.assertIsNone(self.reason())
        for folder, was in ((self.state, 0o700), (os.path.dirname(self.state), 0o700), (self.home, 0o700)):
            os.chmod(folder, 0o777)
            self.assertEqual(self.reason(), "trading", "one of those who may write there may have removed the flag")
            os.chmod(folder, was)
            self.assertIsNone(self.reason())

    def test_a_flag_that_others_could_have_written(self):
        self.halt()
        flag = os.path.join(self.state, "halt.json")
        for text, mode in (('{"trading":"on"}', 0o606), ('{"trading":"on"}', 0o620), ("{", 0o600)):
            self.put(flag, text, mode)
            self.assertEqual(self.reason(), "trading")
        self.put(flag, '{"trading":"on"}')
        self.assertIsNone(self.reason())
        os.unlink(flag)
        os.mkfifo(flag, 0o600)
        self.assertEqual(self.reason(), "trading")
        if os.geteuid() == 0:
            os.unlink(flag)
            self.put(flag, '{"trading":"on"}')
            os.chown(flag, OTHER, -1)
            self.assertEqual(self.reason(), "trading")


class Fifo(Folder):
    def test_a_fifo_as_a_list_of_a_running_sender(self):
        """The list is replaced by a FIFO that nobody writes to: the sender goes on, and still ends when its input
        ends."""
        names = self.put("at/symbols.txt", "AAPL\n")
        policy = self.put("mine.yaml", LISTED % names)
        env = {**os.environ, **self.env, "ORDERGATE_KEY_ID": PAPER[0], "ORDERGATE_SECRET_KEY": PAPER[1]}
        with Paper(clock=RUNNING) as p:
            s = subprocess.Popen([os.path.join(BIN, "ordergate-send"), "-p", policy], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE,
                                 env={**env, "ORDERGATE_BASE_URL": p.url, "ORDERGATE_CLOCK": "broker"})
            with s:
                s.stdin.write((json.dumps(resting("r1")) + "\n").encode())
                s.stdin.flush()
                while json.loads(s.stdout.readline())["event"] != "outcome":
                    continue
                os.unlink(names)
                os.mkfifo(names, 0o600)
                s.send_signal(signal.SIGHUP)
                said = b""
                while b"FIFO" not in said:
                    said = s.stderr.readline()
                    self.assertTrue(said, "it ended")
                s.stdin.write((json.dumps(resting("r2")) + "\n").encode())
                s.stdin.close()
                events = [json.loads(line) for line in s.stdout]
                self.assertEqual([e["outcome"] for e in events if e["event"] == "outcome"], ["working"])
                self.assertEqual(s.wait(30), 0)


if __name__ == "__main__":
    main()
