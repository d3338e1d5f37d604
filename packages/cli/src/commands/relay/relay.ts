import { accessSync, constants, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { AskError } from '@sandagent/core'
import { type StateFolderOption, stateFolders } from '@sandagent/files/internal'
import { replacePredecessor, serveRelay } from '@sandagent/remote/relay'
import { LocalSandbox } from '@sandagent/sdk'
import type { CliIo } from '../../io.ts'
import { version } from '../../version.ts'
import { parseRelayArgs } from './relay-args.ts'

/** Serves a folder to a host elsewhere until the connection ends. Then it ends the process, also if something is left to do. */
export async function relay(args: readonly string[], io: CliIo): Promise<never> {
  const { sandbox: options, session } = parseRelayArgs(args)
  const onIsolation = (sentence: string): void => void io.stderr.write(`sandagent: ${sentence}\n`)
  const [, self = ''] = process.argv
  // The file with this command is the runner, too.
  const runner =
    options.agentUser === undefined || !isUploaded(self) ? self : resolve(options.workdir, runnerIn(options))
  const readable = [...(options.readable ?? []), runner]
  const sandbox = new LocalSandbox({ ...options, readable, onIsolation })
  if (runner !== self) await share(sandbox, self)
  const removeNote = session === undefined ? () => {} : await replacePredecessor(notesFolder(self), session)
  io.signal.addEventListener('abort', () => io.stdin.destroy())
  try {
    await serveRelay({
      sandbox,
      input: io.stdin,
      output: io.stdout,
      version: version(),
      runner: [process.execPath, runner],
    })
  } finally {
    removeNote()
  }
  process.exit(0)
}

const isUploaded = (self: string): boolean => /^relay-[0-9a-f]{64}\.cjs$/.test(basename(self))

/** Where another user finds a copy of the uploaded file, which is the runner: the cache of root cannot be read. */
const runnerIn = (place: StateFolderOption): string => `${stateFolders(place).state}/sandagent.cjs`

async function share(sandbox: LocalSandbox, self: string): Promise<void> {
  const code = readFileSync(self, 'utf8')
  const path = runnerIn(sandbox)
  if ((await sandbox.files.read(path)) !== code) await sandbox.files.writeAtomic(path, code)
}

/**
 * Where relays note themselves: beside the uploaded file, or where that would be. A folder of another user is passed over,
 * because a note names a process to end.
 */
function notesFolder(self: string): string {
  const uid = process.getuid?.() ?? 0
  const places = isUploaded(self)
    ? [() => dirname(self)]
    : [() => join(homedir(), '.cache', 'sandagent'), () => join(tmpdir(), `sandagent-${uid}`)]
  for (const find of places)
    try {
      const place = find()
      mkdirSync(place, { recursive: true, mode: 0o700 })
      accessSync(place, constants.W_OK)
      if (lstatSync(place).uid === uid) return place
    } catch {} // There is no home, or it cannot be written.
  throw new AskError(
    'UNSAFE_PATH',
    `Relays keep notes beside their own file, in ~/.cache/sandagent or in ${tmpdir()}, and none of these can be written. Set HOME or TMPDIR to a folder that can`,
  )
}
