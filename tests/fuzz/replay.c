/*
 * Runs a fuzz target without a fuzzer: every file of a folder, then mutations of them, the same ones each time.
 *
 * fuzz_json FOLDER [MUTATIONS]
 *
 * An empty folder is an error: a corpus that got lost must not pass.
 */
#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#define MOST_FILES 1000
#define MOST_BYTES (1 << 20)

struct input {
    uint8_t *bytes;
    size_t len;
};

static struct input inputs[MOST_FILES];
static size_t count;
static uint64_t seed = 1;

/* The number of the current input, printed if the program crashes. */
static volatile long trying;

static void say_which(int sig)
{
    char line[64];
    int len = snprintf(line, sizeof line, "crashed on input or mutation %ld\n", trying);

    (void)!write(STDERR_FILENO, line, (size_t)len);
    signal(sig, SIG_DFL);
    raise(sig);
}

static uint64_t random_below(uint64_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return n ? seed % n : 0;
}

/* Run the target on a copy of exactly this size, so that a sanitizer sees reads beyond it. */
static void run(const uint8_t *bytes, size_t len)
{
    uint8_t *exact = malloc(len + 1);

    DEMAND(exact);
    memcpy(exact + 1, bytes, len);
    trying++;
    DEMAND(LLVMFuzzerTestOneInput(exact + 1, len) == 0);
    free(exact);
}

static int not_hidden(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

static void load(const char *folder)
{
    struct dirent **names;
    int n = scandir(folder, &names, not_hidden, alphasort);

    for (int i = 0; i < n && count < MOST_FILES; i++) {
        char path[4096];
        FILE *f;

        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        f = fopen(path, "rb");
        DEMAND(f);
        inputs[count].bytes = malloc(MOST_BYTES);
        DEMAND(inputs[count].bytes);
        inputs[count].len = fread(inputs[count].bytes, 1, MOST_BYTES, f);
        count++;
        fclose(f);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

static size_t remove_range(uint8_t *b, size_t len)
{
    size_t at = random_below(len), n = 1 + random_below(len - at < 16 ? len - at : 16);

    if (at + n > len)
        return at;
    memmove(b + at, b + at + n, len - at - n);
    return len - n;
}

/* Insert bytes into b at a random place. */
static size_t insert(uint8_t *b, size_t len, const uint8_t *from, size_t n)
{
    size_t at = random_below(len + 1);

    memmove(b + at + n, b + at, len - at);
    memcpy(b + at, from, n);
    return len + n;
}

/* Make one change; b has room for 64 bytes more than len. */
static size_t mutate(uint8_t *b, size_t len)
{
    static const char *const words[] = { "\"",
                                         "\\",
                                         "{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "0",
                                         "-",
                                         "1e99",
                                         "\\ud800",
                                         "\\u0000",
                                         "null",
                                         "\xff",
                                         "\xed\xa0\x80",
                                         "\n",
                                         "\t",
                                         "&a",
                                         "*a",
                                         "!!x",
                                         "---\n",
                                         "'",
                                         "9223372036854775808",
                                         "0.0000000000000000001",
                                         "\xc3\xa9",
                                         "\xe2\x80\xa8",
                                         "? " };
    const struct input *other = &inputs[random_below(count)];
    uint8_t piece[64];
    size_t n, at;

    if (len == 0 || random_below(4) == 0) {
        const char *word = words[random_below(sizeof words / sizeof *words)];

        return insert(b, len, (const uint8_t *)word, strlen(word));
    }
    at = random_below(len);
    switch (random_below(6)) {
    case 0: b[at] = (uint8_t)(b[at] ^ 1u << random_below(8)); return len;
    case 1: b[at] = (uint8_t)random_below(256); return len;
    case 2: return at; /* cut off */
    case 3: return remove_range(b, len);
    case 4:
        n = len - at < 32 ? len - at : 32;
        memcpy(piece, b + at, n);
        return insert(b, len, piece, n);
    default:
        at = random_below(other->len);
        n = other->len - at < sizeof piece ? other->len - at : sizeof piece;
        return insert(b, len, other->bytes + at, random_below(n + 1));
    }
}

static void run_mutations(long most)
{
    uint8_t *b = malloc(MOST_BYTES + 1024);

    DEMAND(b);
    for (long i = 0; i < most; i++) {
        const struct input *in = &inputs[(size_t)i % count];
        size_t len = in->len, changes = 1 + random_below(8);

        memcpy(b, in->bytes, len);
        for (; changes > 0; changes--)
            len = mutate(b, len);
        run(b, len);
    }
    free(b);
}

int main(int argc, char **argv)
{
    long most = argc > 2 ? strtol(argv[2], NULL, 10) : 20000;

    if (argc < 2) {
        fprintf(stderr, "usage: %s FOLDER [MUTATIONS]\n", argv[0]);
        return 2;
    }
    load(argv[1]);
    if (count == 0) {
        fprintf(stderr, "%s: no inputs\n", argv[1]);
        return 1;
    }
    signal(SIGABRT, say_which);
    signal(SIGSEGV, say_which);
    run((const uint8_t *)"", 0);
    for (size_t i = 0; i < count; i++)
        run(inputs[i].bytes, inputs[i].len);
    run_mutations(most);
    printf("%zu inputs and %ld mutations\n", count, most);
    for (size_t i = 0; i < count; i++)
        free(inputs[i].bytes);
    return 0;
}
