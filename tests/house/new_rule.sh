#!/bin/sh
# tools/new-rule writes a rule that compiles, in its place in the register, once, and touches nothing else; and no other
# station knows rules by their ids: new_rule.sh ROOT GENERATED CC
set -eu
root=$1 generated=$2 cc=$3
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/tests"
cp -R "$root/rules" "$root/src" "$root/tools" "$copy/"
cp -R "$root/tests/rules" "$copy/tests/"
cd "$copy"
fail() { echo "new_rule.sh: $*" >&2; exit 1; }

tools/new-rule 299 a-test-of-new-rule
"$cc" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wconversion -Wshadow -Werror -fsyntax-only -I"$root/include" -I"$root/src" -I"$copy" \
    -I"$generated" rules/a_test_of_new_rule.c || fail "the rule does not compile"
numbers=$(sed -n 's/^OG_RULE(\([0-9]*\),.*/\1/p' rules/rules.def)
[ "$numbers" = "$(echo "$numbers" | sort -n)" ] || fail "the register is not sorted"
grep -qx 'OG_RULE(299, a_test_of_new_rule)' rules/rules.def || fail "no line in the register"
[ "$(wc -l <rules/rules.def)" -eq $(($(wc -l <"$root/rules/rules.def") + 1)) ] || fail "more than one line changed"
touched=$(for folder in rules src tools tests/rules; do diff -rq "$root/$folder" "$copy/$folder" || true; done)
wanted="Only in $copy/rules: a_test_of_new_rule.c
Files $root/rules/rules.def and $copy/rules/rules.def differ
Only in $copy/tests/rules: a-test-of-new-rule.cases"
[ "$(echo "$touched" | sort)" = "$(echo "$wanted" | sort)" ] || fail "it touched: $touched"
grep -q 'a-test-of-new-rule-exceeded over' tests/rules/a-test-of-new-rule.cases || fail "no cases"

tools/new-rule 1099 a-late-rule >/dev/null
grep -qx 'OG_RULE(1099, a_late_rule)' rules/rules.def || fail "takes no number of four digits"
numbers=$(sed -n 's/^OG_RULE(\([0-9]*\),.*/\1/p' rules/rules.def)
[ "$numbers" = "$(echo "$numbers" | sort -n)" ] || fail "the register is not sorted by number"

before=$(cat rules/rules.def)
for words in '99 another-rule' '10000 another-rule' '299 another-rule' '298 a-test-of-new-rule' '298' 'x another-rule' '298 Another' '298 another_rule'; do
    # shellcheck disable=SC2086 (words are words)
    if tools/new-rule $words >/dev/null 2>&1; then fail "takes '$words'"; fi
done
[ "$before" = "$(cat rules/rules.def)" ] || fail "what it refused changed the register"
[ ! -e rules/another_rule.c ] || fail "what it refused wrote a file"

# Other stations read descriptors and know no rule, neither by its id nor by its symbol.  (Ids without a hyphen are words of
# other meanings too, and locate-* are names of requests.)
ids=$(sed -n 's/^    \.id = "\([a-z]*-[a-z-]*\)",$/"\1"/p' "$root"/rules/*.c | grep -v '^"locate-')
symbols=$(sed -n 's/^OG_RULE([0-9]*, \(.*\))$/og_rule_\1\nOG_PLACE_\1\nOG_CODE_\1/p' "$root/rules/rules.def")
[ "$(echo "$ids" | wc -l)" -gt 30 ] || fail "cannot read the ids of the rules"
[ "$(echo "$symbols" | wc -l)" -gt 150 ] || fail "cannot read the register"
# Nor do they know what a rule finds, but for a cancel of an order that is over, and a locate that is asked for too soon.
reasons=$(sed -n 's/.*{ \.id = "\([a-z0-9]*-[a-z0-9-]*\)",$/"\1"/p' "$root"/rules/*.c)
[ "$(echo "$reasons" | wc -l)" -gt 150 ] || fail "cannot read the ids of the reasons"
reasons=$(echo "$reasons" | grep -v '^"cancel-terminal"$\|^"locate-cooldown"$')
knows_rules() {
    ! { printf '%s\n' "$ids" "$reasons" | grep -rnF -f - "$@" --include='*.[ch]' --include='*.def' ||
        echo "$symbols" | grep -rnwF -f - "$@" --include='*.[ch]' --include='*.def'; }
}
knows_rules "$root/src" "$root/tools" ||
    fail "the lines above know single rules: put that into the rules' descriptors (rules/rule.h)"
for line in 'x = "order-notional";' 'x = "quantity-above-limit";' 'x = &og_rule_order_notional;' 'x[OG_PLACE_size_limit] = 1;' 'x == OG_CODE_trading'; do
    echo "$line" >"$copy/src/check/knows.c"
    if knows_rules "$copy/src" >/dev/null; then fail "does not see '$line'"; fi
done
