/*
 * Words that may stand for a value, for the completion of shells (--help=words).
 */
#pragma once

#include <stddef.h>

/* Returns the i-th word for a value that an option table calls POLICY (the shipped policies), RULE (the rules) or
 * REASON (the rules, and what they may find); NULL past the end, or if the value is called otherwise. */
const char *complete_word(const char *value, size_t i);
