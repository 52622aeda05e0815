"""A broker repeats the gate's secret in each of its texts and in any spelling: no event, record, file or message
contains the secret, while the rest of the broker's text is still reported."""
import json
import os
import signal
import struct
import subprocess
import unittest

from fault_proxy import FaultProxy, answer
from paper import PAPER, Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting, send

BIN = os.environ["OG_BIN"]
SECRET = PAPER[1]
SPELLED = [SECRET, SECRET.replace("-", "\\u002d"), SECRET.replace("-", "%2D"), SECRET.replace("-", "&#45;"),
           "cGFwZXItc2VjcmV0"]
JSON, HTML = "Content-Type: application/json", "Content-Type: text/html"


def chunked(status, *chunks):
    body = b"".join(b"%x\r\n%s\r\n" % (len(c), c) for c in (*(c.encode() for c in chunks), b""))
    return f"HTTP/1.1 {status} X\r\nTransfer-Encoding: chunked\r\n{JSON}\r\n\r\n".encode() + body


class Echo(FaultProxy):
    """A proxy that inserts a text into every row of an order in the brokerage's answers."""

    text = "for " + SECRET

    def _forward(self, *args):
        head, _, body = super()._forward(*args).partition(b"\r\n\r\n")
        try:
            doc = json.loads(body)
        except ValueError:
            return head + b"\r\n\r\n" + body
        self._mark(doc)
        kept = [h for h in head.decode().split("\r\n")[1:] if not h.startswith("Content-Length")]
        return answer(int(head.split()[1]), json.dumps(doc).encode(), kept)

    def _mark(self, doc):
        for part in doc if isinstance(doc, list) else doc.values() if isinstance(doc, dict) else ():
            self._mark(part)
        if isinstance(doc, dict) and "orderStatus" in doc:
            doc["text"] = doc["rejectReason"] = self.text

    def raw(self, *frames):
        """Returns a message as frames of a server, each written separately."""
        for s in self.client_streams:
            for i, part in enumerate(frames):
                first = (0x80 if i == len(frames) - 1 else 0) | (1 if i == 0 else 0)
                size = struct.pack("!BB", first, len(part)) if len(part) < 126 else struct.pack("!BBH", first, 126,
                                                                                                len(part))
                s.sendall(size + part)


class Masked(unittest.TestCase):
    def setUp(self):
        self.p = Paper(clock=RUNNING)
        self.addCleanup(self.p.stop)
        self.home = TempHome()
        self.addCleanup(self.home.__exit__)

    def nowhere(self, gate):
        for spelled in SPELLED:
            self.assertEqual(self.home.files_with(spelled), [], spelled)
            self.assertNotIn(spelled, json.dumps(gate.events) + gate.stderr)

    def test_answers_to_a_post(self):
        """Each answer says why it rejects the order, and contains the secret."""
        behaviours = {"page": answer(400, f"<html><p>no {SPELLED[3]}, no {SECRET}</p></html>".encode(), [HTML]),
                      "text": answer(400, f"no order for {SECRET}".encode(), ["Content-Type: text/plain"]),
                      "percent": answer(400, f"no key={SPELLED[2]}".encode(), ["Content-Type: text/plain"]),
                      "base": answer(400, f"no Basic {SPELLED[4]}".encode(), ["Content-Type: text/plain"]),
                      "json": answer(400, ('{"message":"no %s"}' % SECRET).encode(), [JSON]),
                      "escaped": answer(400, ('{"message":"no %s"}' % SPELLED[1]).encode(), [JSON]),
                      "problem": answer(400, ('{"title":"no","errors":{"key":["no %s"]}}' % SPELLED[1]).encode(),
                                        ["Content-Type: application/problem+json"]),
                      "key": answer(400, ('{"no":1,"errors":{"%s":["no such key"]}}' % SECRET).encode(),
                                    ["Content-Type: application/problem+json"]),
                      "header": answer(400, b"no", [f"Content-Type: text/plain; k={SECRET}", f"X-Seen: {SECRET}"]),
                      "chunks": chunked(400, '{"message":"no paper-s', 'ecret"}')}
        with FaultProxy(self.p, {k: (False, v) for k, v in behaviours.items()}) as b:
            code, gate = send(b.url, self.home, [resting(k) for k in behaviours])
        self.assertEqual((code, gate.outcomes()), (1, {k: "rejected" for k in behaviours}), gate.stderr)
        for k in behaviours:
            self.assertIn("no", gate.event("outcome", k)["text"])
        self.assertIn("*" * len(SECRET), gate.event("outcome", "text")["text"])
        self.nowhere(gate)

    def test_an_answer_that_is_a_fault_or_cut_off(self):
        behaviours = {"fault": answer(500, f"<html>{SECRET} at {SPELLED[2]}</html>".encode(), [HTML]),
                      "cut": answer(400, f"no order for {SECRET}".encode(), ["Content-Type: text/plain"])[:-3],
                      "strange": answer(302, SECRET.encode(), [f"Location: http://127.0.0.1/{SECRET}"]),
                      "status": f"HTTP/1.1 400 {SECRET}\r\nContent-Length: 0\r\n\r\n".encode(),
                      "garbled": f"{SECRET} is no HTTP\r\n\r\n".encode()}
        with FaultProxy(self.p, {k: (False, v) for k, v in behaviours.items()}) as b, \
                Sender(b.url, self.home, "--wait", "2s", "--timeout", "1s") as gate:
            gate.feed(*(resting(k) for k in behaviours))
            gate.finish(len(behaviours))
            self.assertEqual(len(b.posts), len(behaviours))
            self.nowhere(gate)

    def test_rows_of_an_order_and_of_a_lookup(self):
        """The secret is in the answer to the POST, or in the row that is looked up after a lost answer."""
        with Echo(self.p, {"lost": (True, "close")}, streams=False) as b:
            code, gate = send(b.url, self.home, [resting("told"), resting("lost")])
        self.assertEqual((code, gate.outcomes()), (0, {"told": "working", "lost": "working"}), gate.stderr)
        self.assertTrue(any(path.endswith("/order/lost") for _, path in b.paths), b.paths)
        self.nowhere(gate)

    def test_frames_of_a_stream(self):
        """The secret is in texts of an order's frame, and in the stream's own messages, in one frame or split over
        two."""
        with Echo(self.p) as b, Sender(b.url, self.home, "--until", "final", "--wait", "1m") as gate:
            gate.feed(resting("a"))
            gate.event("update", "a", orderStatus="New")
            frame = '{"userOrderId":"PAPER0001:a","orderStatus":"PartiallyFilled","executed":%d,"text":"%s"}'
            for i, spelled in enumerate(SPELLED[:3]):
                b.raw((frame % (i + 1, spelled)).encode())
            b.raw(*(part.encode() for part in (frame % (4, SECRET)).partition("per-sec")))
            for i, spelled in enumerate((*SPELLED[:3], SECRET)):
                self.assertEqual(gate.event("update", "a", executed=i + 1)["text"], "*" * len(spelled))
            b.raw(SECRET.encode())
            b.send_frame({"type": "system", "status": "INVALID_DATA", "message": "no " + SECRET})
            self.assertIn("no ***", json.dumps(gate.event("stream", state="down")))
            gate.kill(signal.SIGTERM).finish()
            self.nowhere(gate)

    def program(self, url, *args):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("ORDERGATE_", "XDG_"))}
        env.update(HOME=self.home.path, XDG_STATE_HOME=self.home.path + "/state", ORDERGATE_BASE_URL=url,
                   ORDERGATE_KEY_ID=PAPER[0], ORDERGATE_SECRET_KEY=SECRET, ORDERGATE_CLOCK="broker")
        return subprocess.Popen([os.path.join(BIN, "ordergate"), *args], env=env, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def test_what_broker_prints(self):
        send(self.p.url, self.home, [resting("a")])
        with Echo(self.p, gets={"/positions": answer(500, f"<p>{SPELLED[3]}</p>".encode(), [HTML]),
                                "/routes": answer(200, SECRET.encode(), [f"Content-Type: text/{SECRET}"]),
                                "/pnl": answer(400, ('{"message":"%s"}' % SPELLED[1]).encode(), [JSON])}) as b:
            for call in ("orders", "positions", "routes", "pnl"):
                out, words = self.program(b.url, "broker", call).communicate(timeout=600)
                self.assertIn("*" * 10, out + words, call)
                for spelled in SPELLED:
                    self.assertNotIn(spelled, out + words)

    def test_what_watch_prints(self):
        with Echo(self.p) as b:
            watch = self.program(b.url, "watch")
            self.addCleanup(watch.stderr.close)
            self.addCleanup(watch.stdout.close)
            self.addCleanup(watch.wait)
            self.addCleanup(watch.kill)
            while json.loads(watch.stdout.readline())["event"] != "ready":
                pass
            for spelled in (SECRET, SPELLED[1]):
                b.raw(('{"any":"%s","text":"%s"}' % (spelled, spelled)).encode())
                line = watch.stdout.readline()
                while "any" not in line:
                    line = watch.stdout.readline()
                self.assertIn("*" * len(SECRET), line)
                self.assertNotIn("secret", line)


if __name__ == "__main__":
    main()
