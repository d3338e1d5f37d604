import { type CommandLine, readCommandLine } from '../../arguments/command-line.ts'
import { usage } from '../../arguments/option-values.ts'

const LINE = {
  usage: ['doctor [--workdir DIR] [--url URL] [--json]'],
  about:
    'Looks whether this machine and a folder are fit for agents that ask, and says how to mend what is not. It asks and answers some questions in a folder of its own, which it removes.',
  options: {
    workdir: { value: 'DIR', default: '.', help: 'the folder of the agent; default: the current folder' },
    'state-folder': {
      value: 'NAME',
      help: 'its folder for questions, answers and runs; default: .sandagent',
    },
    url: { value: 'URL', help: 'an address that this machine has to reach, such as that of a host' },
    json: { help: 'prints one JSON object a line' },
  },
  examples: [
    ['doctor', 'looks at the current folder'],
    ['doctor --workdir /mnt/work --json', 'looks at another one, for a program'],
    ['doctor --url https://host.example.com/api/runner', 'looks whether the host of a fleet is in reach'],
  ],
} as const satisfies CommandLine

export const DOCTOR: CommandLine = LINE

export interface DoctorArgs {
  workdir: string
  stateFolder: string | undefined
  url: string | undefined
  json: boolean
}

/** @throws AskError `INVALID_REQUEST` that says what is wrong. */
export function readDoctorArgs(args: readonly string[]): DoctorArgs {
  const { workdir, url, json = false, 'state-folder': stateFolder } = readCommandLine(LINE, args).values
  if (url !== undefined) refuseOthers(url)
  return { workdir, stateFolder, url, json }
}

function refuseOthers(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) throw usage(`--url takes an address of the web, not ${text}`)
  if (url.username !== '' || url.password !== '')
    throw usage('--url takes an address without a name and a password')
}
