/*
 * The options of ordergate send; see tools/common/send_options.h.
 */
#include "tools/common/send_options.h"

#include "tools/common/reload.h"
#include "tools/common/send_log.h"

const struct option_row send_rows[] = {
    OPTION_ROW("policy", 'p', "POLICY", LIST_AT(struct send, policies, OPTION_LIST_MOST),
               "shipped policy or file; several: later ones override earlier ones (default: default)"),
    OPTION_ROW("facts", 'f', "FILE", LIST_AT(struct send, facts, OPTION_LIST_MOST),
               "facts that the broker does not have, JSON"),
    OPTION_ROW("require-signature", 0, "FILE", LIST_AT(struct send, keys, SIGNATURE_KEYS_MOST),
               "use only policies that are signed for this public key (ordergate policy sign); given again, or in "
               "addition to require_signature: for all of them"),
    OPTION_ROW("need-signatures", 0, "N", INT_AT(struct send, need, 1, SIGNATURE_KEYS_MOST),
               "use only policies that are signed for at least N of the keys of --require-signature, instead of all"),
    OPTION_ROW("quotes", 0, "FILE", TEXT_AT(struct send, options.quotes),
               "quotes as NDJSON, a file that is followed as it grows, or a FIFO"),
    OPTION_ROW("broker", 0, "FILE", TEXT_AT(struct send, options.broker),
               "base_url, ws_url, key_id, secret_key_file, account ... (default: ORDERGATE_* variables)"),
    OPTION_ROW("account", 0, "ID", TEXT_AT(struct send, options.account), "the account of lines without accountId"),
    OPTION_ROW("tag", 0, "NAME", TEXT_AT(struct send, options.tag), "the strategy that all lines count for"),
    OPTION_ROW("ledger", 0, "FILE", TEXT_AT(struct send, options.ledger),
               "the ledger (default: $XDG_STATE_HOME/ordergate/ledger.db)"),
    OPTION_ROW("ledger-key", 0, "FILE", SET_BY(options_set_ledger_key, NULL),
               "compute its hash chain with this key, so that nobody without the key can write the ledger anew"),
    OPTION_ROW("ledger-may-vanish", 0, NULL, FLAG_AT(struct send, options.ledger_may_vanish),
               "allow a ledger on tmpfs or in a container's layers, also with environment live"),
    OPTION_ROW("accept-damage", 0, NULL, FLAG_AT(struct send, options.accept_damage),
               "use a ledger that does not match its hashes; the acceptance is recorded there"),
    OPTION_ROW("share-account", 0, NULL, FLAG_AT(struct send, options.share_account),
               "allow another sender for the account on another ledger, whose orders are seen a second late"),
    OPTION_ROW("wait", 0, "DURATION", DURATION_AT(struct send, options.wait_ns),
               "how long an order is followed after its POST (default: 30s)"),
    OPTION_ROW("until", 0, "acked|final", CHOICE_AT(struct send, until),
               "acked (default): until it is working or has ended; final: until a terminal state"),
    OPTION_ROW("timeout", 0, "DURATION", DURATION_AT(struct send, options.timeout_ns),
               "how long one request may take (default: 10s)"),
    OPTION_ROW("max-in-flight", 0, "N", INT_AT(struct send, options.max_in_flight, 1, 1000),
               "POSTs without an answer at one time (default: 10)"),
    OPTION_ROW("dead-man", 0, "DURATION", DURATION_AT(struct send, options.dead_man_ns),
               "cancel this gate's orders if no line and no {\"op\":\"heartbeat\"} comes for so long; it works only "
               "while this process runs"),
    OPTION_ROW("batch", 0, "NAME", TEXT_AT(struct send, options.batch),
               "lines without clientOrderId get one derived from NAME and terms: files can be run again"),
    OPTION_ROW(
        "recover", 0, NULL, FLAG_AT(struct send, options.recover),
        "find out the outcome of orders that earlier runs left open; needs no orders, but sends those of FILE, or "
        "of stdin unless it is a terminal"),
    OPTION_ROW("resend-not-sent", 0, NULL, FLAG_AT(struct send, options.resend_not_sent),
               "post orders again that are known not to have been sent, under the same id"),
    OPTION_ROW("trust-input", 0, NULL, FLAG_AT(struct send, options.trust_input),
               "lines may be {\"op\":\"facts\"} and {\"op\":\"quote\"} too, which change what is known"),
    OPTION_ROW("intake", 0, "PATH", TEXT_AT(struct send, options.intake),
               "read lines from this FIFO, or make this socket, on which a writer gets its own events, until the run "
               "is stopped; stdin is not read"),
    OPTION_ROW("on-event", 0, "COMMAND", TEXT_AT(struct send, on_event),
               "run this shell command, with the event on its standard input, for an unknown outcome, a lost stream, a "
               "halt, the dead man's switch, a latch and an anomaly"),
    OPTION_ROW("console", 0, "HOST:PORT", TEXT_AT(struct send, console),
               "show this sender over HTTP on a loopback address: a page, metrics and health; port 0 picks one"),
    OPTION_ROW("console-port-file", 0, "FILE", TEXT_AT(struct send, console_port_file),
               "write the console's port to this file"),
    OPTION_ROW("dry-run", 0, NULL, FLAG_AT(struct send, options.dry_run),
               "decide only: nothing is written or posted, and no id is used"),
    OPTION_ROW("format", 0, "auto|table|json|ndjson|csv", CHOICE_AT(struct send, format),
               "of events: a line for people each, as JSON, or CSV (default: for people if stdout is a terminal)"),
    OPTION_ROW(
        "log-format", 0, SEND_LOG_WORDS, CHOICE_AT(struct send, log_format),
        "of messages on stderr: lines with time, level and run, as JSON, or for journald (default: for journald if "
        "it reads stderr, otherwise for people)"),
    OPTION_ROW("color", 0, OPTION_COLOUR_WORDS, CHOICE_AT(struct send, colour), OPTION_COLOUR_HELP),
    OPTION_END,
};

/* The options that another program may give to its senders for its user. An option that is not here is refused: one
 * that brings orders of its own, that takes the lines from elsewhere, that posts what an earlier run left, or that
 * shows or serves instead of sending. */
static const char *const passed[] = {
    "policy",  "facts",   "require-signature", "need-signatures", "quotes",     "broker",
    "account", "tag",     "ledger-may-vanish", "accept-damage",   "on-event",   "share-account",
    "wait",    "timeout", "max-in-flight",     "format",          "log-format", "color",
    NULL,
};

int send_options_read(const struct option_spec *program, struct send *to, int count, char **args)
{
    const struct option_spec send = { .program = "ordergate send", .rows = send_rows, .in_order = true };

    return options_read_passed(program, &send, passed, to, count, args);
}
