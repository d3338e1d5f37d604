import type { Readable, Writable } from 'node:stream'
import {
  AskError,
  type Clock,
  checkOptions,
  type OptionNames,
  parseWith,
  sleep,
  systemClock,
} from '@sandagent/core/internal'
import type { LocalSandbox } from '@sandagent/sdk'
import { CALLS, type CallName } from '../protocol/calls.ts'
import { type FromRelay, frameText, type Hello, parseToRelay, type ToRelay } from '../protocol/frames.ts'
import { EVENT_WINDOW_BYTES, MAX_TASKS, PROTOCOL_VERSION, RELAY_SILENCE_MS } from '../protocol/limits.ts'
import { createLineCutter } from '../protocol/lines.ts'
import { toWireError } from '../protocol/wire-errors.ts'
import { channelHandlers } from './channel-handlers.ts'
import { fileHandlers } from './file-handlers.ts'
import { programHandlers } from './program-handlers.ts'
import type { Handler, Handlers } from './task.ts'

export interface RelayOptions {
  sandbox: LocalSandbox
  /** Where requests come from, and where replies go. */
  input: Readable
  output: Writable
  /** The version of the package, for the hello. */
  version: string
  /** Starts `sandagent` for runs, if there is no such program. */
  runner?: readonly [string, ...string[]] | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<RelayOptions> = {
  sandbox: true,
  input: true,
  output: true,
  version: true,
  runner: 'list',
  clock: 'clock',
}

/** How long unfinished requests may take when the connection has ended, in milliseconds. */
const LONGEST_END_MS = 6000

type Request = Extract<ToRelay, { call: string }>

interface ActiveTask {
  stop: AbortController
  /** Bytes of events that the host has not yet taken. */
  ahead: number
  /** Called when the host has taken events. */
  waiting: (() => void)[]
  take(input: unknown): void
}

/**
 * Serves a sandbox on this machine to a host elsewhere, over one connection. Resolves when the connection has ended, or when
 * the host was silent for too long. The caller then ends the process.
 *
 * @throws AskError for input that is no request
 */
export async function serveRelay(options: RelayOptions): Promise<void> {
  checkOptions('serveRelay', options, NAMES)
  const { sandbox, input, output, version, runner, clock = systemClock } = options
  const handlers: Handlers = {
    ...fileHandlers(sandbox.files),
    ...programHandlers(sandbox, runner, clock),
    ...channelHandlers(sandbox, clock),
  }
  const tasks = new Map<number, ActiveTask>()
  const working = new Set<Promise<void>>()
  const send = (frame: FromRelay | Hello): number => {
    const text = frameText(frame)
    output.write(text)
    return text.length
  }

  const begin = async ({ id, call, args, again }: Request): Promise<void> => {
    if (tasks.size >= MAX_TASKS) {
      const error = new AskError('TOO_LARGE', `There are more than ${MAX_TASKS} requests`)
      return void send({ id, error: toWireError(error) })
    }
    const task: ActiveTask = { stop: new AbortController(), ahead: 0, waiting: [], take() {} }
    tasks.set(id, task)
    const emit = async (event: unknown): Promise<void> => {
      if (task.stop.signal.aborted || !tasks.has(id)) return
      task.ahead += send({ id, event })
      while (task.ahead > EVENT_WINDOW_BYTES && !task.stop.signal.aborted)
        await new Promise<void>((resolve) => task.waiting.push(resolve))
    }
    const onInput = (take: (input: unknown) => void): void => {
      task.take = take
    }
    /** A request that was interrupted has no outcome. When the relay ends, the host sends it to the next one. */
    const reply = (frame: FromRelay): void => {
      if (!task.stop.signal.aborted) send(frame)
    }
    try {
      if (!isCall(call)) throw new AskError('INVALID_REQUEST', `There is no call ${call}`)
      const parsed = parseWith<unknown>(CALLS[call].args, args, 'INVALID_REQUEST', call)
      const handler = handlers[call] as Handler<CallName>
      const value = await handler(parsed as never, {
        again: again === true,
        signal: task.stop.signal,
        emit,
        onInput,
      })
      reply({ id, value })
    } catch (error) {
      reply({ id, error: toWireError(error) })
    } finally {
      tasks.delete(id)
    }
  }

  const take = (frame: ToRelay): void => {
    if ('ping' in frame) send({ pong: true })
    else if ('call' in frame) {
      const work = begin(frame).finally(() => working.delete(work))
      working.add(work)
    } else {
      const task = tasks.get(frame.id)
      if (!task) return
      if ('taken' in frame) {
        task.ahead -= frame.taken
        release(task)
      } else if ('cancel' in frame) {
        task.stop.abort()
        release(task)
      } else task.take(frame.input)
    }
  }

  let cancelTimer = (): void => {}
  const listen = (): void => {
    cancelTimer()
    cancelTimer = clock.after(RELAY_SILENCE_MS, () => input.destroy())
  }
  send({ sandagent: 'relay', protocol: PROTOCOL_VERSION, version })
  listen()
  output.on('error', () => input.destroy()) // The host has gone.
  try {
    const cut = createLineCutter()
    for await (const piece of input as AsyncIterable<Buffer>) {
      listen()
      for (const line of cut(piece)) take(parseToRelay(line))
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  } finally {
    cancelTimer()
    for (const task of tasks.values()) {
      task.stop.abort()
      release(task)
    }
    // Programs get time to end before they are killed.
    await Promise.race([Promise.all(working), sleep(clock, LONGEST_END_MS)])
  }
}

const isCall = (name: string): name is CallName => Object.hasOwn(CALLS, name)

function release({ waiting }: ActiveTask): void {
  for (const resolve of waiting.splice(0)) resolve()
}
