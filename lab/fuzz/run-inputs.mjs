// Runs parsers in a thread, and watches over it: a hang or a full heap ends the thread, and the next one goes on.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { compileCommand } from './command-modules.mjs'
import { cpuMs } from './cpu-time.mjs'

/** @typedef {import('./run-parsers.mjs').Fault} Fault */

/**
 * @typedef {object} Outcome
 * @property {number} inputs
 * @property {number} seed
 * @property {Fault[]} crashes
 * @property {Fault[]} hangs inputs that took long, or did not end
 * @property {{ firstBytes: number, lastBytes: number, mostBytes: number }} heap in use after collections of garbage
 * @property {Record<string, import('./run-parsers.mjs').Count>} parsers
 * @property {string[] | null} unreached sentences, see `startCoverage`
 * @property {number} seconds
 */

/**
 * How long an input may take, and when its thread is ended, in milliseconds of a processor. A quiet machine needs less than
 * a second for each. A busy one takes twice as long, as its processors share their caches.
 */
const SLOW_MS = 2000
const ENDLESS_MS = 15_000

/** A thread that uses no processor is ended after this many times `endlessMs`: a busy machine may let it wait. */
const PATIENCE_FACTOR = 8

/** How large the heap of the thread may become, in megabytes. */
const HEAP_MB = 512

/** No more faults are kept: one reason makes many. */
const MOST_FAULTS = 200

/**
 * @typedef {object} Options
 * @property {number} inputs how many
 * @property {number} seed
 * @property {number} [from] the number of the first input. Default 0
 * @property {string} [only] a part of the names of the parsers to run. Default: all
 * @property {boolean} [coverage] whether to tell which places of the packages were not reached
 * @property {string} [table] the address of the module with the parsers. Default: those of the packages
 * @property {number} [slowMs] when an input counts as slow, in milliseconds of a processor. Default: 2 seconds
 * @property {number} [endlessMs] when an input counts as endless, in milliseconds of a processor. Default: 15 seconds
 * @property {(done: number) => void} [onProgress]
 */

/**
 * @param {Options} options
 * @returns {Promise<Outcome>}
 */
export async function runInputs({ inputs, seed, from = 0, only = '', coverage = false, ...options }) {
  const {
    table = new URL('parsers.mjs', import.meta.url).href,
    slowMs = SLOW_MS,
    endlessMs = ENDLESS_MS,
    onProgress = () => {},
  } = options
  if (options.table === undefined) compileCommand()
  const begun = performance.now()
  /** @type {Outcome} */
  const outcome = {
    inputs,
    seed,
    crashes: [],
    hangs: [],
    heap: { firstBytes: 0, lastBytes: 0, mostBytes: 0 },
    parsers: {},
    unreached: null,
    seconds: 0,
  }
  const end = from + inputs
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-fuzz-'))
  for (let next = from; next < end; ) {
    const progress = new SharedArrayBuffer(4)
    new Int32Array(progress)[0] = LOADING
    /** @type {import('./run-parsers.mjs').Task} */
    const task = { seed, from: next, to: end, only, slowMs, coverage, table, progress, folder }
    const ending = await runThread(task, outcome, endlessMs, (input) => onProgress(input - from))
    if (ending === null) break
    const input = /** @type {number} */ (new Int32Array(progress)[0])
    if (input === LOADING) throw new Error(ending)
    const at = input === DONE ? end - 1 : input
    const list = ending === HANGS ? outcome.hangs : outcome.crashes
    list.push({ input: at, parser: '', fault: ending, preview: '' })
    next = at + 1
  }
  await rm(folder, { recursive: true, force: true })
  outcome.seconds = Math.round((performance.now() - begun) / 100) / 10
  return outcome
}

/** Stands for the number of an input while the thread loads the parsers. */
const LOADING = -1

/** Stands for the number of an input when there are no more. */
const DONE = -2

const HANGS = 'It does not end'
const HOLDS = 'A timer or a connection is left after all inputs'

/**
 * @param {import('./run-parsers.mjs').Task} task
 * @param {Outcome} outcome
 * @param {number} endlessMs
 * @param {(input: number) => void} onProgress
 * @returns {Promise<string | null>} why the thread ended before its last input
 */
async function runThread(task, outcome, endlessMs, onProgress) {
  const thread = new Worker(new URL('run-parsers.mjs', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const current = new Int32Array(task.progress)
  const times = () => ({ usedMs: cpuMs(), seenAt: performance.now() })
  let last = { number: -1, ...times() }
  /** @type {string | null} */
  let ending = null
  const timer = setInterval(() => {
    const number = /** @type {number} */ (current[0])
    if (number === LOADING) return
    if (number !== DONE) onProgress(number)
    const { usedMs, seenAt } = times()
    if (number !== last.number) last = { number, usedMs, seenAt }
    else if (usedMs - last.usedMs > endlessMs || seenAt - last.seenAt > PATIENCE_FACTOR * endlessMs) {
      ending = number === DONE ? HOLDS : HANGS
      thread.terminate().catch(() => {})
    }
  }, 500)
  thread.on('message', (/** @type {import('./run-parsers.mjs').Report} */ report) => note(outcome, report))
  return new Promise((resolve) => {
    thread.on('error', (error) => {
      ending = error.stack ?? String(error)
    })
    thread.on('exit', () => {
      clearInterval(timer)
      // A thread that waits for nothing but a promise ends by itself.
      resolve(ending ?? (current[0] === DONE ? null : HANGS))
    })
  })
}

/** @param {Outcome} outcome @param {import('./run-parsers.mjs').Report} report */
function note(outcome, report) {
  const { crashes, hangs, heap } = outcome
  if ('fault' in report && crashes.length < MOST_FAULTS) crashes.push(report.fault)
  if ('slow' in report && hangs.length < MOST_FAULTS) hangs.push(report.slow)
  if ('heap' in report) {
    heap.firstBytes ||= report.heap
    heap.lastBytes = report.heap
    heap.mostBytes = Math.max(heap.mostBytes, report.heap)
  }
  if ('counts' in report) {
    outcome.parsers = report.counts
    outcome.unreached = report.unreached
  }
}
