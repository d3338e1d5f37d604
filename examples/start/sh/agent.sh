. ./ask.sh

if where=$(ask 'Where to?' Staging Production); then
  printf 'I deploy to %s.\n' "$where"
else
  echo 'No answer, so I do not deploy.'
fi
