"""What processes ask, held against the limits of the document by the brokerage's own record.

A process takes a place in the budget and then writes its request.  If it stands still between the two, or the brokerage
does, requests arrive closer together than they were taken, and one of them may be answered 429 though nobody asked too
much.  The promise is therefore said twice.  In every run: by any moment no more has arrived than the limit gives from
the beginning to that moment, whoever stood still, since what waits comes later and never earlier.  And in some run, of
as many as it takes: no 429 at all. """
import collections
import datetime
import re

LIMITS = {  # of a kind: so many a second, and so many at once
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
    """Of a brokerage whose clock runs at its true pace, from here on."""

    def __init__(self, paper):
        self.paper, self.begun = paper, seconds(paper.advance("0s"))

    def kept(self):
        """Whether nothing was answered 429; in no case was more asked than the limits give."""
        seen, count = self.paper.control("GET", "requests?since=0")["requests"], collections.Counter()
        for request in seen:
            k, since = kind(request), seconds(request["at"]) - self.begun
            count[k] += 1
            if count[k] > LIMITS[k] * (1 + since):
                raise AssertionError(f"{count[k]} of {k} within {since:.3f} s: {[r for r in seen if kind(r) == k]}")
        return 429 not in {r["status"] for r in seen}
