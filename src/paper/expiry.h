/*
 * Expiry of options at the close of their last day.
 */
#pragma once

struct og_paper;

/* Expire every contract whose last day is over: its working orders become Expired, and its lots are closed. */
void og_paper_expiry_run(struct og_paper *p);
