# Asks the user of this script, and waits. Copy this file next to yours, and start yours: npx sandagent run sh agent.sh
#   . ./ask.sh; where=$(ask 'Where to?' Staging Production) || exit
#   seconds=$(ASK_TYPED='{"kind":"number","min":1}' ask 'How long?') || exit
# `ask` prints the label that was picked, or the words that were typed. Without options, the person types. It returns 1 if nobody
# answered, or the person declined, and 2 if the question cannot be asked: standard error says why. It needs awk alone.
exec 3>&1 # The output of `ask` is the answer. The question goes to the output of the script.
_ask_ends=$(stat -Lc %d:%i /dev/fd/0 /dev/fd/3 2>&- || { stat -f %d:%i && stat -f %d:%i <&3; } 2>&- || echo sh)
export SANDAGENT_OUTPUT="${SANDAGENT_OUTPUT:-$_ask_ends}" # A program below that has other ones asks in the folder.
ask() {
  [ "${SANDAGENT_PROMPT+set}$_ask_ends" = "set$SANDAGENT_OUTPUT" ] ||
    { echo "Nobody hears the question. Start this with npx sandagent run sh $0, or pass on input and output" >&2; return 2; }
  [ $# -gt 0 ] || { echo "The question is missing: ask QUESTION OPTION…" >&2; return 2; }
  ASK_TYPED=${ASK_TYPED-} LC_ALL=C awk 'BEGIN {
    typed = ENVIRON["ASK_TYPED"]; gsub(/\n/, " ", typed); if (typed != "") typed = ",\"typed\":" typed
    for (i = 1; i < 32; i++) escaped[sprintf("%c", i)] = sprintf("\\u%04x", i); escaped["\""] = "\\\""; escaped["\\"] = "\\\\"
    for (i = 1; i < ARGC; i++) { text[i] = "\""
      for (j = 1; j <= length(ARGV[i]); j++) { c = substr(ARGV[i], j, 1); text[i] = text[i] (c in escaped ? escaped[c] : c) }
      if (i > 1) options = options (i > 2 ? "," : "") "{\"label\":" text[i] "\"}"
    }
    print "{\"type\":\"ask\",\"questions\":[{\"id\":\"0\",\"question\":" text[1] "\",\"options\":[" options "]" typed "}]}"
  }' "$@" >&3
  while IFS= read -r reply; do case $reply in # In JSON, the key "0" is the first one.
    '{"type":"answer"'*'"answers":{"0":"'*) _ask_text "${reply#*'"answers":{"0":"'}"; return 0 ;;
    '{"type":"answer"'*) return 1 ;;
    '{"type":"error","id"'*) _ask_text "${reply#*'"message":"'}" >&2; [ -z "${ASK_TYPED-}" ] || echo "ASK_TYPED: $ASK_TYPED" >&2; return 2 ;;
  esac; done
  echo 'The run ended before this question did. Start it again with the same --run-id' >&2; return 2
}
_ask_text() { # Prints what the rest of a JSON string says.
  printf '%s\n' "$1" | LC_ALL=C awk '{
    plain["n"] = "\n"; plain["r"] = "\r"; plain["t"] = "\t"; plain["b"] = "\b"; plain["f"] = "\f"; hex = "123456789abcdef"
    for (i = 1; (c = substr($0, i, 1)) != "\"" && c != ""; i++) {
      if (c == "\\") { c = substr($0, ++i, 1)
        if (c in plain) c = plain[c]
        else if (c == "u") { code = 16 * index(hex, substr($0, i + 3, 1)) + index(hex, substr($0, i + 4, 1))
          c = substr($0, i + 1, 2) == "00" ? sprintf("%c", code) : "?"; i += 4 } }
      printf "%s", c
    }
    print "" }'
}
