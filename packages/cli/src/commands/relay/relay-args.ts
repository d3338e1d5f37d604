import { type CommandLine, readCommandLine } from '../../arguments/command-line.ts'
import { sweepTime, usage } from '../../arguments/option-values.ts'
import { STATE_FOLDER_OPTION } from '../../arguments/shared-options.ts'

export const RELAY = {
  summary: 'Serve a folder to a host on another machine',
  usage: ['relay --workdir DIR [options]'],
  about:
    'Serves a folder to a host on another machine, over standard input and output. A RemoteSandbox of @sandagent/remote starts it, through ssh, docker exec or the like. It ends with the connection.',
  options: {
    workdir: { value: 'DIR', help: "the agent's folder; a missing one is made" },
    ...STATE_FOLDER_OPTION,
    'sweep-after-ms': {
      value: 'N',
      help: 'removes answers whose question is gone, that old, in milliseconds, or never; default: seven days',
    },
    isolation: {
      value: 'LEVEL',
      words: ['strict', 'auto', 'none'],
      default: 'auto',
      help: 'strict, auto (default) or none: whether programs are kept in the folder',
    },
    'agent-user': {
      value: 'USER',
      help: 'the user that programs run as, by name or as UID:GID; they cannot write answers then. The relay must be root',
    },
    readable: { value: 'PATH', multiple: true, help: 'what isolated programs may read besides' },
    'allow-host': { value: 'HOST', multiple: true, help: 'a host that isolated programs may reach' },
    session: { value: 'ID', help: 'ends an earlier relay with the same id' },
  },
  examples: [
    ['relay --workdir /home/agent/work', 'is what a host starts at the other end of its connection'],
  ],
} as const satisfies CommandLine

export function parseRelayArgs(args: readonly string[]) {
  const { values } = readCommandLine(RELAY, args)
  const { workdir, session } = values
  if (workdir === undefined) throw usage('--workdir is missing: which folder?')
  if (session !== undefined && !/^[A-Za-z0-9-]{1,64}$/.test(session))
    throw usage('--session takes up to 64 letters, digits and -')
  return {
    session,
    sandbox: {
      workdir,
      stateFolder: values['state-folder'],
      sweepAfterMs: sweepTime(values['sweep-after-ms']),
      isolation: values.isolation,
      agentUser: values['agent-user'],
      readable: values.readable,
      hosts: values['allow-host'],
    },
  }
}
