/*
 * Makes unsafe functions fail to compile; base/ has a safe replacement for each.  Every .c file includes it last.
 */
#ifndef OG_BASE_BANNED_H
#define OG_BASE_BANNED_H

#define OG_BANNED(f) og_this_function_is_banned_##f

#undef strcpy
#define strcpy(a, b) OG_BANNED(strcpy)
#undef strcat
#define strcat(a, b) OG_BANNED(strcat)
#undef strncpy
#define strncpy(a, b, n) OG_BANNED(strncpy)
#undef strncat
#define strncat(a, b, n) OG_BANNED(strncat)
#undef strtok
#define strtok(a, b) OG_BANNED(strtok)
#undef sprintf
#define sprintf(...) OG_BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) OG_BANNED(vsprintf)
#undef gets
#define gets(a) OG_BANNED(gets)
#undef atoi
#define atoi(a) OG_BANNED(atoi)
#undef atof
#define atof(a) OG_BANNED(atof)
#undef localtime
#define localtime(a) OG_BANNED(localtime)
#undef localtime_r
#define localtime_r(a, b) OG_BANNED(localtime_r)
#undef strtod
#define strtod(a, b) OG_BANNED(strtod)

#endif
