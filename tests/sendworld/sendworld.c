/*
 * Runs the sender in random worlds, without a network.
 *
 * sendworld [--count N] [--seed S] [--world W]
 *
 * plays N worlds from seed S; --world W plays only that one and prints every step. It fails if a property of judge.c
 * or ways_out.c does not hold.
 */
#include <stdlib.h>
#include <unistd.h>

#include "world.h"

struct world w;

void tell(const char *format, ...)
{
    va_list args;

    if (!w.tells)
        return;
    printf("%4llu.%03llu  ", (unsigned long long)(now_ms() / 1000 - 1000), (unsigned long long)(now_ms() % 1000));
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    fflush(stdout);
}

void broken(const char *property, const char *format, ...)
{
    char text[300];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tell("BROKEN %s: %s", property, text);
    if (w.fault[0] == '\0')
        snprintf(w.fault, sizeof w.fault, "%s: %s", property, text);
}

/* --- one world ---------------------------------------------------------------------------------------------------- */

static void draw_weather(void)
{
    struct weather *x = &w.weather;
    const int kind = (int)chance_to(&w.chance, 10);

    memset(x, 0, sizeof *x);
    x->slow_most_ms = (int)chance_to(&w.chance, kind < 3 ? 100 : kind < 7 ? 2000 : 9000);
    x->lag_most_ms = (int)chance_to(&w.chance, kind < 3 ? 100 : 9000);
    if (kind % 2 == 0)
        return;
    x->unsent = (int)chance_to(&w.chance, 6);
    x->lost_before = (int)chance_to(&w.chance, 8);
    x->lost_after = (int)chance_to(&w.chance, 8);
    x->error_before = (int)chance_to(&w.chance, 8);
    x->error_after = (int)chance_to(&w.chance, 8);
    x->busy = (int)chance_to(&w.chance, 5);
    x->lost_frames = (int)chance_to(&w.chance, 20);
    x->stream_falls_ms = chance_in(&w.chance, 50) ? 1000 + (int)chance_to(&w.chance, 30000) : 0;
    x->stands_s = chance_in(&w.chance, 30) ? (int)chance_to(&w.chance, 60) : 0;
}

static void draw_world(void)
{
    static const struct symbol symbols[SYMBOLS] = { { "AAPL", 100, true, false, 0, 0 },
                                                    { "MSFT", 50, true, false, 0, 0 },
                                                    { "F", 10, false, false, 0, 0 } };

    draw_weather();
    memcpy(w.symbol, symbols, sizeof symbols);
    for (int i = 0; i < SYMBOLS; i++)
        w.symbol[i].start = chance_in(&w.chance, 50) ? 1 + chance_to(&w.chance, 200) : 0;
    w.settle_ms = chance_in(&w.chance, 50) ? 2000 : 0;
    w.most_gross = chance_in(&w.chance, 60) ? 10000 + chance_to(&w.chance, 40000) : 0;
    w.live = chance_in(&w.chance, 50);
    w.resends = chance_in(&w.chance, 15);
    w.two = chance_in(&w.chance, 35);
    if (chance_in(&w.chance, 30))
        w.symbol[chance_to(&w.chance, SYMBOLS)].foreign = true;
    w.tags = chance_of(w.number, 4);
    w.most_a_minute = chance_in(&w.tags, 30) ? 1 + chance_to(&w.tags, 8) : 0;
    w.most_traded = chance_in(&w.tags, 30) ? 100 + chance_to(&w.tags, 600) : 0;
    w.window_ms = 1000 * (2 + (uint64_t)chance_to(&w.tags, 40));
    draw_limits();
}

static void pass(uint64_t until_ms)
{
    while (next_deed(until_ms, (unsigned char)chance_to(&w.noise, 256)))
        turn_runs();
}

/* Returns one of the runs that are alive; -1 if there is none. */
static int alive(void)
{
    int runs[RUNS_MOST], count = 0;

    for (int i = 0; i < w.runs; i++)
        if (w.run[i].alive)
            runs[count++] = i;
    return count > 0 ? runs[chance_to(&w.chance, count)] : -1;
}

static int count_alive(void)
{
    int count = 0;

    for (int i = 0; i < w.runs; i++)
        count += w.run[i].alive;
    return count;
}

/* Start a run; sometimes the last lines are given to it once more. */
static void begin_another(void)
{
    const int run = begin_run(false);

    if (chance_in(&w.chance, 30))
        for (int i = w.lines > 5 ? w.lines - 5 : 0, most = w.lines; i < most; i++)
            give_line(run, &w.line[i]);
    pass(now_ms() + 1); /* runs have ids by the millisecond */
}

static void one_step(void)
{
    int run;

    pass(now_ms() + (uint64_t)chance_to(&w.chance, chance_in(&w.chance, 40) ? 20 : 4000));
    if (chance_in(&w.chance, 4) && (run = alive()) >= 0) {
        tell("run %d is killed", run);
        end_run(&w.run[run]);
        pass(now_ms() + 1 + (uint64_t)chance_to(&w.chance, chance_in(&w.chance, 50) ? 3 : 5000));
    }
    if (count_alive() < (w.two && chance_in(&w.chance, 50) ? 2 : 1))
        begin_another();
    if (chance_in(&w.chance, 10))
        trade_elsewhere();
    if ((run = alive()) >= 0)
        give_line(run, w.lines > 0 && chance_in(&w.chance, 4) ? &w.line[chance_to(&w.chance, w.lines)] : NULL);
}

/* Returns when no run is alive, or when a property does not hold. */
static void await_end(const char *who)
{
    const uint64_t until = now_ms() + 300000;

    while (count_alive() > 0 && now_ms() < until && w.fault[0] == '\0')
        pass(now_ms() + 500);
    if (count_alive() > 0 && w.fault[0] == '\0')
        broken("no-end", "%s", who);
}

/* The faults stop: the runs end, and another run finds out what they left. */
static void end_world(void)
{
    w.calm = true;
    tell("the weather is calm");
    for (int i = 0; i < w.runs; i++)
        if (w.run[i].alive)
            og_sender_end(w.run[i].s);
    await_end("a run does not end");
    if (w.fault[0] != '\0')
        return;
    w.frozen = true;
    (void)begin_run(true);
    await_end("the run that recovers does not end");
    judge_end();
}

static void play(uint64_t number, bool tells)
{
    char command[128];
    uint64_t until;

    memset(&w, 0, sizeof w);
    w.number = number;
    w.tells = tells;
    w.chance = chance_of(number, 1);
    w.dice = chance_of(number, 2);
    w.noise = chance_of(number, 3);
    clock_begin();
    judge_begin();
    draw_world();
    snprintf(w.folder, sizeof w.folder, "/dev/shm/og-world-XXXXXX");
    if (access("/dev/shm", W_OK) != 0)
        snprintf(w.folder, sizeof w.folder, "/tmp/og-world-XXXXXX");
    if (!mkdtemp(w.folder))
        abort();
    setenv("XDG_STATE_HOME", w.folder, 1);
    setenv("ORDERGATE_BASE_URL", w.settle_ms > 0 ? "https://broker.invalid" : "http://127.0.0.1:9", 1);
    until = now_ms() + 10000 + (uint64_t)chance_to(&w.chance, 50000);
    begin_another();
    while (now_ms() < until && w.fault[0] == '\0' && w.runs < RUNS_MOST - 3 && w.lines < LINES_MOST - 20)
        one_step();
    if (w.fault[0] == '\0')
        end_world();
    for (int i = 0; i < w.runs; i++)
        if (w.run[i].alive)
            end_run(&w.run[i]);
    network_end();
    snprintf(command, sizeof command, "rm -rf '%s'", w.folder);
    if (system(command) != 0)
        abort();
}

int main(int argc, char **argv)
{
    uint64_t seed = 1, world = 0;
    long count = 1000, failed = 0;

    for (int i = 1; i < argc; i++) {
        if (i + 1 == argc)
            return 2;
        else if (strcmp(argv[i], "--count") == 0)
            count = atol(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--world") == 0)
            world = strtoull(argv[++i], NULL, 10);
        else
            return 2;
    }
    setenv("ORDERGATE_KEY_ID", "KEY1", 1);
    setenv("ORDERGATE_SECRET_KEY", "SECRET12345", 1);
    unsetenv("ORDERGATE_ACCOUNT");
    if (world != 0) {
        play(world, true);
        printf("%s\n", w.fault[0] != '\0' ? w.fault : "all holds");
        return w.fault[0] != '\0';
    }
    for (long i = 0; i < count; i++) {
        play(seed * 1000000 + (uint64_t)i, false);
        if (w.fault[0] == '\0')
            continue;
        printf("world %llu: %s\n", (unsigned long long)w.number, w.fault);
        fflush(stdout);
        failed++;
    }
    printf("seed %llu: %ld worlds, %ld failed\n", (unsigned long long)seed, count, failed);
    return failed > 0;
}
