import type { CommandLine } from '../../arguments/command-line.ts'
import { DEMAND_OPTIONS } from '../../arguments/shared-options.ts'

export const PASSKEYS_LIST = {
  summary: 'List the passkeys that sign for dangerous calls',
  usage: ['passkeys list [--json]'],
  about: 'Lists the passkeys that people have registered on this machine, the oldest first.',
  options: { json: { help: 'prints one JSON list, as audit verify --passkeys takes it' } },
  examples: [['passkeys list', 'says whose they are, and where they count']],
} as const satisfies CommandLine

export const PASSKEYS_ADD = {
  summary: 'Let a person register a passkey',
  usage: ['passkeys add [--name NAME]'],
  about:
    'Prints a code. With it a person who is signed in to the inbox registers one passkey in the settings there, within ten minutes. Give it to nobody else.',
  options: {
    name: { value: 'NAME', help: 'whose passkey, as sandagent serve --name; default: your user name' },
  },
  examples: [['passkeys add', 'prints a code for you']],
} as const satisfies CommandLine

export const PASSKEYS_REMOVE = {
  summary: 'Remove passkeys, such as of a lost device',
  usage: ['passkeys remove ID…'],
  about:
    'Removes passkeys. The host takes no answer with them any more, and runs that start from then on do not know them. A run that goes on knows them until it ends: stop it if the device is in wrong hands.',
  options: {},
  words: [],
  examples: [['passkeys remove 4f9XrAhF', 'removes one; passkeys list has the ids']],
} as const satisfies CommandLine

export const PASSKEYS_ENV = {
  summary: 'Print what a runner of your own must know to demand passkeys',
  usage: ['passkeys env --policy FILE --inbox URL'],
  about:
    'Prints the variables by which a runner demands signatures and passkeys, for a shell. They are public. sandagent run takes --policy and --inbox itself, and startRun passes the variables on. If this fails, it prints variables that no runner takes.',
  options: DEMAND_OPTIONS,
  examples: [
    [
      'passkeys env --policy policy.json --inbox http://localhost:7263',
      'is for eval "$(…)" in the shell that starts your runner',
    ],
  ],
} as const satisfies CommandLine
