import { once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import type { Connection } from '../connection/connection.ts'

/** A program somewhere else, as calls of the SDK that reaches it. */
export interface CalledProgram {
  /** Writes to the standard input. It is called again when it has resolved. */
  send(bytes: Buffer): Promise<unknown>
  /** Resolves when the program has ended. It rejects when the connection has. */
  ended: Promise<unknown>
  /** Ends the program. */
  end(): Promise<unknown>
}

/** Makes streams of the calls. Each output of the program goes to `print`, which resolves when more may come. */
export async function connectByCalls(
  start: (print: (piece: string | Uint8Array) => Promise<void>) => Promise<CalledProgram>,
): Promise<Connection> {
  const stdout = new PassThrough()
  const stopped = new AbortController()
  const program = await start(async (piece) => {
    if (stopped.signal.aborted || stdout.write(piece)) return
    await once(stdout, 'drain', { signal: stopped.signal }).catch(() => {})
  })
  let fail = (_: string): void => {}
  const failed = new Promise<string>((resolve) => {
    fail = resolve
  })
  const send = (bytes: Buffer, done: (error?: Error) => void): void => {
    program.send(bytes).then(
      () => done(),
      (error: unknown) => {
        fail(messageOf(error))
        done(new Error(messageOf(error)))
      },
    )
  }
  const stdin = new Writable({
    write: (bytes: Buffer, _, done) => send(bytes, done),
    // What waits goes in one call.
    writev: (pieces, done) => send(Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer)), done),
  })
  let hasEnded = false
  const ended = program.ended.then(() => {
    hasEnded = true
    return 'The relay ended'
  }, messageOf)
  return {
    stdin,
    stdout,
    closed: Promise.race([failed, ended]),
    end() {
      stopped.abort()
      stdin.destroy()
      stdout.destroy()
      if (!hasEnded) void program.end().catch(() => {}) // The sandbox may be gone.
    },
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
