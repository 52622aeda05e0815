/*
 * The report of a day: one JSON object. The text and the HTML page are made from it, so that all three show the same
 * figures.
 */
#pragma once

#include "ledger/list.h"

/* Write the report as text, or as an HTML page with plots. */
void og_report_words(const cJSON *report, const struct og_sheet *sheet);
void og_report_page(const cJSON *report, struct og_buf *to);
