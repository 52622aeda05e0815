"""Sends orders from Python through ctypes: the sender runs in a thread of its own, and lines reach it through a
pipe.

send_ctypes.py LIBRARY_FOLDER LEDGER      the environment names the broker (ORDERGATE_BASE_URL and so on)
"""
import ctypes
import json
import os
import queue
import sys
import threading

LISTENER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)
WORDS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("line", ctypes.c_int), ("col", ctypes.c_int), ("cause", ctypes.c_int),
                ("source", ctypes.c_char * 96), ("text", ctypes.c_char * 256)]


class Options(ctypes.Structure):
    """struct og_send_options."""
    _fields_ = [("policy", ctypes.c_void_p), ("policy_named", ctypes.c_bool),
                *[(name, ctypes.c_char_p)
                  for name in ("broker", "account", "tag", "ledger", "quotes", "batch", "intake", "notify_socket")],
                *[(name, ctypes.c_int64) for name in ("watchdog_ns", "wait_ns", "timeout_ns", "dead_man_ns")],
                ("max_in_flight", ctypes.c_int),
                *[(name, ctypes.c_bool)
                  for name in ("until_final", "dry_run", "recover", "resend_not_sent", "trust_input",
                               "ledger_may_vanish", "accept_damage", "share_account")],
                ("event", LISTENER), ("word", WORDS), ("log", ctypes.c_void_p), ("data", ctypes.c_void_p),
                ("source", ctypes.c_void_p)]


class Sender:
    """Runs a sender. give() passes it an order; the queue `events` has what it reports, and None at the end."""

    def __init__(self, folder, **options):
        self.gate = ctypes.CDLL(os.path.join(folder, "libordergate.so.0"), mode=ctypes.RTLD_GLOBAL)
        self.send = ctypes.CDLL(os.path.join(folder, "libordergate-send.so.0"))
        self.events, self.code, err = queue.Queue(), ctypes.c_int(4), Error()
        # kept, since it holds the references to the listeners
        self.options = Options(event=LISTENER(self._event), word=WORDS(self._word), **options)
        policy, self.sender = ctypes.c_void_p(), ctypes.c_void_p()
        self._must(self.gate.og_policy_load(b"default", ctypes.byref(policy), None, None, ctypes.byref(err)), err)
        self.options.policy = policy
        self._must(self.send.og_sender_new(ctypes.byref(self.options), ctypes.byref(self.sender), ctypes.byref(err)),
                   err)
        reads, self.writes = os.pipe()
        self._must(self.send.og_sender_read(self.sender, reads, None), err)
        self.thread = threading.Thread(target=self._run, args=(reads,))
        self.thread.start()

    @staticmethod
    def _must(status, err):
        if status:
            raise OSError(err.text.decode() or f"status {status}")

    def _event(self, _, event, size):
        self.events.put(json.loads(ctypes.string_at(event, size)))
        return 0

    def _word(self, _, text):
        print(text.decode(), file=sys.stderr)

    def _run(self, reads):
        err = Error()
        if self.send.og_sender_run(self.sender, ctypes.byref(self.code), ctypes.byref(err)):
            print(err.text.decode(), file=sys.stderr)
        self.send.og_sender_free(self.sender)
        os.close(reads)
        self.events.put(None)

    def feed(self, order):
        os.write(self.writes, json.dumps(order).encode() + b"\n")

    def close(self):
        """End the input, wait until every order has its outcome, and return the exit code."""
        os.close(self.writes)
        self.thread.join()
        return self.code.value


def main(folder, ledger):
    sender = Sender(folder, ledger=ledger.encode())
    order = {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
             "orderQuantity": 10, "timeInForce": "Day"}
    sender.feed({**order, "clientOrderId": "py-1", "limitPrice": 150})
    for event in iter(sender.events.get, None):
        print(json.dumps(event))
        if event["event"] == "outcome" and event["clientOrderId"] == "py-1":
            sender.feed({**order, "clientOrderId": "py-2", "limitPrice": 151})
        elif event["event"] == "outcome":
            break
    return sender.close()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
