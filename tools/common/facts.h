/*
 * Files of facts; every command reads them with og_file_read().
 */
#pragma once

#define FACTS_FILE_MOST ((size_t)256 << 20) /* maximum size of a facts file, in bytes */
