import { DEFAULT_TIMEOUT_MS, DEFAULT_TIMEOUT_POLICY } from '@sandagent/core/internal'
import type { Values } from './command-line.ts'
import { milliseconds, sweepTime, usage } from './option-values.ts'

/** The folder in which a sandbox has its questions, answers and runs. */
export const STATE_FOLDER_OPTION = {
  'state-folder': {
    value: 'NAME',
    help: 'its folder for questions, answers and runs; default: .sandagent',
  },
} as const

/** The options of commands that ask. */
export const ASKING_OPTIONS = {
  'run-id': { value: 'ID', help: 'the run that asks; default: random' },
  'timeout-ms': {
    value: 'N',
    help: 'how long a question waits untouched, in milliseconds; default: for ever',
  },
  'on-timeout': {
    value: 'WAY',
    words: ['partial', 'defaults', 'decline'],
    help: "partial (default): go on with what was entered; defaults: and with the questions' defaults; decline: with nothing",
  },
  'sweep-after-ms': {
    value: 'N',
    help: 'removes settled questions that old, in milliseconds, or never; default: seven days',
  },
} as const

/** The values of {@link ASKING_OPTIONS}. @throws AskError `INVALID_REQUEST` for what is no time */
export const askingOf = (values: Values<typeof ASKING_OPTIONS>) => ({
  runId: runIdOf(values['run-id']),
  timeoutMs: milliseconds('--timeout-ms', values['timeout-ms']) ?? DEFAULT_TIMEOUT_MS,
  timeoutPolicy: values['on-timeout'] ?? DEFAULT_TIMEOUT_POLICY,
  sweepAfterMs: sweepTime(values['sweep-after-ms']),
})

function runIdOf(given: string | undefined): string | undefined {
  if (given === '') throw usage('--run-id takes an id, not an empty text')
  return given
}

/** The options of commands that look at several folders. */
export const PLACE_OPTIONS = {
  workdir: {
    value: 'DIR',
    multiple: true,
    with: 'sandbox',
    help: 'only this folder; can be given several times. Default: every folder in which an agent ran, and the current one',
  },
  sandbox: {
    value: 'COMMAND',
    multiple: true,
    help: 'a command that reaches another machine or a container, such as "ssh user@host" or "docker exec -i box"; each --workdir after it is a path in there',
  },
  known: { help: 'beside the given folders: every folder of this machine in which an agent ran' },
  'state-folder': { value: 'NAME', help: 'the folder for questions, answers and runs; default: .sandagent' },
} as const

/** Which places a command looks at. */
export type PlaceChoice = Partial<Values<typeof PLACE_OPTIONS>>

/** The options of commands by which a person answers. */
export const POLICY_OPTIONS = {
  name: { value: 'NAME', help: 'who answers, as agents and other people read it; default: your user name' },
  policy: {
    value: 'FILE',
    help: 'who may answer what, and how many people must give the same answer, as JSON',
    group: 'Under a policy',
  },
  role: {
    value: 'ROLE',
    multiple: true,
    help: 'a role that you have; can be given several times',
    group: 'Under a policy',
  },
} as const

/** The options by which a run demands signatures and passkeys. */
export const DEMAND_OPTIONS = {
  policy: {
    value: 'FILE',
    help: 'the policy, as sandagent serve --policy takes it: the run demands the passkeys that its rules demand, and signed answers. It takes --inbox',
    group: 'Passkeys',
  },
  inbox: {
    value: 'URL',
    help: 'how browsers reach the inbox on which people use them, such as https://inbox.example.com',
    group: 'Passkeys',
  },
} as const

/** By what commands say which calls passkeys protect less than they should. */
export const SHOWN_DEMAND_OPTIONS = {
  policy: {
    value: 'FILE',
    help: 'the policy of the inbox: says which runs demand fewer passkeys than it does',
    group: 'Passkeys',
  },
  inbox: {
    value: 'URL',
    help: 'how browsers reach the inbox: says which runs take no passkeys from there',
    group: 'Passkeys',
  },
} as const

/** The option of commands that need the settings of notices. */
export const NOTICES_OPTION = {
  notices: {
    value: 'FILE',
    help: 'the settings of notices; default: notices.json in the folder for the configuration of sandagent',
  },
} as const
