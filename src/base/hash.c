/*
 * SipHash-1-3 (Aumasson, Bernstein 2012): one round for each word and three at the end, as in the hash tables of
 * several languages.  The key is read from the system once.  If the system has no random bytes, addresses and the time
 * are used as key, so hashing never fails.
 */
#include "base/hash.h"

#include <pthread.h>
#include <sys/random.h>
#include <time.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t key[3];

static void make_key(void)
{
    struct timespec now;

    if (getrandom(key, sizeof key, GRND_NONBLOCK) != (ssize_t)sizeof key) {
        clock_gettime(CLOCK_REALTIME, &now);
        key[0] = (uint64_t)now.tv_nsec * UINT64_C(0x9e3779b97f4a7c15);
        key[1] = (uint64_t)(uintptr_t)&now ^ (uint64_t)now.tv_sec << 32;
        key[2] = (uint64_t)(uintptr_t)key ^ key[0];
    }
    key[2] |= 1;
}

uint64_t og_hash_secret(void)
{
    (void)pthread_once(&once, make_key);
    return key[2];
}

static inline uint64_t turn(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = turn(v[1], 13) ^ v[0];
    v[0] = turn(v[0], 32);
    v[2] += v[3];
    v[3] = turn(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = turn(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = turn(v[1], 17) ^ v[2];
    v[2] = turn(v[2], 32);
}

static inline void take_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_round(v);
    v[0] ^= word;
}

uint64_t og_hash(struct og_str text, uint64_t salt)
{
    uint64_t v[4], word, last = (uint64_t)text.len << 56;
    size_t at = 0;

    (void)og_hash_secret();
    v[0] = key[0] ^ UINT64_C(0x736f6d6570736575);
    v[1] = key[1] ^ UINT64_C(0x646f72616e646f6d);
    v[2] = key[0] ^ UINT64_C(0x6c7967656e657261);
    v[3] = key[1] ^ UINT64_C(0x7465646279746573);
    take_word(v, salt);
    for (; at + 8 <= text.len; at += 8) {
        memcpy(&word, text.s + at, 8);
        take_word(v, word);
    }
    for (int i = 0; at < text.len; at++, i += 8)
        last |= (uint64_t)(unsigned char)text.s[at] << i;
    take_word(v, last);
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
