/*
 * Injected faults: which requests and stream frames misbehave, and how.
 */
#pragma once

#include <cjson/cJSON.h>

#include "paper/http.h"

struct og_paper_fault {
    enum og_paper_fault_action action;
    bool effect; /* the request is carried out, and only its answer is spoiled */
    int status;  /* status of the answer, if the request is not carried out */
    int64_t delay_ns;
};

enum og_paper_frame_fault { OG_FRAME_AS_IS, OG_FRAME_DROP, OG_FRAME_TWICE, OG_FRAME_LATE, OG_FRAME_CUT };

bool og_paper_fault_init(struct og_paper *p);
void og_paper_fault_clear(struct og_paper *p); /* removes all faults */
void og_paper_fault_free(struct og_paper *p);

extern const char og_paper_fault_no_memory[];
/* Add a fault, given as in the control call.  Returns NULL; or a text that says what is wrong. */
const char *og_paper_fault_add(struct og_paper *p, const cJSON *doc);
/* Replace all faults by those of a list; the same list changes nothing.  Returns NULL; or a text that says what is
 * wrong, and then nothing was changed. */
const char *og_paper_fault_replace(struct og_paper *p, const cJSON *list);
/* Write the faults that are still to come as an array, each in the form in which it is added. */
void og_paper_fault_write(const struct og_paper *p, struct og_buf *b);

/* Get the fault for a request of this name (such as "POST order"), and lower the number of requests that it still
 * spoils. Returns false if there is no such fault. */
bool og_paper_fault_next(struct og_paper *p, const char *name, struct og_paper_fault *fault);
/* Returns by how many ns a fault delays the registration of the order that this request places; 0 if none does. Other
 * faults may apply to the request in addition. */
int64_t og_paper_fault_registration_delay(struct og_paper *p, const char *name);
enum og_paper_frame_fault og_paper_fault_frame(struct og_paper *p, const char *stream);
