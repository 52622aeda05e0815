/*
 * The exit codes of all programs; docs/contract.md says for each program when it ends with which.
 */
#pragma once

enum {
    EXIT_NO = 1,       /* the answer is no: an order refused, a finding, a looser policy, a failed test */
    EXIT_USAGE = 2,    /* the command line is wrong */
    EXIT_UNUSABLE = 3, /* a policy, facts or configuration that cannot be used */
    EXIT_IO = 4,       /* a file, the network or memory failed */
    EXIT_UNKNOWN = 5   /* the broker's answer is not known */
};
