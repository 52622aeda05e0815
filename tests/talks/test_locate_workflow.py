"""ordergate broker locate: quote, offer, choice, one accept and the confirmation; and a clear end in every other
case."""
import json
import signal
import unittest

from locates import CANCELED, EXPIRED, FILLED, OFFERED, REJECTED, Locates
from programs import Programs

FAST = ("--poll", "20ms")


class Workflow(Programs, Locates):
    def begin(self, symbol="GME", quantity=100, most="1", *args):
        """Start a run, wait until the service has its quote, and return the run."""
        before = len(self.rows())
        run = self.start("broker", "locate", "--symbol", symbol, "--quantity", str(quantity), "--max-price", most,
                         *FAST, *args)
        self.until(lambda: len(self.rows()) > before, "the quote")
        return run

    def finish(self, run, outcome, code=0):
        out, words = self.end(run, code)
        told = json.loads(out)
        self.assertEqual(told["outcome"], outcome, words)
        return told

    def offered(self, run, outcome="located", code=0):
        """Let the service make its offer, and wait until the run ends with that outcome."""
        self.p.advance("2s")
        return self.finish(run, outcome, code)

    def accepts(self):
        return [json.loads(r["body"])["quoteReqID"] for r in self.requests("POST", "/accept")]

    def looks(self, count):
        """Wait until the program has read the history so many more times."""
        wanted = len(self.requests("GET", "locates/history")) + count + 1

        def seen():
            return len(self.requests("GET", "locates/history")) >= wanted
        self.until(seen, "a look")

    def test_located(self):
        told = self.offered(self.begin(quantity=300))
        row = self.rows(told["quoteReqID"])[0]
        self.assertEqual((row["locateStatus"], row["filledShares"]), (FILLED, 300))
        self.assertEqual((told["accepted"], told["offer"]["locateStatus"], told["offer"]["locatePrice"]),
                         (True, FILLED, row["locatePrice"]))
        self.assertAlmostEqual(told["cost"], row["locatePrice"] * 300)
        self.assertEqual(told["inventory"]["available"], 300)
        self.assertEqual(self.accepts(), [told["quoteReqID"]])

    def test_the_cheaper_sibling_is_taken(self):
        self.symbol("AMC", borrow="threshold", locatePrice=0.05, singleUsePrice=0.02)
        told = self.offered(self.begin("AMC"))
        self.assertEqual((told["offer"]["quoteReqID"], told["offer"]["locateType"]), (told["quoteReqID"] + ".SU", 4))
        self.assertEqual(self.rows(told["quoteReqID"])[0]["locateStatus"], EXPIRED)

    def test_of_equal_ones_the_reusable(self):
        self.symbol("AMC", borrow="threshold", locatePrice=0.02, singleUsePrice=0.02)
        self.assertEqual(self.offered(self.begin("AMC"))["offer"]["locateType"], 3)

    def test_a_kind_can_be_wished(self):
        self.symbol("AMC", borrow="threshold", locatePrice=0.05, singleUsePrice=0.02)
        told = self.offered(self.begin("AMC", 100, "1", "--type", "reusable"))
        self.assertEqual((told["offer"]["locateType"], told["offer"]["locatePrice"]), (3, 0.05))

    def test_the_only_one_that_is_offered(self):
        """The base row stays pending without shares, and the program does not wait for it."""
        self.symbol("AMC", borrow="threshold", available=0)
        told = self.offered(self.begin("AMC"))
        self.assertEqual(told["offer"]["locateType"], 4)

    def test_too_dear(self):
        """Nothing is accepted, and the quote is canceled so that another one can be requested."""
        told = self.offered(self.begin(most="0.0001"), "too-dear", 1)
        self.assertEqual((told["accepted"], told["cost"], told["inventory"], self.accepts()), (False, None, None, []))
        self.assertEqual(self.rows(told["quoteReqID"])[0]["locateStatus"], CANCELED)

    def test_the_bound_itself_is_cheap_enough(self):
        self.symbol("GME", locatePrice=0.0307)
        self.offered(self.begin(most="0.0307"))

    def test_not_offered(self):
        """The service rejects the quote, and the program prints the service's text."""
        told = self.finish(self.begin("AAPL"), "not-offered", 1)
        self.assertIn("easy to borrow", told["offer"]["text"])
        self.assertEqual(self.accepts(), [])

    def test_no_offer_in_time(self):
        run = self.begin("GME", 100, "1", "--wait", "300ms")
        told = self.finish(run, "gave-up", 1)
        self.assertEqual(self.rows(told["quoteReqID"])[0]["locateStatus"], CANCELED)

    def test_stopped(self):
        """After a signal the quote is canceled, and the outcome is reported."""
        for how in (signal.SIGINT, signal.SIGTERM):
            run = self.begin(symbol="GME" if how == signal.SIGINT else "AMC")
            self.looks(1)
            run.send_signal(how)
            told = self.finish(run, "gave-up", 1)
            self.assertEqual({r["locateStatus"] for r in self.rows()
                              if r["quoteReqID"].startswith(told["quoteReqID"])}, {CANCELED})
            self.assertEqual(self.accepts(), [])

    def test_an_offer_that_is_old_is_not_taken(self):
        """By the service's clock 28 s pass between two reads, so the offer may have expired when the accept arrives:
        it is not sent."""
        run = self.begin()
        self.fault("GET locates", "status", status=404, count=1000)
        self.p.advance("29s")
        self.assertEqual(self.rows_by_control()["locateStatus"], OFFERED)
        told = self.finish(run, "ran-out", 1)
        self.assertEqual((told["accepted"], self.accepts()), (False, []))

    def rows_by_control(self):
        """Returns the newest row, read after the faults were removed."""
        self.p.control("DELETE", "faults")
        return self.rows()[-1]

    def test_a_lost_answer_to_the_quote(self):
        """Only one quote is sent; the history shows that it was accepted."""
        self.fault("POST locate-quote", "drop-reply")
        told = self.offered(self.begin())
        self.assertEqual(len(self.requests("POST", "/quote")), 1)
        self.assertTrue(told["accepted"])

    def test_a_lost_accept(self):
        """Only one accept is sent; the history shows that it took effect."""
        self.fault("POST locate-accept", "drop-reply")
        told = self.offered(self.begin())
        self.assertEqual(self.accepts(), [told["quoteReqID"]])

    def test_an_accept_that_never_arrived(self):
        """The accept is not sent again: the offer expires, and nothing is charged."""
        self.fault("POST locate-accept", "drop-request")
        run = self.begin()
        self.p.advance("2s")
        self.until(self.accepts, "the accept")
        self.looks(2)
        self.p.advance("40s")
        told = self.finish(run, "ran-out", 1)
        self.assertEqual((len(self.accepts()), told["accepted"], self.inventory()), (1, True, {}))

    def test_looks_that_fail_on_the_way(self):
        run = self.begin()
        self.fault("GET locates", "status", status=500, count=2)
        self.offered(run)

    def test_too_soon_after_the_last_quote(self):
        """There must be 30 s between two quotes, whatever became of the first: the refusal is predicted from the
        history, with the remaining time."""
        self.quote("q1")
        self.p.advance("1s")
        self.cancel("q1")
        self.p.advance("11s")
        asked = ("locate", "GME", "100", "1", *FAST)
        _, words = self.run_broker(*asked, code=1)
        self.assertIn("[locate-cooldown]", words)
        self.assertIn("the last quote for GME was 12s ago", words)
        self.assertIn("ask again in 18s", words)
        self.p.advance("17s")
        self.assertIn("ask again in 1s", self.run_broker(*asked, code=1)[1])
        self.assertEqual(len(self.requests("POST", "/quote")), 1)
        self.assertEqual(self.finish(self.begin("GME", 100, "1", "--force"), "not-offered",
                                     1)["offer"]["locateStatus"], REJECTED)
        self.assertIn("ask again in 30s", self.run_broker(*asked, code=1)[1])  # that was a quote too
        self.p.advance("30s")
        self.offered(self.begin())

    def test_a_quote_that_is_open(self):
        self.quote("q1")
        _, words = self.run_broker("locate", "GME", "100", "1", *FAST, code=1)
        self.assertIn("quote 'q1' for GME is still open", words)
        self.offered(self.begin("AMC"))  # of another symbol

    def test_form(self):
        for args in (("GME", "150", "1"), ("GME", "50", "1")):
            self.run_broker("locate", *args, "--account", "LIVE0001", code=1)
        self.run_broker("locate", "GME", "100", code=2)
        self.run_broker("locate", "GME", "100", "-1", code=2)
        self.run_broker("locate", "GME", "100", "1", "--type", "best", code=2)
        self.assertEqual(self.requests("POST"), [])

    def test_nobody_is_there(self):
        port = self.p.port
        self.p.stop()
        out, _ = self.run_broker("locate", "GME", "100", "1", "--account", "LIVE0001", code=4,
                                 url=f"http://127.0.0.1:{port}")
        self.assertEqual(json.loads(out)["outcome"], "not-asked")


if __name__ == "__main__":
    unittest.main()
