/*
 * Faults on demand: which requests and frames misbehave, and how.
 */
#ifndef OG_PAPER_FAULT_H
#define OG_PAPER_FAULT_H

#include "paper/http.h"

#include <cjson/cJSON.h>

struct og_paper_fault {
    enum og_paper_fault_action action;
    bool effect; /* the request is carried out */
    int status;  /* of an answer without effect */
    int64_t delay_ns;
};

enum og_paper_frame_fault { OG_FRAME_AS_IS, OG_FRAME_DROP, OG_FRAME_TWICE, OG_FRAME_LATE, OG_FRAME_CUT };

bool og_paper_fault_init(struct og_paper *p);
void og_paper_fault_clear(struct og_paper *p); /* none left */
void og_paper_fault_free(struct og_paper *p);

extern const char og_paper_fault_no_memory[];
/* Take in one fault as the control call words it; NULL, or what is wrong with it. */
const char *og_paper_fault_add(struct og_paper *p, const cJSON *doc);

/* The fault that a request of that name ("POST order") meets, counted down; false: none. */
bool og_paper_fault_next(struct og_paper *p, const char *name, struct og_paper_fault *fault);
/* How much later an order of that request registers, whatever else it meets; 0: no fault has it late. */
int64_t og_paper_fault_registration_delay(struct og_paper *p, const char *name);
enum og_paper_frame_fault og_paper_fault_frame(struct og_paper *p, const char *stream);

#endif
