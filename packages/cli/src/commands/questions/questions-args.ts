import { type CommandLine, readCommandLine } from '../../arguments/command-line.ts'
import { PLACE_OPTIONS } from '../places/place-options.ts'
import type { PlaceChoice } from '../places/places.ts'

const LINE = {
  usage: ['questions [--watch] [--json] [options]'],
  about:
    'Lists the questions that wait for a person, oldest first: of every folder in which an agent ran, or of those given.',
  options: {
    watch: { help: 'goes on: shows each new question, and which ones have ended' },
    json: { help: 'prints one JSON object a line' },
    ...PLACE_OPTIONS,
  },
  examples: [
    ['questions', 'lists what waits anywhere on this machine'],
    ['questions --watch --workdir ~/project', 'follows one folder'],
    ['questions --sandbox "ssh user@host" --workdir /home/user/work', 'lists what waits on another machine'],
    ['questions --json | jq -r .question.toolCallId', 'gives the ids to a script'],
  ],
} as const satisfies CommandLine

export const QUESTIONS: CommandLine = LINE

export interface QuestionsArgs extends PlaceChoice {
  watch?: boolean | undefined
  json?: boolean | undefined
}

/** @throws AskError `INVALID_REQUEST` that says what is wrong. */
export const readQuestionsArgs = (args: readonly string[]): QuestionsArgs =>
  readCommandLine(LINE, args).values
