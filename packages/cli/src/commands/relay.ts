import { homedir } from 'node:os'
import { join } from 'node:path'
import { LocalSandbox } from '@sandagent/sdk'
import { replacePredecessor, serveRelay } from '@sandagent/sdk/relay'
import type { CliIo } from '../io.ts'
import { version } from '../version.ts'
import { parseRelayArgs } from './relay-args.ts'

/**
 * Serves a folder to a host elsewhere until the connection ends. Then it ends the process, also if something is left to do.
 *
 * @throws AskError `INVALID_REQUEST` for wrong usage
 */
export async function relay(args: readonly string[], io: CliIo): Promise<never> {
  const { sandbox: options, session } = parseRelayArgs(args)
  const onIsolation = (sentence: string): void => void io.stderr.write(`sandagent: ${sentence}\n`)
  const sandbox = new LocalSandbox({ ...options, onIsolation })
  const removeNote =
    session === undefined
      ? () => {}
      : await replacePredecessor(join(homedir(), '.cache', 'sandagent'), session)
  io.signal.addEventListener('abort', () => io.stdin.destroy())
  try {
    await serveRelay({ sandbox, input: io.stdin, output: io.stdout, version: version() })
  } finally {
    removeNote()
  }
  process.exit(0)
}
