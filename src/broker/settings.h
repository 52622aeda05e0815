/*
 * How to reach a broker: a broker file (YAML), the environment, or both (the file takes precedence). Rejected are:
 * plain http and ws except to loopback, secrets in the file itself or in an address, files that other users may write,
 * and a secret file that others may read.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/endpoints.h"
#include "base/str.h"
#include "ordergate/status.h"
#include "text/signers.h"

/* The settings whose values are texts. */
enum og_setting_text {
    OG_SETTING_BASE_URL = 0,
    OG_SETTING_WS_URL,
    OG_SETTING_HEADER_PREFIX,
    OG_SETTING_KEY_ID,
    OG_SETTING_ACCOUNT,
    OG_SETTING_SETTLE,
    OG_SETTING_CA_FILE,
    OG_SETTING_POLICY_KEY,             /* require_signature of the file */
    OG_SETTING_POLICY_KEY_BY_VARIABLE, /* ORDERGATE_REQUIRE_SIGNATURE */
    OG_SETTING_TEXTS
};

/* Where the broker file sets something; line 0: the file does not set it. */
struct og_setting_place {
    int line, col;
};

struct og_settings {
    char *file; /* the path of the broker file; NULL if there is none */
    struct og_setting_place text_at[OG_SETTING_TEXTS], clock_at, signers_at;
    char *base_url, *ws_url; /* without a slash at the end */
    char *header_prefix;     /* prefix of the names of the key headers, such as "SVC" */
    char *key_id;
    char *secret;  /* wiped by og_settings_clear() */
    char *account; /* the account to use by default; NULL if not set */
    char *settle;  /* the settle lag as text; NULL if it is not set */
    char *ca_file; /* NULL means the system's CA certificates */
    /* public keys that must have signed the policy, from the file and from the environment; NULL if there is none */
    char *policy_key[2];
    char *
        /* further public keys, in addition to policy_key: at least signer_need of them must have signed the policy */
        signer[OG_SIGNERS_MOST];
    size_t signer_count, signer_need;
    enum { OG_ENVIRONMENT_UNSET = 0, OG_ENVIRONMENT_PAPER, OG_ENVIRONMENT_LIVE } environment;
    int64_t settle_ns; /* the setting `settle` in ns, if it is set; see og_settings_settle_ns() */
    bool broker_clock;
    bool loopback; /* base_url is on this machine */
    bool ws_loopback;
    struct {
        int64_t rate, burst; /* rate: requests a second; burst: requests that may be sent together; both in thousandths;
                              * rate 0 means no limit */
    } budget[OG_ENDPOINTS];
};

/* Read the file (NULL means the environment alone). Call og_settings_clear() afterwards, whatever the result.
 *   OG_EINVAL  a setting is missing or not allowed: err names it, the value seen and what to do
 *   OG_EIO     a file cannot be read, or its mode is too open
 *   OG_ENOMEM */
enum og_status og_settings_read(struct og_settings *s, const char *file, struct og_error *err);
void og_settings_clear(struct og_settings *s);
/* Check that the public keys that must have signed the policy can be read: errors name the setting, which errors of the
 * policy do not know.  OG_EIO, OG_ENOMEM */
enum og_status og_settings_check_policy_keys(const struct og_settings *s, struct og_error *err);
/* Returns the length of base_url without "/v1/api" at its end. If it is shorter than base_url, base_url is wrong: the
 * paths of all calls begin with /v1/api themselves. */
int og_settings_base_len(const struct og_settings *s);
/* Returns for how long after a fill the broker's figures may lack the fill, in ns. If the setting is missing, this is 0
 * at a loopback address, where the paper brokerage is. In a live environment it is not 0, since a tunnel may lead from
 * loopback to a live broker. */
int64_t og_settings_settle_ns(const struct og_settings *s);
/* Returns OG_OK or OG_ENOMEM. Call og_settings_clear(to) afterwards, whatever the result. */
enum og_status og_settings_copy(struct og_settings *to, const struct og_settings *from, struct og_error *err);

/* The address of a stream ("portfolio", "pnl"). */
struct og_stream_address {
    char host[256], path[512];
    int port;
    bool tls, loopback;
};
/* Set *to to the address of this stream.  OG_EINVAL: ws_url is too long. */
enum og_status og_settings_stream(const struct og_settings *s, const char *name, struct og_stream_address *to,
                                  struct og_error *err);
