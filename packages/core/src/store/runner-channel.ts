import type { RunnerChannel } from '../channel.ts'
import { checkOptions, type OptionNames } from '../lib/check-options.ts'
import { backgroundClock, sleep } from '../lib/clock.ts'
import { platform } from '../lib/platform.ts'
import { batched } from '../lib/streams/batched.ts'
import type { RunnerQuestions, StoredQuestion, WatchedQuestions } from './question-store.ts'
import type { AnswerWatcher } from './subscribed-answers.ts'
import { createWatchedChannel, type RunnerChannelOptions } from './watched-channel.ts'

/** How many questions are read by one call of the store, and how many calls there are at once. */
const READING = { atOnce: 500, lanes: 4 }

/** The pause before a store that failed is asked again. */
const AGAIN_MS = 500

const NAMES: OptionNames<RunnerChannelOptions> = { onWarning: 'function' }

/** The runner's end over a store. The questions that wait share one subscription. */
export function createRunnerChannel(
  store: RunnerQuestions,
  options: RunnerChannelOptions = {},
): RunnerChannel {
  checkOptions('createRunnerChannel', options, NAMES)
  const channel = createWatchedChannel({ read: store.read.bind(store), ...createAnswerHub(store) }, options)
  return store.readFile ? { ...channel, readFile: store.readFile.bind(store) } : channel
}

interface Running {
  stop: { readonly signal: AbortSignal; abort(): void }
  /** Resolves once the subscription holds. */
  started: Promise<void>
}

function createAnswerHub(
  store: RunnerQuestions,
): Required<Pick<WatchedQuestions, 'latest' | 'watch' | 'writeRecord'>> {
  const watchers = new Map<string, Set<AnswerWatcher>>()
  /** The questions that were written while the subscription held, and that nobody watches yet. */
  const written = new Set<string>()
  /** What the subscription brought, or what the write before it returned, until it is taken. */
  const brought = new Map<string, StoredQuestion>()
  let holds = false
  let running: Running | null = null
  /** The questions that could not be read. One pause counts for all of them: each pause of its own would go on for ever. */
  const failed = new Set<string>()

  const wake = (toolCallIds: Iterable<string>): void => {
    for (const toolCallId of toolCallIds)
      for (const watcher of watchers.get(toolCallId) ?? []) watcher.onChange()
  }

  /** From here on, a change may be missed. */
  const forget = (): void => {
    holds = false
    written.clear()
  }

  const follow = async (signal: AbortSignal, onStarted: () => void): Promise<void> => {
    for (let isAgain = false; !signal.aborted; isAgain = true) {
      let isFirst = true
      try {
        for await (const changed of store.subscribe(signal, { onlyAnswers: true })) {
          if (isFirst) onStarted()
          holds = !signal.aborted
          // What changed while there was no subscription is not known.
          if (isFirst && isAgain) {
            brought.clear()
            wake(watchers.keys())
          }
          isFirst = false
          for (const stored of changed) {
            const { toolCallId } = stored
            if (watchers.has(toolCallId) || written.has(toolCallId)) brought.set(toolCallId, stored)
            wake([toolCallId])
          }
        }
      } catch {
        // The store is out of reach. Those who wait go on waiting.
      }
      if (!signal.aborted) forget()
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

  /** To end a subscription takes time, so whoever has the answer goes on first. A question that begins meanwhile keeps it. */
  const stopUnused = async (): Promise<void> => {
    await sleep(backgroundClock, 0)
    if (watchers.size > 0) return
    running?.stop.abort()
    running = null
    forget()
    brought.clear()
  }

  const readFailed = (): void => {
    const toolCallIds = [...failed]
    failed.clear()
    wake(toolCallIds)
  }

  const readAll = async (toolCallIds: readonly string[]): Promise<readonly (StoredQuestion | null)[]> => {
    await running?.started
    if (!running) return toolCallIds.map(() => null)
    try {
      return await store.read(toolCallIds)
    } catch (error) {
      if (failed.size === 0) void sleep(backgroundClock, AGAIN_MS, running?.stop.signal).then(readFailed)
      for (const toolCallId of toolCallIds) failed.add(toolCallId)
      throw error
    }
  }
  const readTogether = batched(readAll, READING)

  return {
    async latest(toolCallId) {
      const stored = brought.get(toolCallId)
      brought.delete(toolCallId)
      written.delete(toolCallId)
      return stored ?? readTogether(toolCallId)
    },

    // The subscription brings what changes after the write, and what was there before is in the result. So nobody need read
    // the question to begin its wait.
    async writeRecord(toolCallId, text, options) {
      if (holds && !watchers.has(toolCallId) && !options.facts.isSettled) written.add(toolCallId)
      const after = await store.writeRecord(toolCallId, text, options)
      if (after && !after.isUnread && written.has(toolCallId) && !brought.has(toolCallId))
        brought.set(toolCallId, after)
      return after
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
        if (watchers.size === 0) void stopUnused()
      }
    },
  }
}
