/*
 * The commands that are part of the program ordergate.  argv[0] is "ordergate <command>"; each returns its exit code.
 */
#pragma once

int og_cmd_check(int argc, char **argv);
int og_cmd_lint(int argc, char **argv);
int og_cmd_rules(int argc, char **argv);
int og_cmd_explain(int argc, char **argv);
int og_cmd_policy(int argc, char **argv);
int og_cmd_policy_diff(int argc, char **argv);
int og_cmd_policy_explain(int argc, char **argv);
int og_cmd_policy_new(int argc, char **argv);
int og_cmd_policy_sign(int argc, char **argv);
int og_cmd_policy_verify(int argc, char **argv);
int og_cmd_fmt(int argc, char **argv);
int og_cmd_schema(int argc, char **argv);
int og_cmd_test(int argc, char **argv);
