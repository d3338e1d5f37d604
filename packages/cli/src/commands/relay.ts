import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
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
  const [, self = ''] = process.argv
  // The file with this command is the runner, too.
  const sandbox = new LocalSandbox({ ...options, readable: [...(options.readable ?? []), self], onIsolation })
  const removeNote = session === undefined ? () => {} : await replacePredecessor(notesFolder(self), session)
  io.signal.addEventListener('abort', () => io.stdin.destroy())
  try {
    await serveRelay({
      sandbox,
      input: io.stdin,
      output: io.stdout,
      version: version(),
      runner: [process.execPath, self],
    })
  } finally {
    removeNote()
  }
  process.exit(0)
}

/** Beside the uploaded file this user can write. */
const notesFolder = (self: string): string =>
  /^relay-[0-9a-f]{64}\.cjs$/.test(basename(self)) ? dirname(self) : join(homedir(), '.cache', 'sandagent')
