/*
 * The status of a locate quote in GET locates and in facts documents: the service's numbers, which are the ASCII codes
 * of FIX order statuses.
 */
#ifndef ORDERGATE_LOCATE_H
#define ORDERGATE_LOCATE_H

enum og_locate_status {
    OG_LOCATE_NEW = 48,
    OG_LOCATE_FILLED = 50, /* accepted and charged */
    OG_LOCATE_CANCELED = 52,
    OG_LOCATE_PENDING = 54,
    OG_LOCATE_REJECTED = 56,
    OG_LOCATE_OFFERED = 65, /* an offer, which may be accepted for 30 s */
    OG_LOCATE_EXPIRED = 67,
    OG_LOCATE_QUOTING = 81
};

#endif
