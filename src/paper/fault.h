/*
 * Injected faults: which requests and stream frames misbehave, and how.
 */
#pragma once

#include <cjson/cJSON.h>

#include "paper/http.h"

struct og_paper_fault {
    enum og_paper_fault_action action;
    bool effect; /* the request is carried out: only its answer is spoiled */
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

/* Get the fault for a request of this name ("POST order"), and count it down.  Returns false if there is none. */
bool og_paper_fault_next(struct og_paper *p, const char *name, struct og_paper_fault *fault);
/* Returns by how many ns the registration of the order is delayed that this request places, beside any other fault; 0
 * if not at all. */
int64_t og_paper_fault_registration_delay(struct og_paper *p, const char *name);
enum og_paper_frame_fault og_paper_fault_frame(struct og_paper *p, const char *stream);
