/*
 * The exit codes of all programs; docs/contract.md says for each program when it ends with which.
 */
#pragma once

enum {
    EXIT_NO = 1,       /* the answer is no: an order was refused, something was found, a policy is looser, a test
                        * failed */
    EXIT_USAGE = 2,    /* the command line is wrong */
    EXIT_UNUSABLE = 3, /* a policy, facts or the configuration cannot be used */
    EXIT_IO = 4,       /* an error of a file or the network, or out of memory */
    EXIT_UNKNOWN = 5   /* the broker's answer is not known */
};
