"""Requests for each endpoint of the service's document, and an account for which each endpoint returns something."""
from orders import exact
from paper import leg, occ, spread, stock
from reading_case import CONTRACT, PATHS, ReadingCase

ACCOUNT_READS = {"O2": "account/{a}", "O3": "accounts/{a}/pnl", "O4": "accounts/{a}/positions",
                 "O5": "accounts/{a}/positions/closed",
                 "O6": "accounts/{a}/cash-transactions/start-date/2026-01-15", "O7": "accounts/{a}/routes",
                 "O8": "accounts/{a}/orders", "O9": "accounts/{a}/order/a",
                 "O10": "accounts/{a}/orders/start-date/2026-01-15",
                 "O11": "accounts/{a}/orders-with-pagination/start-date/2026-01-15",
                 "O15": "accounts/{a}/is-easy-to-borrow/symbol/AAPL", "O20": "accounts/{a}/locates/history",
                 "O21": "accounts/{a}/locates/inventory"}
READS = {"O1": "accounts", **ACCOUNT_READS}
SLASH = ("O1", "O2", "O3", "O4", "O5", "O6")  # endpoints that accept a final slash
BOUNDARY = "form"


def form(account, **more):
    """Returns the multipart body of the request that cancels all orders."""
    parts = "".join(f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'
                    for k, v in {"account": account, **more}.items())
    return parts + f"--{BOUNDARY}--\r\n"


def writes(account):
    """Returns the requests that write, as {row of docs/readings.md: (method, path, body)}."""
    return {"O12": ("POST", f"accounts/{account}/order",
                    stock("w", route="SMART" if account == "LIVE0001" else "PAPER")),
            "O13": ("DELETE", f"accounts/{account}/orders/a", None),
            "O14": ("DELETE", "accounts/orders", form(account)),
            "O16": ("POST", "accounts/locates/quote",
                    {"account": account, "symbol": "GME", "quantity": 100, "quoteReqID": "w"}),
            "O17": ("POST", "accounts/locates/accept", {"accountId": account, "quoteReqID": "w"}),
            "O18": ("POST", "accounts/locates/sell",
                    {"account": account, "quoteReqID": "s", "locateType": "Locate", "quantity": 100}),
            "O19": ("DELETE", f"accounts/locates/cancel/accounts/{account}/quoteReqID/w", None)}


class Endpoints(ReadingCase):
    def ask(self, method, path, body=None, account=None, keys=None, headers=None):
        """Send one request below /v1/api/ with the keys of the account, and return the reply. A text body is sent
        as multipart."""
        kind = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"} if isinstance(body, str) else {}
        keys = PATHS[account or self.account] if keys is None else keys
        return self.p.call(method, "/v1/api/" + path, body, keys=keys, headers={**kind, **(headers or {})})

    def read(self, row, account=None, owner=None):
        """Send the read request of that row of docs/readings.md for an account, with the keys of the account's
        owner."""
        return self.ask("GET", READS[row].format(a=account or self.account), account=owner or account)

    def rest(self, order_id="a", account=None):
        """POST an order that stays working."""
        self.send(order_id, account, limitPrice=100)
        self.p.advance("1s")

    def busy(self):
        """Give the live account one or more of everything that can be read: orders, positions, locates. Returns
        what was made."""
        self.rest("a")
        self.buy(10, 100.25, "MSFT")
        self.sell(4, 101.5, "MSFT")
        self.buy(1, 2, CONTRACT)
        self.buy(5, 10, "F")
        self.sell(5, 11.05, "F")
        for symbol in (occ("MSFT", strike=400), occ("MSFT", strike=410)):
            self.p.quote(symbol, 5 if symbol[-6] == "0" else 3, 5 if symbol[-6] == "0" else 3)
        self.p.order(spread("m", legs=[leg(occ("MSFT", strike=400), "Buy"), leg(occ("MSFT", strike=410), "Sell")],
                            symbol="MSFT", route="SMARTM"), "LIVE0001")
        self.ask(*writes("LIVE0001")["O16"])
        self.p.advance("2s")
        self.ask(*writes("LIVE0001")["O17"])
        self.p.advance("2s")

    def documents(self):
        """Returns {row of docs/readings.md: document} for every read and for an order with legs. Decimals keep
        their spelling."""
        documents = {row: exact(self.read(row)) for row in READS}
        documents["G"] = exact(self.p.lookup("m", "LIVE0001"))
        return documents


def members(document, path=()):
    """Yield (path of keys, value) for every value that is neither an object nor an array."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield from members(value, (*path, key))
    elif isinstance(document, list):
        for value in document:
            yield from members(value, path)
    else:
        yield path, document
