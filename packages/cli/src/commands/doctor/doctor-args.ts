import type { CommandLine } from '../../arguments/command-line.ts'
import { SHOWN_DEMAND_OPTIONS, STATE_FOLDER_OPTION } from '../../arguments/shared-options.ts'

export const DOCTOR = {
  summary: 'Look whether this machine and a folder are fit for agents that ask',
  usage: ['doctor [--workdir DIR] [--url URL] [--policy FILE] [--inbox URL] [--json]'],
  about:
    'Looks whether this machine and a folder are fit for agents that ask, and says how to mend what is not. It asks and answers some questions in a folder of its own, which it removes.',
  options: {
    workdir: { value: 'DIR', default: '.', help: 'the folder of the agent; default: the current folder' },
    ...STATE_FOLDER_OPTION,
    url: { value: 'URL', help: 'an address that this machine has to reach, such as that of a host' },
    ...SHOWN_DEMAND_OPTIONS,
    json: { help: 'prints one JSON object a line' },
  },
  examples: [
    ['doctor', 'looks at the current folder'],
    ['doctor --workdir /mnt/work --json', 'looks at another one, for a program'],
    ['doctor --url https://host.example.com/api/runner', 'looks whether the host of a fleet is in reach'],
  ],
} as const satisfies CommandLine
