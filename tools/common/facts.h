/*
 * Files of facts, which all commands read by og_file_read().
 */
#pragma once

#define FACTS_FILE_MOST ((size_t)256 << 20) /* bytes */
