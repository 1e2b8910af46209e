while IFS= read -r line; do
  case $line in
    *'"type":"hello"'*) echo '{"type":"ready","protocol":1}' ;;
    *'"type":"act"'*)
      echo "$line" | jq -c '.choice as $c | {id, move: (if $c.kind == "one" then $c.options[0]
        else $c.options[:$c.low] end)}' ;;
    *'"type":"bye"'*) exit 0 ;;
  esac
done
