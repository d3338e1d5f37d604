import { AskError, type Clock, deferred, printableLine } from '@sandagent/core/internal'
import {
  type FromRelay,
  frameText,
  type Hello,
  helloIn,
  parseFromRelay,
  type ToRelay,
} from '../protocol/frames.ts'
import { MAX_BANNER_BYTES, MAX_LINE_BYTES, MAX_UNREAD_BYTES, PROTOCOL_VERSION } from '../protocol/limits.ts'
import { createLineCutter } from '../protocol/lines.ts'
import type { Connect, Connection } from './connection.ts'
import { createHeartbeat } from './heartbeat.ts'

/** How long a relay may take until its first line, in milliseconds. Logins can be slow. */
const HELLO_MS = 30_000

export interface OpenRelay {
  /** @throws AskError `TOO_LARGE` */
  send(frame: ToRelay): void
  /** Resolves when the connection has ended, to the reason. */
  lost: Promise<string>
  end(reason: string): void
}

export interface OpenOptions {
  connect: Connect
  argv: readonly [string, ...string[]]
  /** Reads a line before the hello that wants a reply, and gives the reply. */
  replyTo?: ((line: string) => string | Uint8Array | null) | undefined
  onFrame(frame: FromRelay, size: number): void
  /** How long a line of the relay may be at this moment. */
  mostBytes(): number
  clock: Clock
}

/**
 * Connects to a relay and waits for its hello. What a login prints before is passed over. A relay that breaks the protocol
 * loses its connection.
 *
 * @throws AskError `UNREACHABLE` when no relay answers, or one of another version
 */
export async function openRelay({
  connect,
  argv,
  replyTo,
  onFrame,
  mostBytes,
  clock,
}: OpenOptions): Promise<OpenRelay> {
  const timeUp = deferred<null>()
  let onTimeout = (): void => timeUp.resolve(null)
  const cancelTimer = clock.after(HELLO_MS, () => onTimeout())
  const connecting = (async () => connect(argv))()
  const connection = await Promise.race([connecting, timeUp.promise]).catch((error: unknown) => {
    cancelTimer()
    throw error
  })
  if (!connection) {
    // A connection that fails later needs no end.
    connecting.then(disconnect, () => {})
    throw new AskError(
      'UNREACHABLE',
      unreached('There was no connection in time. Look whether its machine runs', ''),
    )
  }
  const { stdin, stdout, closed } = connection
  let hello: Hello | null = null
  let bannerBytes = 0
  let lastLine = ''
  let isOver = false
  const greeted = deferred<Hello>()
  const lost = deferred<string>()

  const end = (reason: string): void => {
    if (isOver) return
    isOver = true
    heartbeat.stop()
    cancelTimer()
    disconnect(connection)
    lost.resolve(reason)
  }
  const send = (frame: ToRelay): void => {
    const text = frameText(frame)
    if (Buffer.byteLength(text) > MAX_LINE_BYTES)
      throw new AskError('TOO_LARGE', `A request is longer than ${MAX_LINE_BYTES} bytes`)
    if (isOver) return
    stdin.write(text)
    if (stdin.writableLength > MAX_UNREAD_BYTES) end('The relay reads nothing any more')
  }
  let unansweredPings = 0
  const heartbeat = createHeartbeat({
    clock,
    ping() {
      unansweredPings++
      send({ ping: true })
    },
    onSilence: () => end('The relay does not answer any more'),
  })
  onTimeout = () => end('The relay did not say hello in time')

  const greet = (line: string): void => {
    const reply = replyTo?.(line) ?? null
    if (reply !== null) stdin.write(reply)
    hello = helloIn(line)
    if (hello) {
      cancelTimer()
      heartbeat.start()
      greeted.resolve(hello)
    } else if (reply === null && line.trim() !== '') lastLine = line
  }
  const takeFrame = (line: string): void => {
    const frame = parseFromRelay(line)
    if ('pong' in frame && unansweredPings-- === 0)
      throw new AskError('INVALID_REQUEST', 'It was not asked whether it is there')
    onFrame(frame, line.length + 1)
  }
  const cut = createLineCutter(() => (hello ? mostBytes() : MAX_LINE_BYTES))
  const take = (piece: Buffer): void => {
    if (isOver) return
    heartbeat.hear()
    try {
      if (!hello) bannerBytes += piece.length
      for (const line of cut(piece)) {
        if (!hello) greet(line)
        else takeFrame(line)
        if (isOver) return
      }
      if (!hello && bannerBytes > MAX_BANNER_BYTES) end('Something else than a relay answers')
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      end(hello ? `The relay breaks the protocol: ${why}` : why)
    }
  }
  stdout.on('data', take)
  for (const stream of [stdin, stdout]) stream.on('error', () => {}) // `closed` tells, or `close` below.
  stdout.once('close', () => void closed.then((reason) => end(reason ?? 'The connection was closed')))
  void closed.then((reason) => end(reason ?? 'The connection was closed'))

  const first = await Promise.race([greeted.promise, lost.promise])
  if (typeof first === 'string') throw new AskError('UNREACHABLE', unreached(first, lastLine))
  if (first.protocol !== PROTOCOL_VERSION) {
    end('The relay is of another version')
    const message = `The relay in the sandbox, of version ${first.version}, speaks version ${first.protocol} of the protocol, and this host version ${PROTOCOL_VERSION}. Install the same version at both ends`
    throw new AskError('UNREACHABLE', printableLine(message), { facts: { protocol: first.protocol } })
  }
  return { send, lost: lost.promise, end }
}

function disconnect({ stdin, stdout, end }: Connection): void {
  if (end) end()
  else for (const stream of [stdin, stdout]) stream.destroy()
}

/** Whether a relay is there, and speaks another version of the protocol. */
export const isOtherVersion = (error: unknown): boolean =>
  error instanceof AskError && error.facts.protocol !== undefined

const unreached = (reason: string, lastLine: string): string =>
  printableLine(`The sandbox cannot be reached. ${reason}${lastLine && `: ${lastLine.slice(0, 500)}`}`)
