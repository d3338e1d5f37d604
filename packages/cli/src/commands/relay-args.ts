import type { LocalSandboxOptions } from '@sandagent/sdk'
import { oneOf, readOptions, sweepTime, usage } from './read-options.ts'

export const RELAY_HELP = `Usage: sandagent relay --workdir DIR [options]

Serves a folder to a host on another machine, over standard input and output. A RemoteSandbox of
@sandagent/sdk/remote starts it, through ssh, docker exec or the like. It ends with the connection.

Options:
  --workdir DIR       the agent's folder; a missing one is made
  --state-folder NAME its folder for questions, answers and runs; default: .sandagent
  --sweep-after-ms N  removes answers whose question is gone, that old, in milliseconds, or never;
                      default: seven days
  --isolation LEVEL   strict, auto (default) or none: whether programs are kept in the folder
  --agent-user USER   the user that programs run as, by name or as UID:GID; they cannot write answers
                      then. The relay must be root
  --readable PATH     what isolated programs may read besides
  --allow-host HOST   a host that isolated programs may reach
  --session ID        ends an earlier relay with the same id
`

export interface RelayArgs {
  sandbox: LocalSandboxOptions
  session: string | undefined
}

/** @throws AskError `INVALID_REQUEST` that says what is wrong. */
export function parseRelayArgs(args: readonly string[]): RelayArgs {
  const { values } = readOptions({
    args: [...args],
    options: {
      workdir: { type: 'string' },
      'state-folder': { type: 'string' },
      'sweep-after-ms': { type: 'string' },
      isolation: { type: 'string', default: 'auto' },
      'agent-user': { type: 'string' },
      readable: { type: 'string', multiple: true },
      'allow-host': { type: 'string', multiple: true },
      session: { type: 'string' },
    },
  })
  const { workdir, session } = values
  if (workdir === undefined) throw usage('--workdir is missing: which folder?')
  if (session !== undefined && !/^[A-Za-z0-9-]{1,64}$/.test(session))
    throw usage('--session takes up to 64 letters, digits and -')
  const isolation = oneOf('--isolation', values.isolation, ['strict', 'auto', 'none'])
  return {
    session,
    sandbox: {
      workdir,
      stateFolder: values['state-folder'],
      sweepAfterMs: sweepTime(values['sweep-after-ms']),
      isolation,
      agentUser: values['agent-user'],
      readable: values.readable,
      hosts: values['allow-host'],
    },
  }
}
