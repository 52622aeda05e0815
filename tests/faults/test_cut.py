"""A network connection that is interrupted for a while, in a network namespace of the test: the rest of an order
is not delivered later."""
import ctypes
import fcntl
import json
import socket
import struct
import time
import unittest

from paper import DEADLINE, Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting

NEW_NETWORK, SET_FLAGS, UP = 0x40000000, 0x8914, 1  # CLONE_NEWNET, SIOCSIFFLAGS, IFF_UP


def line(is_there):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, SET_FLAGS, struct.pack("16sH14s", b"lo", UP if is_there else 0, b""))


def undelivered(port):
    """Returns the largest number of bytes that the kernel keeps for one connection because they are not
    acknowledged."""
    with open("/proc/net/tcp", encoding="ascii") as f:
        rows = [row.split() for row in f.readlines()[1:]]
    return max((int(row[4].split(":")[0], 16) for row in rows if int(row[2].split(":")[1], 16) == port), default=0)


class Cut(unittest.TestCase):
    def setUp(self):
        if ctypes.CDLL(None).unshare(NEW_NETWORK) != 0:  # of this case's process alone
            self.skipTest("no network of its own to be had here")
        line(True)

    def wait_until(self, found, what):
        end = time.monotonic() + DEADLINE
        while not found():
            if time.monotonic() > end:
                self.fail(what)

    def test_an_order_of_a_sender_that_died(self):
        """The sender died: its order is not delivered when the connection works again, since it may be recorded as not
        sent by then."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            with Sender(p.url, home, "--timeout", "1s") as gate:
                gate.feed(resting("first"))
                gate.event("outcome", "first")
                line(False)
                gate.feed(resting("second"))
                gate.wait_row("id = 'second' AND record = 'intent'")
                self.wait_until(lambda: undelivered(p.port) > len(json.dumps(resting("second"))), "nothing was written")
                gate.kill().finish()
                self.wait_until(lambda: undelivered(p.port) <= 1, "the kernel goes on trying")  # an end counts as one
                line(True)
            self.assertEqual([json.loads(r["body"])["clientOrderId"] for r in posts(p)], ["first"])


if __name__ == "__main__":
    main()
