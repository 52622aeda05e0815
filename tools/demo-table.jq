# Events of ordergate send, one line a row for people.
def pad($n): tostring | .[0:$n] | . + (" " * ([$n - length, 0] | max));
def row($what; $how; $why): "\((.line // "") | pad(4)) \((.clientOrderId // "-") | pad(6)) \($what | pad(9)) \($how | pad(16)) \($why)" | sub(" +$"; "");
if .event == "decision" then
  ([.findings[] | select(.level == "refuse")][0] // ([.findings[] | select(.level == "warn")][0])) as $f
  | row("decision"; .verdict; if $f then "\($f.reason): \($f.message)" else "" end)
elif .event == "posted" then row("posted"; .orderStatus // "HTTP \(.http)"; "HTTP \(.http)")
elif .event == "update" then row("update"; .orderStatus; "\(.source)\(if .text then ": " + .text else "" end)")
elif .event == "outcome" then
  row("outcome"; .outcome; (if (.executed // 0) != 0 then "\(.executed) at \(.priceAvg)" else (.text // "") end))
else empty end
