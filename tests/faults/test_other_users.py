"""Senders of two users on one machine: each is halted by its own user, by root and by a flag that both name, and uses
no ledger and no state folder of the other. Only root can start processes of other users."""
import json
import os
import stat
import tempfile
import unittest

from paper import Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting
from test_halt import flag, halt

FIRST = 54300  # from here on nobody has these user ids; each case has two of its own, since cases run at the same time


def give(path, user):
    """Make the user the owner of the folder and of all that is in it."""
    os.chown(path, user, user)
    for folder, folders, names in os.walk(path):
        for name in folders + names:
            os.chown(os.path.join(folder, name), user, user)


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


@unittest.skipUnless(os.geteuid() == 0, "only root can start processes of other users")
class Users(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        cases = [name for name in dir(type(self)) if name.startswith("test_")]
        first = FIRST + 2 * cases.index(self.id().rsplit(".", 1)[1])
        self.alice, self.bob = self.home(first), self.home(first + 1)

    def home(self, user):
        home = self.enterContext(TempHome())
        give(home.path, user)
        home.user = user
        return home

    def sender(self, home, *args, **more):
        return self.enterContext(Sender(self.paper.url, home, *args, user=home.user, group=home.user, extra_groups=[],
                                        cwd="/", **more))

    def halt(self, home, *args, name="halt"):
        """Returns the command's exit code and its line, as given by the home's user."""
        done = halt(home, *args, name=name, user=home.user, group=home.user, extra_groups=[], cwd="/")
        return done.returncode, json.loads(done.stdout.splitlines()[0]) if done.stdout else done.stderr

    def working(self, home, order_id, *args, **more):
        gate = self.sender(home, *args, **more)
        gate.feed(resting(order_id))
        gate.event("outcome", order_id, outcome="working")
        return gate

    def posted(self, gate, order_id):
        gate.feed(resting(order_id, limitPrice=100 + sum(order_id.encode()) % 40))
        return gate.event("outcome", order_id)["outcome"]

    def test_a_user_halts_and_resumes_own_senders_alone(self):
        alice, bob = self.working(self.alice, "a"), self.working(self.bob, "b")
        for options in ((), ("--everywhere",)):
            with self.subTest(options):
                self.assertEqual(self.halt(self.bob, *options),
                                 (0, {"halted": True, "path": flag(self.bob), "senders": 1, "obeyed": 1}))
                self.assertEqual(self.posted(bob, f"b{len(options)}"), "refused")
                self.assertEqual(self.posted(alice, f"a{len(options)}"), "working")
        code, told = self.halt(self.alice, "--reason", "x", "--everywhere", name="resume")
        self.assertEqual((code, told["senders"], self.posted(bob, "b2")), (0, 1, "refused"))
        code, why = self.halt(self.alice, "--reason", "x", "--flag", flag(self.bob), name="resume")
        self.assertEqual((code, self.posted(bob, "b3")), (4, "refused"))
        self.assertIn("cannot be written", why)
        self.assertEqual(self.halt(self.bob, "--reason", "x", name="resume")[0], 0)
        self.assertEqual(self.posted(bob, "b4"), "working")

    def test_root_halts_a_user_who_can_resume(self):
        alice, bob = self.working(self.alice, "a"), self.working(self.bob, "b")
        done = halt(self.alice, "--flag", flag(self.alice))
        told = json.loads(done.stdout)
        self.assertEqual((told["halted"], told["obeyed"]), (True, 1), done.stderr)
        self.assertEqual((self.posted(alice, "a1"), self.posted(bob, "b1")), ("refused", "working"))
        self.assertNotIn("cannot be read", done.stderr + alice.stderr)
        resumed = halt(self.alice, "--reason", "x", "--flag", flag(self.alice), name="resume")
        self.assertEqual((self.posted(alice, "a2"), resumed.stderr.count("cannot be read")), ("working", 0))
        halt(self.alice, "--flag", flag(self.alice))
        self.assertEqual(self.posted(alice, "a3"), "refused")
        self.assertEqual(self.halt(self.alice, "--reason", "x", name="resume")[0], 0)
        self.assertEqual(self.posted(alice, "a4"), "working")

    def test_a_flag_that_both_name_halts_both(self):
        """Root writes it; neither user can end that halt."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        os.chmod(folder, 0o755)
        path = os.path.join(folder, "halt.json")
        also = {"ORDERGATE_HALT_ALSO": path}
        alice, bob = self.working(self.alice, "a", env=also), self.working(self.bob, "b", env=also)
        done = halt(self.alice, "--flag", path)
        told = json.loads(done.stdout)
        self.assertEqual((told["halted"], told["obeyed"]), (True, 2), done.stderr)
        self.assertEqual((self.posted(alice, "a1"), self.posted(bob, "b1")), ("refused", "refused"))
        for home in (self.alice, self.bob):
            self.assertEqual(self.halt(home, "--reason", "x", "--flag", path, name="resume")[0], 4)
        self.assertEqual((self.posted(alice, "a2"), self.posted(bob, "b2")), ("refused", "refused"))
        self.assertEqual(mode(path), 0o644)
        halt(self.alice, "--reason", "x", "--flag", path, name="resume")
        self.assertEqual((self.posted(alice, "a3"), self.posted(bob, "b3")), ("working", "working"))

    def test_the_ledger_of_another_user_is_not_used(self):
        """Whatever its permissions: nothing is sent, also if its folder is open to all, or belongs to root."""
        self.working(self.alice, "a").finish()
        place = self.enterContext(tempfile.TemporaryDirectory())
        copy = os.path.join(place, "ledger.db")
        with open(self.alice.ledger, "rb") as f, open(copy, "wb") as to:
            to.write(f.read())
        os.chown(copy, self.alice.user, self.alice.user)
        for ledger, folder, file in ((self.alice.ledger, 0o700, 0o600), (self.alice.ledger, 0o755, 0o644),
                                     (self.alice.ledger, 0o777, 0o666), (copy, 0o755, 0o600), (copy, 0o755, 0o666),
                                     (copy, 0o1777, 0o666)):
            with self.subTest(ledger=ledger, folder=oct(folder), file=oct(file)):
                os.chmod(os.path.dirname(ledger), folder)
                os.chmod(ledger, file)
                before = os.stat(ledger).st_size
                gate = self.sender(self.bob, "--ledger", ledger, ledger=False, lines=[resting("b")])
                self.assertEqual((gate.finish(), posts(self.paper, "b")), (4, []), gate.stderr)
                self.assertRegex(gate.stderr, f"uid {self.alice.user}|[Pp]ermission denied|cannot be")
                self.assertEqual(os.stat(ledger).st_size, before)

    def test_state_and_ledger_are_the_users_own(self):
        """Another umask does not open them to others."""
        self.working(self.alice, "a", umask=0).finish()
        self.assertEqual(self.halt(self.alice)[0], 0)
        for folder, _, names in os.walk(self.alice.path):
            self.assertEqual(mode(folder), 0o700, folder)
            for name in names:
                path = os.path.join(folder, name)
                self.assertEqual((mode(path), os.stat(path).st_uid), (0o600, self.alice.user), path)

    def test_the_state_folder_of_another_user(self):
        """It is not used, and its halts cannot be read: nothing is sent."""
        self.working(self.alice, "a").finish()
        state = os.path.join(self.alice.path, "state")
        for permissions in (0o700, 0o755, 0o777):
            with self.subTest(oct(permissions)):
                for folder in (self.alice.path, state, os.path.join(state, "ordergate")):
                    os.chmod(folder, permissions)
                gate = self.sender(self.bob, env={"XDG_STATE_HOME": state}, lines=[resting("b")])
                self.assertIn(gate.finish(), (1, 4), gate.stderr)
                self.assertEqual(posts(self.paper, "b"), [], gate.stderr)
                code, why = self.halt_in(state)
                self.assertEqual(code, 4, why)

    def halt_in(self, state):
        done = halt(self.bob, env={"XDG_STATE_HOME": state}, user=self.bob.user, group=self.bob.user, extra_groups=[],
                    cwd="/")
        return done.returncode, done.stderr


if __name__ == "__main__":
    main()
