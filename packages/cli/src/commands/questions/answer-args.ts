import { type CommandLine, readCommandLine } from '../../arguments/command-line.ts'
import { onlyWord, usage } from '../../arguments/option-values.ts'
import { PLACE_OPTIONS, POLICY_OPTIONS } from '../../arguments/shared-options.ts'

export const ANSWER = {
  summary: 'Answer a question, in a form or by options',
  usage: [
    'answer [ID] [options]',
    'answer [ID] --option LABEL… | --text TEXT | --file PATH… | --decline | --ask-back TEXT',
    'answer [ID] --secret [options]',
    'answer [ID] --input JSON [options]',
    'answer [ID] --json JSON [options]',
  ],
  about:
    'Answers a question. In a terminal it shows the form; without an ID it walks through all that waits, the most urgent first. The beginning of an ID is enough. With one of the options below it needs no terminal, and prints what was stored as JSON.',
  options: {
    option: { value: 'LABEL', multiple: true, help: 'picks an option; can be given several times' },
    text: { value: 'TEXT', help: 'answers in own words' },
    file: {
      value: 'PATH',
      multiple: true,
      help: 'gives a file of this machine, where the question takes files; can be given several times',
    },
    secret: {
      help: 'gives a secret: typed in the terminal, which shows nothing of it, or from standard input. It is encrypted here, for the agent’s runner alone',
    },
    decline: { help: 'declines to answer' },
    reason: { value: 'TEXT', help: 'why it is declined; the agent reads it' },
    'ask-back': {
      value: 'TEXT',
      help: 'asks the agent this, and decides nothing: it replies, and asks again',
    },
    input: {
      value: 'JSON',
      help: 'allows a tool call with this input in the place of the agent’s, where it may be edited; - reads standard input',
    },
    json: {
      value: 'JSON',
      help: 'an answer as the answer API takes it, such as {"answers":{"Which colour?":"Red"}}; - reads standard input',
    },
    ...POLICY_OPTIONS,
    name: {
      value: 'NAME',
      help: 'who answers, as agents and other people read it; under a policy the default is your user name',
    },
    'screen-reader': { help: 'asks in plain lines, and draws nothing again' },
    ...PLACE_OPTIONS,
  },
  words: [],
  examples: [
    ['answer', 'walks through all that waits'],
    ['answer toolu_01 --option Red', 'picks an option'],
    ['answer toolu_01 --text "It looks like this" --file ~/screen.png', 'gives a file'],
    ['answer toolu_01 --secret <token.txt', 'gives a secret, without the line break at its end'],
    ['answer toolu_01 --decline --reason "Not today"', 'declines'],
    ['answer toolu_01 --ask-back "What does this touch?"', 'asks the agent first'],
    ['answer toolu_01 --input \'{"command":"ls"}\'', 'allows the call as changed, and prints what changed'],
    ['answer toolu_01 --json - <answer.json', 'sends what a program has written'],
    ['answer --policy policy.json --role lead', 'votes, if several leads must give the same answer'],
  ],
} as const satisfies CommandLine

/** An answer by options. */
export type GivenAnswer =
  | { kind: 'json'; text: string }
  | { kind: 'declined'; reason: string | undefined; asksBack?: true }
  | { kind: 'edited'; text: string }
  | { kind: 'secret' }
  | { kind: 'picked'; labels: readonly string[]; text: string | undefined; files: readonly string[] }

export function readAnswerArgs(args: readonly string[]) {
  const { values, words } = readCommandLine(ANSWER, args)
  const { option, text, file, secret, decline, reason, input, json, 'ask-back': question, ...rest } = values
  const { 'screen-reader': screenReader, ...others } = rest
  const { name, policy, role, ...choice } = others
  const ways: GivenAnswer[] = [
    ...(json === undefined ? [] : [{ kind: 'json', text: json } as const]),
    ...(input === undefined ? [] : [{ kind: 'edited', text: input } as const]),
    ...(secret ? [{ kind: 'secret' } as const] : []),
    ...(decline ? [{ kind: 'declined', reason } as const] : []),
    ...(question === undefined ? [] : [{ kind: 'declined', reason: question, asksBack: true } as const]),
    ...(option || file || text !== undefined
      ? [{ kind: 'picked', labels: option ?? [], text, files: file ?? [] } as const]
      : []),
  ]
  if (ways.length > 1)
    throw usage(
      'Give one answer: --json, --input, --secret, --decline, --ask-back, or --option, --text and --file',
    )
  if (reason !== undefined && !decline) throw usage('--reason needs --decline')
  return { id: onlyWord('ID', words), given: ways[0], screenReader, choice, who: { name, policy, role } }
}
