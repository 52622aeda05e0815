/*
 * The report of a day: one JSON object, from which the words and the page are made, so that all have the same figures.
 */
#pragma once

#include "ledger/list.h"

/* Write the report in words, or as a page of HTML with its plots. */
void og_report_words(const cJSON *report, const struct og_sheet *sheet);
void og_report_page(const cJSON *report, struct og_buf *to);
