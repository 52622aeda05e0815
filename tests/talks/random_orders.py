"""Random orders: valid ones, ones that break exactly one rule, ones that break several, and arbitrary ones.

The caller keeps a View of what orders are drawn from: clock, quotes, positions, working orders, routes, used ids.
Each way to break an order is named after the reason of the rule that should find it.
"""
import paper

MIDS = {"AAPL": 190.0, "MSFT": 420.0, "F": 12.0, "GME": 25.0, "AMC": 5.0, "SPY": 600.0, "NVDA": 180.0, "TSLA": 440.0}
TIFS = ["Day", "GoodTillCancel", "AtTheOpening", "ImmediateOrCancel", "FillOrKill", "GoodTillCrossing", "Day_Plus",
        "GTC_Plus"]
ROUTES = {True: {"Stock": "SMART", "Option": "SMARTO", "Mleg": "SMARTM"},
          False: {"Stock": "PAPER", "Option": "PAPER", "Mleg": "PAPERM"}}
FLIP = {"Buy": "Sell", "Sell": "Buy"}


class View:
    """The facts from which random orders are made."""

    def __init__(self, r, live):
        self.r, self.live = r, live
        self.quotes = {}          # symbol: (bid, ask)
        self.new_quotes = []      # contracts for which no quote has been given to anybody yet
        self.lean = {s: r.choice(("Buy", "Sell")) for s in MIDS}  # by symbol: the side that usually opens
        self.hard = {"GME", "AMC"} if live else set()
        self.positions, self.orders, self.used, self.routes = [], [], [], {}
        self.number, self.level, self.bp = 0, 4, 0
        self.expiry = self.later = "260220"
        # `open`: within regular hours; `early`: before the session on a weekday; `quiet`: no session follows today
        self.open, self.early, self.quiet = True, False, False

    def contract(self, root, kind, strike, expiry=None):
        """Returns a contract that has a quote. There are only a few strikes, so that contracts are drawn again."""
        symbol = paper.occ(root, expiry or self.expiry, kind, strike)
        if symbol not in self.quotes:
            mid = sum(self.quotes[root]) / 2
            worth = max(mid - strike if kind == "C" else strike - mid, 0) + mid * 0.02
            worth = max(round(worth * 20) / 20, 0.1)
            self.quotes[symbol] = (round(worth - 0.05, 2), round(worth + 0.05, 2))
            self.new_quotes.append(symbol)
        return symbol

    def strikes(self, root, n):
        """Returns n strikes around the price, at equal distances."""
        step = {True: 10, False: 5}[MIDS[root] > 300] if MIDS[root] > 30 else 1
        first = round(MIDS[root] / step) * step + step * self.r.randrange(-3, 3 - n + 2)
        return [max(first, step) + step * i for i in range(n)]

    def id(self):
        self.number += 1
        return "r%d" % self.number

    def held(self, security):
        """Returns positions of known price with the quantity that can still be closed, that is, without what
        working orders will close."""
        found = []
        for p in self.positions:
            symbol = p["tradedSymbol"] or p["symbol"]
            taken = sum(o["leavesQuantity"] for o in self.orders if o["openClose"] == "Close"
                        and o["tradedSymbol"] == symbol)
            left = int(abs(p["shares"]) - taken)
            if p["securityType"] == security and left > 0 and symbol in self.quotes:
                found.append((symbol, p["side"], left))
        return found

    def working(self, security=("Stock", "Option")):
        return [o for o in self.orders if o["orderStatus"] in ("New", "Accepted", "PendingNew", "PartiallyFilled")
                and o["openClose"] == "Open" and o["securityType"] in security]


# ---- valid orders ----

def tick(price):
    return round(max(price, 0.01), 2)


def priced(v, o, far):
    """Returns an order type that is allowed at that hour, with its prices."""
    r, buy = v.r, o["side"] == "Buy"
    bid, ask = v.quotes[o["symbol"]]
    kind = "Limit" if far else r.choices(["Limit", "Market", "Stop", "StopLimit"], [6, 2 if v.open else 0, 1, 1])[0]
    o["orderType"] = kind
    if kind == "Limit":
        away = r.uniform(0.88, 0.95) if far else r.uniform(0.98, 1.015)
        o["limitPrice"] = tick(bid * away if buy else ask / away)
    if kind in ("Stop", "StopLimit"):
        o["stopPrice"] = tick(ask * r.uniform(1.02, 1.1) + 0.01) if buy else tick(bid * r.uniform(0.9, 0.98) - 0.01)
    if kind == "StopLimit":
        o["limitPrice"] = tick(o["stopPrice"] * (1.01 if buy else 0.99))
    return o


def dressed(v, o):
    """Returns the order with an id, a route, and a time in force that the route accepts."""
    r, security = v.r, o["securityType"]
    o["clientOrderId"] = v.id()
    name = ROUTES[v.live][security]
    stock_leg = security == "Mleg" and any(len(one["symbol"]) < 15 for one in o["legs"])
    if v.live or (r.random() < 0.4 and not stock_leg):
        o["route"] = name
    takes = v.routes[name]["timesInForce"] if v.live else TIFS
    takes = [t for t in takes if t != "AtTheOpening" and not (v.quiet and t == "Day")] or ["Day"]
    o["timeInForce"] = "Day" if r.random() < (0.2 if v.quiet else 0.85) else r.choice(takes)
    return o


def stock(v, far=False):
    r = v.r
    symbol = r.choice([s for s in MIDS if v.lean[s] == "Buy" or s not in v.hard])
    o = {"securityType": "Stock", "symbol": symbol, "side": v.lean[symbol], "openClose": "Open",
         "orderQuantity": r.choice([1, 2, 5, 10])}
    held = v.held("Stock")
    if held and far and r.random() < 0.8:  # open more of what is already held, so that an order works beside a position
        o["symbol"], side, _ = r.choice(held)
        o["side"] = "Buy" if side == "Long" else "Sell"
    if held and not far and r.random() < 0.25:
        o["symbol"], side, left = r.choice(held)
        o["side"], o["openClose"], o["orderQuantity"] = "Sell" if side == "Long" else "Buy", "Close", r.randint(
            1, min(left, 5))
    return dressed(v, priced(v, o, far))


def option(v, far=False):
    r = v.r
    root = r.choice(list(MIDS))
    symbol = v.contract(root, r.choice("CP"), v.strikes(root, 1)[0])
    o = {"securityType": "Option", "symbol": symbol, "side": "Buy", "openClose": "Open",
         "orderQuantity": r.choice([1, 1, 2, 3])}
    held = v.held("Option")
    if held and r.random() < 0.2:
        o["symbol"], side, left = r.choice(held)
        o["side"], o["openClose"], o["orderQuantity"] = "Sell" if side == "Long" else "Buy", "Close", r.randint(1, left)
    elif r.random() < 0.1:
        o["side"] = "Sell"
    if o["openClose"] == "Open" and r.random() < 0.05:
        del o["openClose"]
    return dressed(v, priced(v, o, far))


def shape(v, name, root, side, open_close="Open"):
    """Returns the legs of a strategy that is bought or sold as a whole."""
    back, kind = FLIP[side], v.r.choice("CP")
    wings, body = (side, back) if name in ("butterfly", "condor") else (back, side)

    def one(kind, strike, side, ratio=1):
        return paper.leg(v.contract(root, kind, strike), side, open_close, ratio)
    k = v.strikes(root, {"vertical": 2, "straddle": 1, "strangle": 2, "butterfly": 3, "iron butterfly": 3}.get(name, 4))
    if name == "vertical":
        low = (kind == "C") == (side == "Buy")
        return [one(kind, k[0], "Buy" if low else "Sell"), one(kind, k[1], "Sell" if low else "Buy")]
    if name in ("straddle", "strangle"):
        return [one("P", k[0], side), one("C", k[-1], side)]
    if name == "butterfly":
        return [one(kind, k[0], wings), one(kind, k[1], body, 2), one(kind, k[2], wings)]
    if name == "condor":
        return [one(kind, k[0], wings), one(kind, k[1], body), one(kind, k[2], body), one(kind, k[3], wings)]
    if name == "iron butterfly":  # buying an iron butterfly means buying its inner strikes
        return [one("P", k[0], wings), one("P", k[1], body), one("C", k[1], body), one("C", k[2], wings)]
    if name == "iron condor":
        return [one("P", k[0], wings), one("P", k[1], body), one("C", k[2], body), one("C", k[3], wings)]
    return [paper.leg(root, "Buy", open_close, 100),
            one(*(("C", k[1], "Sell") if name == "covered call" else ("P", k[0], "Buy")))]


DEBITS = ["vertical", "vertical", "butterfly", "condor", "iron butterfly", "iron condor", "covered call"]
DOUBTFUL = ["straddle", "strangle", "married put"]


def spread(v):
    r = v.r
    root = r.choice(["AAPL", "MSFT", "SPY", "NVDA", "TSLA"])
    name, side = r.choice(DEBITS), "Buy"
    if r.random() < 0.12:
        name, side = r.choice([(n, "Sell") for n in DEBITS if n != "covered call"] + [(n, "Buy") for n in DOUBTFUL])
    legs = shape(v, name, root, side)
    if r.random() < 0.5:
        r.shuffle(legs)
    o = {"securityType": "Mleg", "symbol": root, "orderType": r.choices(["Limit", "StopLimit"], [9, 1])[0],
         "orderQuantity": 1,
         "limitPrice": tick(MIDS[root] - 2 if len(legs[0]["symbol"]) < 9 or len(legs[-1]["symbol"]) < 9
                            else r.uniform(0.5, 4)),
         "legs": legs}
    if o["orderType"] == "StopLimit":
        o["stopPrice"] = o["limitPrice"]
    return dressed(v, o)


VALID = {"Stock": stock, "Option": option, "Mleg": spread}


def valid(v, kinds=("Stock", "Stock", "Option", "Mleg")):
    return VALID[v.r.choice(kinds)](v)


# ---- ways to break an order; each returns False if it could not ----

def put(key, *values):
    def change(v, o):
        o[key] = v.r.choice(values)
        return True
    return change


def drop(*keys):
    def change(v, o):
        here = [k for k in keys if k in o]
        if here:
            del o[v.r.choice(here)]
        return bool(here)
    return change


def some_leg(change):
    def one(v, o):
        legs = [x for x in o["legs"] if isinstance(x, dict)] if isinstance(o.get("legs"), list) else []
        if not legs:
            return False
        change(v.r, v.r.choice(legs))
        return True
    return one


def replaced_legs(make):
    def change(v, o):
        root = v.r.choice(["AAPL", "MSFT", "SPY"])
        o["symbol"], o["legs"] = root, make(v, root)
        return True
    return change


def one_leg(v, root, kind, strike, side, ratio=1, expiry=None):
    return paper.leg(v.contract(root, kind, strike, expiry), side, "Open", ratio)


def five(v, root):
    return [one_leg(v, root, "C", k, v.r.choice(["Buy", "Sell"])) for k in v.strikes(root, 4)] + [paper.leg(root,
                                                                                                            "Buy")]


def calendar(v, root):
    k = v.strikes(root, 2)
    return [one_leg(v, root, "C", k[0], "Buy"), one_leg(v, root, "C", v.r.choice(k), "Sell", 1, v.later)]


def divisible(v, root):
    k, n = v.strikes(root, 2), v.r.choice([2, 3, 50])
    return [one_leg(v, root, "C", k[0], "Buy", n), one_leg(v, root, "C", k[1], "Sell", n)]


def no_shape(v, root):
    k, t = v.strikes(root, 4), v.r.choice("CP")
    return v.r.choice([
        lambda: [one_leg(v, root, t, k[0], "Buy"), one_leg(v, root, t, k[1], "Sell", v.r.choice([2, 3]))],
        lambda: [one_leg(v, root, t, k[0], "Buy", 2), one_leg(v, root, t, k[1], "Sell", 3)],
        lambda: [one_leg(v, root, t, x, s) for x, s in zip(k, ("Buy", "Sell", "Buy"))],
        lambda: [one_leg(v, root, t, k[0], "Buy"), one_leg(v, root, t, k[1], "Sell", 3),
                 one_leg(v, root, t, k[2], "Buy", 2)],
        lambda: [one_leg(v, root, t, k[0], "Sell", 2), one_leg(v, root, t, k[1], "Buy"),
                 one_leg(v, root, t, k[2], "Buy")],
        lambda: [paper.leg(root, "Buy", "Open", 100), one_leg(v, root, "C", k[1], "Sell"),
                 one_leg(v, root, "P", k[0], "Buy")],
        lambda: [one_leg(v, root, c, k[i], s) for c, i, s in (("C", 0, "Buy"), ("C", 1, "Sell"), ("P", 0, "Sell"),
                                                              ("P", 1, "Buy"))],
        lambda: [one_leg(v, root, "C", x, s) for x, s in zip(k, ("Buy", "Sell", "Buy", "Sell"))],
        lambda: [one_leg(v, root, c, x, s) for c, x, s in zip("PPCC", k, ("Buy", "Buy", "Sell", "Sell"))],
        lambda: [paper.leg(root, "Buy", "Open", 99), one_leg(v, root, "C", k[1], "Sell")],
    ])()


def one_sided(v, root):
    k, t, side = v.strikes(root, 3), v.r.choice("CP"), v.r.choice(["Buy", "Sell"])
    return [one_leg(v, root, t, x, side) for x in k[:v.r.choice([2, 3])]]


def foreign_leg(v, o):
    others = [s for s in ("AAPL", "MSFT", "SPY", "NVDA", "TSLA") if s != o.get("symbol")]
    if v.r.random() < 0.5 or not isinstance(o.get("legs"), list) or not o["legs"]:
        o["symbol"] = v.r.choice(others)
        return True
    one = v.r.choice(o["legs"])
    if not isinstance(one, dict) or len(str(one.get("symbol"))) < 16:
        return False
    one["symbol"] = v.r.choice(others) + one["symbol"][-15:]
    return True


def no_stop(v, o):
    o.pop("stopPrice", None)
    o["orderType"] = "StopLimit"
    return True


def limitless(v, o):
    o["orderType"] = "Limit" if v.r.random() < 0.8 or "stopPrice" not in o else "StopLimit"
    o.pop("limitPrice", None)
    return True


def limit_of(*prices):
    def change(v, o):
        o["orderType"], o["limitPrice"] = "Limit", v.r.choice(prices)
        o.pop("stopPrice", None)
        return True
    return change


def stop_of(*prices):
    def change(v, o):
        price = v.r.choice(prices)
        o["orderType"] = "Stop"
        o.pop("limitPrice", None)
        o.pop("stopPrice", None)
        if price is not None:
            o["stopPrice"] = price
        return True
    return change


def wrong_stop(v, o):
    if o.get("symbol") not in v.quotes or o.get("side") not in FLIP:
        return False
    bid, ask = v.quotes[o["symbol"]]
    o["orderType"] = "Stop"
    o.pop("limitPrice", None)
    o["stopPrice"] = tick(bid * v.r.uniform(0.8, 0.97) - 0.01) if o["side"] == "Buy" else tick(
        ask * v.r.uniform(1.03, 1.2) + 0.01)
    return o["side"] == "Sell" or o["stopPrice"] < bid


def market(v, o):
    if v.open:
        return False
    o["orderType"] = "Market"
    o.pop("limitPrice", None)
    o.pop("stopPrice", None)
    return True


def with_limit(v, o, tif):
    if v.open or o.get("securityType") not in ("Stock", "Option") or o.get("symbol") not in v.quotes:
        return False
    o["orderType"], o["timeInForce"] = "Limit", tif
    o["limitPrice"] = tick(sum(v.quotes[o["symbol"]]) / 2)
    o.pop("stopPrice", None)
    return True


def queues(v, o):
    return v.early and with_limit(v, o, "Day")


def extended(v, o):
    takes = v.routes[ROUTES[v.live]["Stock"]]["timesInForce"] if v.live else TIFS
    return o.get("securityType") == "Stock" and "Day_Plus" in takes and with_limit(v, o, "Day_Plus")


def used_id(v, o):
    if not v.used:
        return False
    o["clientOrderId"] = v.r.choice(v.used)
    return True


def another_account(v, o):
    o["accountId"] = v.r.choice(["NOPE0001", "PAPER0001" if v.live else "LIVE0001", "LIVE00011"])
    return True


def unsecured_put(v, o):
    root = v.r.choice(list(MIDS))
    if not 1 <= v.level <= 3 or v.bp <= 0:
        return False
    strike = v.strikes(root, 1)[0]
    o.update(securityType="Option", symbol=v.contract(root, "P", strike), side="Sell", openClose="Open",
             orderType="Limit", orderQuantity=int(v.bp / (strike * 100)) * v.r.choice([1, 1, 2]) + v.r.randint(1, 3))
    o["limitPrice"] = v.quotes[o["symbol"]][1]
    o.pop("stopPrice", None)
    return o["orderQuantity"] <= 1000000 and (v.live or "route" not in o)


def live_route(v, o):
    if not v.live:
        return False
    o.pop("route", None)
    if v.r.random() < 0.3:
        o["route"] = ""
    return True


def no_route(v, o):
    o.pop("route", None)
    return not v.live


def wrong_route(v, o):
    o["route"] = {True: {"Stock": "SMARTO", "Option": "CTDL", "Mleg": "SMART"},
                  False: {"Stock": "PAPERM", "Option": "PAPERM", "Mleg": "PAPER"}}[v.live].get(o.get("securityType"),
                                                                                               "SMART")
    return True


def route_time(v, o):
    name = ROUTES[v.live].get(o.get("securityType"))
    missing = [t for t in TIFS if name and t not in v.routes[name]["timesInForce"]]
    if not missing:
        return False
    o["route"], o["timeInForce"] = name, v.r.choice(missing)
    return True


def opposite(v, o):
    against = v.working()
    if not against:
        return False
    row = v.r.choice(against)
    o.update(securityType=row["securityType"], symbol=row["tradedSymbol"], openClose="Open", orderType="Limit",
             side="Buy" if row["side"].startswith("Sell") else "Sell", orderQuantity=1, limitPrice=1.5)
    if v.live:
        o["route"] = ROUTES[True][o["securityType"]]
    else:
        o.pop("route", None)
    for key in ("legs", "stopPrice"):
        o.pop(key, None)
    return True


def replaces(v, o):
    if not v.orders:
        return False
    o["replaces"] = v.r.choice(v.orders)["clientOrderId"]
    return True


def flatten(v, o):
    at_work = {row["tradedSymbol"] for row in v.working()}
    held = [h for h in v.held("Stock") + v.held("Option") if h[0] in at_work
            and len([x for x in v.held("Stock") if x[0] == h[0]]) < 2]
    if not held:
        return False
    symbol, side, left = v.r.choice(held)
    security = "Option" if len(symbol) > 15 else "Stock"
    o.update(securityType=security, symbol=symbol, side="Sell" if side == "Long" else "Buy", openClose="Close",
             orderType="Limit", orderQuantity=left, limitPrice=tick(sum(v.quotes[symbol]) / 2), timeInForce="Day")
    if v.live:
        o["route"] = ROUTES[True][security]
    else:
        o.pop("route", None)
    for key in ("legs", "stopPrice"):
        o.pop(key, None)
    return True


def short(v, o, symbols):
    if not symbols:
        return False
    symbol = v.r.choice(sorted(symbols))
    o.update(securityType="Stock", symbol=symbol, side="Sell", openClose="Open", orderType="Limit",
             limitPrice=tick(v.quotes[symbol][1] * 1.05))
    o.pop("stopPrice", None)
    return True


ANY, SINGLE, STOCK, OPTION, MLEG = ("Stock", "Option", "Mleg"), ("Stock", "Option"), ("Stock",), ("Option",), ("Mleg",)

WAYS = {
    "order-id-in-body": (ANY, put("orderId", "x", "", 7)),
    "field-required": (ANY, drop("securityType", "symbol", "orderType", "orderQuantity", "timeInForce", "side",
                                 "legs")),
    "security-type-enum": (ANY, put("securityType", "stock", "Equity", "OPTION", "MLEG", "")),
    "symbol-pattern": (ANY, put("symbol", "A/B", "AAPL ", "", "AAPL\n", "AA@PL", "\u00c4", "AAPL  260220C00190000")),
    "side-enum": (SINGLE, put("side", "SellShort", "BuyToCover", "buy", "SELL", "")),
    "order-type-enum": (ANY, put("orderType", "MarketOnClose", "LimitOnClose", "limit", "STOP", "")),
    "time-in-force-enum": (ANY, put("timeInForce", "day", "GTC", "IOC", "")),
    "quantity-not-integer": (ANY, put("orderQuantity", 1.5, 0.1, 1000000.5, -2.25)),
    "quantity-below-one": (ANY, put("orderQuantity", 0, -1, -1000000)),
    "quantity-above-million": (ANY, put("orderQuantity", 1000001, 10000000, 2147483648)),
    "option-limit-above-max": (OPTION, limit_of(10000, 9999.9901, 12345678.12)),
    "open-close-case": (SINGLE, put("openClose", "open", "OPEN", "cLose", "close")),
    "mleg-root-side": (MLEG, put("side", "Buy", "Sell", "x")),
    "mleg-too-few-legs": (MLEG, lambda v, o: o.update(legs=o.get("legs", [])[:1]) is None),
    "mleg-too-many-legs": (MLEG, replaced_legs(five)),
    "mleg-leg-required": (MLEG, some_leg(lambda r, x: x.pop(r.choice(["symbol", "side", "ratio", "openClose"]), None))),
    "mleg-leg-side-enum": (MLEG, some_leg(lambda r, x: x.update(side=r.choice(["buy", "SellShort", ""])))),
    "mleg-leg-ratio-range": (MLEG, some_leg(lambda r, x: x.update(ratio=r.choice([0, -1, 101, 1000])))),
    "mleg-mixed-expiry": (MLEG, replaced_legs(calendar)),
    "mleg-ratio-common-divisor": (MLEG, replaced_legs(divisible)),
    "mleg-strategy-unsupported": (MLEG, replaced_legs(no_shape)),
    "mleg-one-sided": (MLEG, replaced_legs(one_sided)),
    "mleg-underlying-mismatch": (MLEG, foreign_leg),
    "mleg-stop-defaults-to-limit": (MLEG, no_stop),
    "mleg-time-in-force": (MLEG, put("timeInForce", *TIFS[1:])),
    "mleg-leg-order": (MLEG, lambda v, o: o.get("legs", []).reverse() is None),
    "limit-price-missing": (ANY, limitless),
    "limit-price-not-positive": (OPTION, limit_of(-1, -0.01, -20.5)),
    "stop-price-missing": (OPTION, stop_of(None)),
    "stop-price-not-positive": (OPTION, stop_of(0, -1, -0.01)),
    "stop-wrong-side-of-quote": (SINGLE, wrong_stop),
    "market-outside-hours": (ANY, market),
    "limit-day-queues": (SINGLE, queues),
    "extended-hours-rest": (STOCK, extended),
    "client-order-id-reused": (ANY, used_id),
    "client-order-id-missing": (ANY, drop("clientOrderId")),
    "account-unknown": (ANY, another_account),
    "cash-secured-put-buying-power": (OPTION, unsecured_put),
    "route-missing-live": (ANY, live_route),
    "route-auto-assigned": (ANY, no_route),
    "route-unknown": (ANY, put("route", "NOPE", "smart", "PAPERX", "SMART ")),
    "route-security-type": (ANY, wrong_route),
    "route-time-in-force": (ANY, route_time),
    "opposite-opening-orders": (SINGLE, opposite),
    "replace-before-canceled": (ANY, replaces),
    "flatten-with-working-orders": (SINGLE, flatten),
    "short-hard-to-borrow-no-locate": (STOCK, lambda v, o: short(v, o, v.hard)),
    "short-paper-any": (STOCK, lambda v, o: not v.live and short(v, o, [s for s in MIDS if v.lean[s] == "Sell"])),
}
# Ways that can be applied in few states are tried more often.
NAMES, OFTEN = list(WAYS), {"flatten-with-working-orders": 10, "short-hard-to-borrow-no-locate": 4,
                            "cash-secured-put-buying-power": 5}
WEIGHTS = [OFTEN.get(name, 1) for name in NAMES]
OF_THE_HOUR = ["market-outside-hours", "limit-day-queues", "extended-hours-rest"]


def broken(v, names):
    """Returns a valid order to which these changes, which make it invalid, were applied one after the other; None
    if none could be applied."""
    kinds = WAYS[names[0]][0]
    o, done = valid(v, kinds), 0
    for name in names:
        if o.get("securityType") in WAYS[name][0]:
            done += WAYS[name][1](v, o)
    return o if done else None


# ---- arbitrary orders ----

def anything(v):
    r = v.r
    o = valid(v)
    for _ in range(r.choice([1, 1, 2, 3])):
        key = r.choice(list(o) or ["symbol"])
        r.choice([
            lambda: o.pop(key, None),
            lambda: o.update({key: r.choice([None, 7, "x", True, [], {}, -1, 1e30, "\U0001f600"])}),
            lambda: o.update(symbol=r.choice(["aapl", "AAPL260220C00190000", "AAPL261332C00190000"]
                                             + ["ZZZZ", "BRK.B"] * ("legs" in o))),
            lambda: o.update(orderQuantity=r.choice([1000000, "5", 100.0, 500, 20000])),
            lambda: o.update(limitPrice=r.choice([0, -1, 0.00001, 1.00005, "10", None, 9999.99, 10000, 0.5, 0.1234,
                                                  100.123])),
            lambda: o.update(stopPrice=r.choice([0, -1, 0.00001, "10", None, 10, 1000])),
            lambda: o.update(openClose=r.choice(["x", "Close", "Open"])),
            lambda: o.update(side=r.choice(["Buy", "Sell"])),
            lambda: o.update(orderType=r.choice(["Market", "Limit", "Stop", "StopLimit"])),
            lambda: o.update(timeInForce=r.choice(TIFS)),
            lambda: o.update(route=r.choice(["SMART", "CTDL", "SMARTO", "SMARTM", "PAPER", "PAPERM", "", "nope"])),
            lambda: o.update(clientOrderId=r.choice(["i" * 37, "", "a b", "1", 5])),
            lambda: o.update(extra=1),
            lambda: some_leg(lambda r, x: x.update({r.choice(list(x) or ["side"]): r.choice([1, 1.5, "x", None, "Buy",
                                                                                             "Close"])}))(v, o),
            lambda: some_leg(lambda r, x: x.update(openClose="Close"))(v, o),
        ])()
    return o


def draw(v):
    """Returns (order, how it was changed)."""
    r = v.r
    what = r.random()
    if what < 0.20:
        return valid(v), "valid"
    if what < 0.24:
        return VALID[r.choice(["Stock", "Stock", "Option"])](v, far=True), "valid, at rest"
    if what < 0.28:
        return anything(v), "anything"
    names = r.choices(NAMES, WEIGHTS) if what < 0.86 else r.sample(NAMES, r.choice([2, 2, 3]))
    if not v.open and r.random() < 0.25:
        names[0] = r.choice(OF_THE_HOUR)
    o = broken(v, names)
    return (o, " + ".join(names)) if o else (valid(v), "valid")
