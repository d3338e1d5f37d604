import type { RunnerChannel } from '../channel.ts'
import { checkOptions, type OptionNames } from '../lib/check-options.ts'
import { backgroundClock, sleep } from '../lib/clock.ts'
import { platform } from '../lib/platform.ts'
import type { RunnerQuestions, StoredQuestion, WatchedQuestions } from './question-store.ts'
import type { AnswerWatcher } from './subscribed-answers.ts'
import { createWatchedChannel, type RunnerChannelOptions } from './watched-channel.ts'

/** How many questions are read by one call of the store. */
const READ_AT_ONCE = 500

/** The pause before a store that failed is asked again. */
const AGAIN_MS = 500

const NAMES: OptionNames<RunnerChannelOptions> = { onWarning: 'function' }

/** The runner's end over a store. The questions that wait share one subscription. */
export function createRunnerChannel(
  store: RunnerQuestions,
  options: RunnerChannelOptions = {},
): RunnerChannel {
  checkOptions('createRunnerChannel', options, NAMES)
  const { read, writeRecord } = store
  const watched = { read: read.bind(store), writeRecord: writeRecord.bind(store), ...createAnswerHub(store) }
  return createWatchedChannel(watched, options)
}

interface Running {
  stop: { readonly signal: AbortSignal; abort(): void }
  /** Resolves once the subscription holds. */
  started: Promise<void>
}

function createAnswerHub(
  store: Pick<RunnerQuestions, 'read' | 'subscribe'>,
): Required<Pick<WatchedQuestions, 'latest' | 'watch'>> {
  const watchers = new Map<string, Set<AnswerWatcher>>()
  /** What the subscription brought, until it is taken. */
  const brought = new Map<string, StoredQuestion>()
  let running: Running | null = null
  /** The questions that could not be read. One pause counts for all of them: each pause of its own would go on for ever. */
  const failed = new Set<string>()

  const wake = (toolCallIds: Iterable<string>): void => {
    for (const toolCallId of toolCallIds)
      for (const watcher of watchers.get(toolCallId) ?? []) watcher.onChange()
  }

  const follow = async (signal: AbortSignal, onStarted: () => void): Promise<void> => {
    for (let isAgain = false; !signal.aborted; isAgain = true) {
      let isFirst = true
      try {
        for await (const changed of store.subscribe(signal, { onlyNew: true })) {
          if (isFirst) onStarted()
          // What changed while there was no subscription is not known.
          if (isFirst && isAgain) {
            brought.clear()
            wake(watchers.keys())
          }
          isFirst = false
          for (const stored of changed) {
            const { toolCallId } = stored
            if (watchers.has(toolCallId)) brought.set(toolCallId, stored)
            wake([toolCallId])
          }
        }
      } catch {
        // The store is out of reach. Those who wait go on waiting.
      }
      await sleep(backgroundClock, AGAIN_MS, signal)
    }
  }

  const start = (): Running => {
    const stop = new platform.AbortController()
    const started = new Promise<void>((resolve) => {
      stop.signal.addEventListener('abort', () => resolve(), { once: true })
      void follow(stop.signal, resolve)
    })
    return { stop, started }
  }

  const readFailed = (): void => {
    const toolCallIds = [...failed]
    failed.clear()
    wake(toolCallIds)
  }

  const readTogether = batched(async (toolCallIds) => {
    await running?.started
    if (!running) return toolCallIds.map(() => null)
    try {
      return await store.read(toolCallIds)
    } catch (error) {
      if (failed.size === 0) void sleep(backgroundClock, AGAIN_MS, running?.stop.signal).then(readFailed)
      for (const toolCallId of toolCallIds) failed.add(toolCallId)
      throw error
    }
  })

  return {
    async latest(toolCallId) {
      const stored = brought.get(toolCallId)
      brought.delete(toolCallId)
      return stored ?? readTogether(toolCallId)
    },

    watch(watcher) {
      const { toolCallId } = watcher
      const waiting = watchers.get(toolCallId) ?? new Set()
      watchers.set(toolCallId, waiting.add(watcher))
      running ??= start()
      return () => {
        waiting.delete(watcher)
        if (waiting.size > 0 || watchers.get(toolCallId) !== waiting) return
        watchers.delete(toolCallId)
        brought.delete(toolCallId)
        if (watchers.size > 0) return
        running?.stop.abort()
        running = null
      }
    },
  }
}

/** Puts the reads of one moment into few calls: thousands may begin to wait at once. */
function batched<T>(
  readAll: (keys: readonly string[]) => Promise<readonly (T | null)[]>,
): (key: string) => Promise<T | null> {
  let waiting: { key: string; resolve: (value: T | null) => void; reject: (error: unknown) => void }[] = []
  const flush = async (): Promise<void> => {
    const all = waiting
    waiting = []
    for (let from = 0; from < all.length; from += READ_AT_ONCE) {
      const some = all.slice(from, from + READ_AT_ONCE)
      try {
        const values = await readAll(some.map(({ key }) => key))
        for (const [index, { resolve }] of some.entries()) resolve(values[index] ?? null)
      } catch (error) {
        for (const { reject } of some) reject(error)
      }
    }
  }
  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ key, resolve, reject }) === 1) void Promise.resolve().then(flush)
    })
}
