/*
 * Progress on stderr, while a program works through a long input: how much is done, how fast, and when it will be done.
 * It is shown only if stderr is a terminal and stdout is not, and nobody types the input.
 */
#pragma once

/* Set the input, so that it is known what share of it is done: the named files, or stdin if there are none.  Without a
 * call the input's size is not known. */
void og_progress_input(int count, char *const *names);
/* Show "program: 12000 orders, 31 refused, 42%, 18000 a second, 9 s left", at most twice a second, and not in the first
 * half second.  bytes: how much of the input was read; 0: not known. */
void og_progress(const char *program, long long orders, long long some, const char *word, long long bytes);
void og_progress_end(void);
