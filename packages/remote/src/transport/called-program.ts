import { once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { deferred } from '@sandagent/core/internal'
import type { Connection } from '../connection/connection.ts'
import { createComplaint } from './complaint.ts'

/** A program somewhere else, as calls of the SDK that reaches it. */
export interface CalledProgram {
  /** Writes to the standard input. It is called again when it has resolved. */
  send(bytes: Buffer): Promise<unknown>
  /** Resolves when the program has ended. It rejects when the connection has. */
  ended: Promise<unknown>
  /** Ends the program. */
  end(): Promise<unknown>
}

/** Where the output of such a program goes. */
export interface CalledOutput {
  /** Takes a piece of the standard output. It resolves when more may come. */
  print(piece: string | Uint8Array): Promise<void>
  /** Takes a piece of the error output. Its last line is in the message when the connection ends. */
  complain(text: string): void
}

/** Makes the streams of a connection from the calls that `start` gives. */
export async function connectByCalls(
  start: (output: CalledOutput) => Promise<CalledProgram>,
): Promise<Connection> {
  const { add: complain, addedTo } = createComplaint()
  const stdout = new PassThrough()
  const stopped = new AbortController()
  const print = async (piece: string | Uint8Array): Promise<void> => {
    if (stopped.signal.aborted || stdout.write(piece)) return
    await once(stdout, 'drain', { signal: stopped.signal }).catch(() => {})
  }
  const program = await start({ print, complain })
  const failed = deferred<string>()
  const send = (bytes: Buffer, done: (error?: Error) => void): void => {
    program.send(bytes).then(
      () => done(),
      (error: unknown) => {
        failed.resolve(messageOf(error))
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
  const ended = program.ended
    .then(() => {
      hasEnded = true
      return 'The relay ended'
    }, messageOf)
    .then(addedTo)
  return {
    stdin,
    stdout,
    closed: Promise.race([failed.promise, ended]),
    end() {
      stopped.abort()
      stdin.destroy()
      stdout.destroy()
      if (!hasEnded) void program.end().catch(() => {}) // The sandbox may be gone.
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
