"""An order that works counts until it is over, even if lists of the same run lack it for any length of time. The order
is new, partly filled, a replacement, or held at the brokerage; look-ups find it, do not find it, or fail.
"""
import itertools

from fault_proxy import FaultProxy, answer
from paper import Paper
from parallel_unittest import WAITING, main
from sender import RUNNING, Sender, TempHome
from test_lags import EMPTY, NOWHERE, POLICY, World, said


class Unlisted(World):
    kinds = {"new": {"symbol": "AAPL"}, "part": {"symbol": "F", "limitPrice": 13},
             "replaces": {"symbol": "NVDA", "limitPrice": 100},
             "held": {"symbol": "MSFT", "side": "Sell", "limitPrice": 900}}

    def give(self, gate, b, paper):
        """Make one working order of each kind."""
        paper.quote("F", 12, 12, 12, askSize=4)
        gate.feed(*(self.order(kind, "replaced" if kind == "replaces" else kind) for kind in self.kinds))
        for kind in ("new", "part", "replaced", "held"):
            b.wait_post(kind)
            while '"orderStatus":"PendingNew"' in paper.lookup(kind).text:
                paper.control("PUT", "clock", {"advance": "1s"})
        gate.feed(self.order("replaces", "replaces", replaces="replaced"))
        gate.event("update", "part", executed=4)
        for kind in self.kinds:
            gate.event("outcome", kind, outcome="working")

    def lasts(self, found, listed):
        self.number = itertools.count()
        with Paper(clock=RUNNING) as paper, TempHome() as home:
            args = ["--broker", home.file("b.yaml", "budgets: off\n"), "-p", home.file("p.yaml", POLICY)]
            lacks = {"/orders": EMPTY, **({f"/order/{kind}": found for kind in self.kinds} if found else {})}
            held, gets = {"held": (True, said("held", "Suspended"))}, {} if listed else {"/orders": EMPTY}
            with FaultProxy(paper, held, gets=gets) as b:
                with Sender(b.url, home, *args, "--timeout", "5m") as gate:
                    self.give(gate, b, paper)
                    self.refuses(gate)
                    b.gets.update(lacks)
                    for more in ("1s", "29s") if found is NOWHERE else ("1s", "29s", "90s", "600s"):
                        paper.control("PUT", "clock", {"advance": more})
                        self.readings(b, paper, gate, 1)
                    if found is NOWHERE:  # the brokerage no longer has the order
                        paper.control("PUT", "clock", {"advance": "90s"})
                        self.takes(gate, 20)
                    b.gets.clear()
                    self.readings(b, paper, gate, 1)
                    for kind in self.kinds:
                        paper.cancel(kind)
                    self.takes(gate, 10)
                    gate.close_input().process.wait()


for the_answer, the_reply in (("row", None), ("404", NOWHERE), ("500", answer(500))):
    for it_was in (True, False):
        setattr(Unlisted, f"test_{the_answer}_{'listed_once' if it_was else 'never_listed'}",
                lambda self, found=the_reply, listed=it_was: self.lasts(found, listed))


if __name__ == "__main__":
    main(WAITING)
