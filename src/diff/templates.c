/*
 * The templates of probes: one for each action at the broker, so that every rule has orders to which it applies.  A
 * name describes the order alone; facts and prices are described by the probe's slots.
 */
#include "diff/probe.h"

#define STOCK(name_, sells_, closes_, usual_)                                                                       \
    {                                                                                                               \
        .name = (name_), .subject = OG_SUBJECT_ORDER, .security = OG_STOCK, .sells = (sells_), .closes = (closes_), \
        .usual = (usual_)                                                                                           \
    }
#define OPTION(name_, sells_, closes_, put_, usual_)                                                                 \
    {                                                                                                                \
        .name = (name_), .subject = OG_SUBJECT_ORDER, .security = OG_OPTION, .sells = (sells_), .closes = (closes_), \
        .put = (put_), .usual = "LIMIT=5 STOP=5 ROUTE=SMARTO " usual_                                                \
    }
#define MLEG(name_, usual_, legs_)                                                                                  \
    {                                                                                                               \
        .name = (name_), .subject = OG_SUBJECT_ORDER, .security = OG_MLEG, .usual = "LIMIT=2 ROUTE=SMARTM " usual_, \
        .legs = (legs_)                                                                                             \
    }
#define REQUEST(name_, subject_, request_, usual_)                                       \
    {                                                                                    \
        .name = (name_), .subject = (subject_), .request = (request_), .usual = (usual_) \
    }

const struct og_probe_template og_probe_templates[] = {
    STOCK("buy", false, false, ""),
    STOCK("sell", true, true, "HELD=1000000"),
    STOCK("short", true, false, ""),
    STOCK("cover", false, true, "HELD=-1000000"),
    STOCK("buy", false, false, "LIMIT=2 BID=1.99 ASK=2.01 LAST=2 AVERAGE=2"),
    STOCK("sell", true, true, "LIMIT=2 BID=1.99 ASK=2.01 LAST=2 AVERAGE=2 HELD=1000000"),
    STOCK("short", true, false, "LIMIT=2 BID=1.99 ASK=2.01 LAST=2 AVERAGE=2"),
    STOCK("buy", false, false, "TYPE=Market"),
    STOCK("sell", true, true, "TYPE=Market HELD=1000000"),
    STOCK("buy", false, false, "TYPE=Stop STOP=101"),
    STOCK("buy", false, false, "TYPE=StopLimit STOP=99.9"),
    STOCK("sell", true, true, "TYPE=Stop STOP=99 HELD=1000000"),
    STOCK("short", true, false, "TYPE=StopLimit STOP=99 LIMIT=99.5"),
    OPTION("buy a call", false, false, false, ""),
    OPTION("buy a put", false, false, true, ""),
    OPTION("buy a put", false, false, true, "HELD=1000000"),
    OPTION("write a call", true, false, false, "HELD=1000000"),
    OPTION("write a call", true, false, false, ""),
    OPTION("write a call", true, false, false, "COVER=1000000"),
    OPTION("write a put", true, false, true, "CASH=100000000"),
    OPTION("write a put", true, false, true, ""),
    OPTION("sell a call", true, true, false, "CONTRACTS=1000000"),
    OPTION("buy a put back", false, true, true, "CONTRACTS=-1000000"),
    OPTION("buy a call", false, false, false, "TYPE=Market"),
    MLEG("call vertical", "", "Bo1C0 So1C5"),
    MLEG("put vertical, the upper one written", "", "So1P0 Bo1P-5"),
    MLEG("butterfly", "LIMIT=1", "Bo1C-5 So2C0 Bo1C5"),
    MLEG("condor", "LIMIT=1", "Bo1C-10 So1C-5 So1C5 Bo1C10"),
    MLEG("iron butterfly", "", "Bo1P-5 So1P0 So1C0 Bo1C5"),
    MLEG("iron condor", "", "Bo1P-10 So1P-5 So1C5 Bo1C10"),
    MLEG("straddle", "LIMIT=10", "Bo1C0 Bo1P0"),
    MLEG("straddle written", "LIMIT=10", "So1C0 So1P0"),
    MLEG("straddle written", "LIMIT=10 HELD=1000000 CASH=100000000", "So1C0 So1P0"),
    MLEG("covered call", "LIMIT=95", "Bo100S So1C5"),
    MLEG("married put", "LIMIT=105", "Bo100S Bo1P0"),
    MLEG("roll", "LIMIT=1 CONTRACTS=1000000", "Sc1C0 Bo1C5"),
    MLEG("roll of a call written", "LIMIT=1 CONTRACTS=-1000000", "Bc1C0 So1C5"),
    MLEG("closing vertical", "LIMIT=2 CONTRACTS=1000000", "Sc1C0 Bc1C5"),
    REQUEST("cancel", OG_SUBJECT_CANCEL, "{\"op\":\"cancel\",\"accountId\":\"~\",\"clientOrderId\":\"w0\"}",
            "WORKING=1"),
    REQUEST("cancel", OG_SUBJECT_CANCEL, "{\"op\":\"cancel\",\"accountId\":\"~\",\"clientOrderId\":\"p0\"}", ""),
    REQUEST("locate quote", OG_SUBJECT_LOCATE,
            "{\"op\":\"locate-quote\",\"account\":\"~\",\"symbol\":\"@\",\"quantity\":#,\"quoteReqID\":\"q9\"}",
            "EASY=false QUANTITY=100"),
    REQUEST("locate accept", OG_SUBJECT_LOCATE, "{\"op\":\"locate-accept\",\"accountId\":\"~\",\"quoteReqID\":\"q1\"}",
            "EASY=false QUANTITY=100 CASH=100000000"),
    REQUEST("locate sell", OG_SUBJECT_LOCATE,
            "{\"op\":\"locate-sell\",\"account\":\"~\",\"quoteReqID\":\"s1\",\"locateType\":\"Locate\",\"quantity\":#,"
            "\"symbol\":\"@\"}",
            "EASY=false QUANTITY=100 LOCATED=1000"),
    REQUEST("locate cancel", OG_SUBJECT_LOCATE, "{\"op\":\"locate-cancel\",\"accountId\":\"~\",\"quoteReqID\":\"q1\"}",
            ""),
    REQUEST("reading the history", OG_SUBJECT_READ,
            "{\"op\":\"read\",\"endpoint\":\"GET history\",\"startDate\":\"2026-01-02\",\"numberOfDays\":#}", ""),
};
const size_t og_probe_templates_count = sizeof og_probe_templates / sizeof og_probe_templates[0];
