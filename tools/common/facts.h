/*
 * Files of facts, which all commands read by og_file_read().
 */
#ifndef OG_TOOLS_FACTS_H
#define OG_TOOLS_FACTS_H

#define FACTS_FILE_MOST ((size_t)256 << 20) /* bytes */

#endif
