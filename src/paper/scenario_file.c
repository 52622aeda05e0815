/*
 * Reads scenario files from disk, and those that are compiled in from tools/scenarios/. A shipped scenario, and the
 * files that it names, are read only from the program, never from disk.
 */
#include "paper/scenario_file.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/file.h"
#include "text/pattern.h"

struct shipped {
    const char *name, *text; /* name: that of the file, for a scenario without ".yaml"; text: its contents */
    size_t len;
};

#include "paper/shipped_text.inc"

#define SHIPPED    (sizeof(shipped) / sizeof(shipped[0]))
#define MOST_BYTES ((size_t)64 << 20)

static bool ends(const char *name, const char *tail)
{
    size_t len = strlen(name), tail_len = strlen(tail);

    return len >= tail_len && strcmp(name + len - tail_len, tail) == 0;
}

static bool is_path(const char *name)
{
    return strchr(name, '/') || ends(name, ".yaml") || ends(name, ".yml");
}

static enum og_status read_shipped(const char *name, struct og_str *bytes, struct og_error *err)
{
    const char *names[SHIPPED];
    size_t i, count = 0;

    for (i = 0; i < SHIPPED; i++) {
        if (strcmp(shipped[i].name, name) == 0) {
            *bytes = (struct og_str){ shipped[i].text, shipped[i].len };
            return OG_OK;
        }
        if (!strchr(shipped[i].name, '.')) /* a name with a dot is a file that a scenario replays, not a scenario */
            names[count++] = shipped[i].name;
    }
    return og_fail(err, OG_ENOENT, "there is no shipped scenario '%s'%s; a path must have a '/' or end in .yaml", name,
                   og_meant(og_nearest(og_str_of(name), names, count)).s);
}

static enum og_status read_path(const char *path, struct og_str *bytes, char **owned, struct og_error *err)
{
    enum og_status status = og_file_read(path, OG_FILE_READ, MOST_BYTES, owned, &bytes->len, NULL, err);

    bytes->s = *owned;
    return status;
}

enum og_status og_paper_source_read(const char *name, const char *of, struct og_str *bytes, char **owned,
                                    struct og_error *err)
{
    const char *slash = of ? strrchr(of, '/') : NULL;
    enum og_status status;
    struct og_buf path;

    *owned = NULL;
    if (!of && strcmp(name, "-") == 0)
        return read_path("-", bytes, owned, err);
    if (of ? !is_path(of) : !is_path(name))
        return read_shipped(name, bytes, err);
    og_buf_init(&path, 0);
    if (slash && name[0] != '/')
        og_buf_bytes(&path, of, (size_t)(slash - of) + 1);
    og_buf_text(&path, name);
    status = path.bad ? og_fail(err, OG_ENOMEM, "out of memory") : read_path(path.s, bytes, owned, err);
    og_buf_clear(&path);
    return status;
}
