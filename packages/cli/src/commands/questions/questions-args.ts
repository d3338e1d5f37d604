import type { CommandLine } from '../../arguments/command-line.ts'
import { PLACE_OPTIONS, SHOWN_DEMAND_OPTIONS } from '../../arguments/shared-options.ts'

export const QUESTIONS = {
  summary: 'List the questions that wait, of all folders or of those given',
  usage: ['questions [--watch] [--json] [options]'],
  about:
    'Lists the questions that wait for a person, oldest first: of every folder in which an agent ran, or of those given.',
  options: {
    watch: { help: 'goes on: shows each new question, and which ones have ended' },
    json: { help: 'prints one JSON object a line' },
    ...PLACE_OPTIONS,
    ...SHOWN_DEMAND_OPTIONS,
  },
  examples: [
    ['questions', 'lists what waits anywhere on this machine'],
    ['questions --watch --workdir ~/project', 'follows one folder'],
    ['questions --sandbox "ssh user@host" --workdir /home/user/work', 'lists what waits on another machine'],
    ['questions --json | jq -r .question.toolCallId', 'gives the ids to a script'],
  ],
} as const satisfies CommandLine
