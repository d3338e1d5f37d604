import { backgroundClock } from '@sandagent/core/internal'
import type { Connect } from '../connection/connection.ts'
import { connectByCalls } from '../transport/called-program.ts'
import { twoWayFileTransport } from '../transport/file-transport.ts'
import { RemoteSandbox, type RemoteSandboxOptions } from './remote-sandbox.ts'

/** The calls of a place that can start programs and keep files, and nothing else. Each rejects if the place is out of reach. */
export interface FileApi {
  /** Starts a program that goes on when the call has ended. Its input and its output are not used. */
  start(argv: readonly [string, ...string[]]): Promise<unknown>
  /** Writes a file by its absolute path inside, and makes its folder. */
  writeFile(path: string, bytes: Buffer): Promise<unknown>
  /** The content of a file; `null` if it is missing. */
  readFile(path: string): Promise<Uint8Array | null>
}

export interface FileSandboxOptions extends Omit<RemoteSandboxOptions, 'connect'> {
  /**
   * The longest pause between two looks for news, in milliseconds. Right after a request the looks come much faster. Default
   * 2000.
   */
  longestPauseMs?: number | undefined
}

/**
 * A sandbox whose programs have neither an input nor an output that can be reached from outside. Requests and replies go in
 * numbered files below `/tmp`. The host looks for replies again and again, so it is slower than a connection, and an idle one
 * makes calls.
 *
 * @throws AskError `INVALID_REQUEST` for options that cannot be used
 */
export function fileSandbox(
  { start, writeFile, readFile }: FileApi,
  { longestPauseMs, ...options }: FileSandboxOptions,
): RemoteSandbox {
  const { node, clock = backgroundClock } = options
  const connect: Connect = (argv) =>
    connectByCalls(async ({ print }) => {
      const stop = new AbortController()
      const transport = { node, writeFile, readFile, clock, longestPauseMs }
      const { argv: fed, send, end, receive } = twoWayFileTransport(argv, transport)
      await start(fed)
      const ended = receive(print, stop.signal).then(async () => {
        if (!stop.signal.aborted) await end() // The program waits until its last reply was read.
      })
      return {
        send,
        ended,
        async end() {
          stop.abort()
          await end()
        },
      }
    })
  return new RemoteSandbox({ ...options, connect })
}
