/*
 * The digits of 0 .. 99, two each.  It refuses anything larger: who writes a number takes it apart.
 */
#include "base/digits.h"

#include "base/banned.h"

const char og_digit_pairs[200] = "0001020304050607080910111213141516171819"
                                 "2021222324252627282930313233343536373839"
                                 "4041424344454647484950515253545556575859"
                                 "6061626364656667686970717273747576777879"
                                 "8081828384858687888990919293949596979899";
