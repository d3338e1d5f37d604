import { randomUUID } from 'node:crypto'
import { AskError, type Clock, checkOptions, createWakeSignal } from '@sandagent/core/internal'
import { uploadFile } from '../connection/upload-file.ts'

/** The first pause between two looks for a reply, and the longest one, in milliseconds. */
const SHORTEST_POLL_MS = 20
const LONGEST_POLL_MS = 2000

/** How much longer each pause is. */
const GROWTH = 1.5

/** The most bytes of one file of replies, with its first line. */
const MOST_REPLY_BYTES = 1024 * 1024 + 100

/** A program whose standard input comes in files. */
export interface FileTransport {
  /** The command that runs the program, and feeds it. */
  argv: [string, ...string[]]
  /** Writes to the standard input. */
  send(bytes: Buffer): Promise<unknown>
  /** The program finds the end of its input. */
  end(): Promise<unknown>
}

/** A transport whose replies come in files, too. */
export interface TwoWayFileTransport extends FileTransport {
  /** Gives each piece of the output to `print`. Resolves when the program has ended, or when the signal aborts. */
  receive(print: (piece: Uint8Array) => Promise<void>, signal: AbortSignal): Promise<void>
}

export interface FileTransportOptions {
  /** Node.js inside the sandbox, version 20 or newer. Default: `node`, which is found there by the `PATH`. */
  node?: string | undefined
  /** Writes a file by its absolute path inside the sandbox, and makes its folder. */
  writeFile(path: string, bytes: Buffer): Promise<unknown>
}

/** Sends the standard input of a program in numbered files. Its replies come in the output of `argv`. */
export function fileTransport(argv: readonly string[], options: FileTransportOptions): FileTransport {
  checkOptions('fileTransport: its options', options, { node: true, writeFile: 'function' })
  const { command, send, end } = sender(argv, 'log', options)
  return { argv: command, send: (bytes) => send(bytes, 0), end }
}

/** Sends the standard input of a program in numbered files, and reads its output from such files. */
export function twoWayFileTransport(
  argv: readonly string[],
  {
    readFile,
    clock,
    longestPauseMs = LONGEST_POLL_MS,
    ...options
  }: FileTransportOptions & {
    /** `null` for a missing file. */
    readFile(path: string): Promise<Uint8Array | null>
    clock: Clock
    longestPauseMs?: number | undefined
  },
): TwoWayFileTransport {
  const { command, folder, send, end } = sender(argv, 'files', options)
  let hasRead = 0
  let hurry = (): void => {}
  return {
    argv: command,
    async send(bytes) {
      await send(bytes, hasRead)
      hurry()
    },
    end,
    async receive(print, signal) {
      const { ring, sleep } = createWakeSignal(signal)
      let pauseMs = SHORTEST_POLL_MS
      hurry = () => {
        pauseMs = SHORTEST_POLL_MS
        ring()
      }
      while (!signal.aborted) {
        const reply = contentOf(await readFile(`${folder}/reply-${hasRead}`))
        if (reply === 'end') return
        if (reply === null) {
          const cancelTimer = clock.after(pauseMs, ring)
          pauseMs = Math.min(pauseMs * GROWTH, longestPauseMs)
          await sleep()
          cancelTimer()
        } else {
          hasRead++
          pauseMs = SHORTEST_POLL_MS
          await print(reply)
        }
      }
    },
  }
}

function sender(
  argv: readonly string[],
  replies: 'log' | 'files',
  { node = 'node', writeFile }: FileTransportOptions,
) {
  const folder = `/tmp/sandagent-${randomUUID()}`
  let next = 0
  return {
    folder,
    command: [node, '-e', uploadFile('feeder.cjs').toString(), folder, replies, ...argv] as [
      string,
      ...string[],
    ],
    send: (bytes: Buffer, hasRead: number) =>
      writeFile(`${folder}/${next++}`, Buffer.concat([Buffer.from(`${bytes.length} ${hasRead}\n`), bytes])),
    // It has no number: a file before it may have been lost.
    end: () => writeFile(`${folder}/end`, Buffer.from('end')),
  }
}

/** What a file of replies holds; `null` for one that is missing or not complete. */
function contentOf(bytes: Uint8Array | null): Uint8Array | 'end' | null {
  if (bytes === null) return null
  if (bytes.length > MOST_REPLY_BYTES) throw new AskError('TOO_LARGE', 'A file of replies is too long')
  const head = bytes.indexOf(0x0a)
  const word = Buffer.from(bytes.subarray(0, Math.max(head, 0))).toString()
  if (word === 'end') return word
  const content = bytes.subarray(head + 1)
  return head >= 0 && content.length === Number(word) ? content : null
}
