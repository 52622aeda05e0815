"""Compares the requests that the paper brokerage recorded with the rate limits of the service's document.

A process first reserves a place in the budget and then writes its request. If the process or the brokerage is
suspended between the two, requests arrive closer together than they were reserved, and one may be answered 429
although nobody asked too often. So two things are tested. In every run: up to any moment, no more requests have
arrived than the limit allows from the beginning up to then, since a delayed request arrives later, never earlier. In
at least one of several runs: no 429 at all.
"""
import collections
import datetime
import re

LIMITS = {  # requests a second, and also the largest burst
    "GET accounts": 3, "GET account/.": 3, "GET accounts/./pnl": 3, "GET accounts/./positions": 3,
    "GET accounts/./routes": 1, "GET accounts/./orders": 2, "GET accounts/./order/.": 2,
    "GET accounts/./is-easy-to-borrow/symbol/.": 2, "GET accounts/./locates/inventory": 2,
    "GET accounts/./locates/history": 2, "POST accounts/./order": 10, "DELETE accounts/./orders/.": 15}


def seconds(at):
    return datetime.datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp()


def kind(request):
    asked = f"{request['method']} {request['path'].removeprefix('/v1/api/')}"
    return next(k for k in LIMITS if re.fullmatch(k.replace(".", "[^/]+"), asked))


class RequestLimits:
    """The rate limits of a brokerage whose clock runs at real speed. Only requests that arrive from now on are
    counted."""

    def __init__(self, paper):
        self.paper, self.begun = paper, seconds(paper.advance("0s"))

    def kept(self):
        """Returns True if nothing was answered 429. Raises AssertionError if more was asked than the limits
        allow."""
        seen, count = self.paper.control("GET", "requests?since=0")["requests"], collections.Counter()
        for request in seen:
            k, since = kind(request), seconds(request["at"]) - self.begun
            count[k] += 1
            if count[k] > LIMITS[k] * (1 + since):
                raise AssertionError(f"{count[k]} of {k} within {since:.3f} s: {[r for r in seen if kind(r) == k]}")
        return 429 not in {r["status"] for r in seen}
