/*
 * Computes the hash chain over records, without regard to what the records mean.
 */
#include "ledger/chain.h"

void og_ledger_fields(sqlite3_stmt *s, struct og_str field[OG_LEDGER_FIELDS])
{
    for (int i = 0; i < OG_LEDGER_FIELDS; i++) {
        const char *text = (const char *)sqlite3_column_text(s, i);

        field[i] = (struct og_str){ text, text ? (size_t)sqlite3_column_bytes(s, i) : 0 };
    }
}

bool og_ledger_keyed(const char *hash)
{
    return strncmp(hash, "hs-256:", 7) == 0;
}

bool og_ledger_chain(struct og_str before, const struct og_str field[OG_LEDGER_FIELDS], const char *key,
                     struct og_buf *room, struct og_digest_text *hash)
{
    og_buf_reset(room);
    og_buf_str(room, before);
    for (int i = 0; i < OG_LEDGER_FIELDS; i++) {
        if (!field[i].s && i == OG_LEDGER_TAG)
            continue;
        if (!field[i].s) {
            og_buf_char(room, '-');
        } else {
            og_buf_int(room, (int64_t)field[i].len);
            og_buf_char(room, ':');
            og_buf_str(room, field[i]);
        }
        og_buf_char(room, ',');
    }
    return !room->bad &&
           (key ? og_keyed_digest(key, strlen(key), room->s, room->len, hash) : og_digest(room->s, room->len, hash));
}
