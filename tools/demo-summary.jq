# How many orders had which outcome.
[.[] | select(.event == "outcome")] as $o
| "\($o | length) orders: " + ([$o | group_by(.outcome)[] | "\(length) \(.[0].outcome)"] | join(", ")),
  "refused here, by reason: " + ([.[] | select(.event == "decision" and .verdict == "refuse")
    | [.findings[] | select(.level == "refuse")][0].reason] | group_by(.) | map("\(.[0]) \(length)") | join(", ")),
  "rejected by the broker:  " + ([$o | sort_by(.clientOrderId)[] | select(.outcome == "rejected") | "\(.clientOrderId) \(.code // "without a code")"] | join(", "))
