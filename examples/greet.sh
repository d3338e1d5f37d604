# sandagent run sh examples/greet.sh
echo '{"type":"say","text":"I write a greeting. One question first."}'
echo '{"type":"ask","questions":[{"question":"In which language?","options":[{"label":"English"},{"label":"Français"}]}]}'
read -r answer
case $answer in
  *'"In which language?":"English"'*) echo 'Hello!' >greeting.txt ;;
  *'"In which language?":"Français"'*) echo 'Bonjour !' >greeting.txt ;;
  *) echo 'Then I leave it.' && exit ;;
esac
echo 'It is in `greeting.txt`.'
