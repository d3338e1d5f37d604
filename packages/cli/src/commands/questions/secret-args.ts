import type { CommandLine } from '../../arguments/command-line.ts'

export const SECRET = {
  summary: 'Give a command a secret that a person gave to an agent',
  usage: ['secret ID [--env NAME] -- COMMAND [ARG…]'],
  about:
    'Starts a command with the secret on its standard input, where the path /dev/stdin reads it too. It works once, for the user whose agent has asked, and prints the secret nowhere. What the command prints is its own.',
  options: {
    env: {
      value: 'NAME',
      help: 'puts it into this variable instead; other programs of this user can read it there while the command runs',
    },
  },
  words: [],
  unknownOption: '. Put -- before the command',
  examples: [
    ['secret 0123456789abcdef -- docker login -u me --password-stdin', 'hands it over on standard input'],
    ['secret 0123456789abcdef --env NPM_TOKEN -- npm publish', 'hands it over in a variable'],
  ],
} as const satisfies CommandLine
