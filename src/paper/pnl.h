/*
 * The P&L of an account, in the forms of the REST endpoint and of the P&L stream.
 */
#pragma once

#include "paper/account.h"

enum og_paper_pnl_form { OG_PNL_REST, OG_PNL_STREAM };

/* Write the complete document: the rows (key "pnl", on the stream "positions") and the twelve figures. */
void og_paper_pnl_write(struct og_paper *p, const struct og_paper_account *account, struct og_buf *b,
                        enum og_paper_pnl_form form);
/* Write one lot in the stream's form.  Returns false if the lot has no row. */
bool og_paper_pnl_lot_write(struct og_paper *p, const struct og_paper_account *account, const struct og_paper_lot *lot,
                            struct og_buf *b);
/* Write only the figures, as an object. */
void og_paper_pnl_totals_write(struct og_paper *p, const struct og_paper_account *account, struct og_buf *b);
