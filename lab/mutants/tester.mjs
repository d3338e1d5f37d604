// Runs test files in a copy of the repository, each with a time limit.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** How long a file may take that has never passed, and by how much others may exceed the time they took, in milliseconds. */
const FIRST_LIMIT_MS = 30_000
const FACTOR = 3
const SPARE_MS = 6_000

/** How long a file may take when no mutant is there, in milliseconds. */
const CLEAN_LIMIT_MS = 180_000

/** @typedef {'passed' | 'failed' | 'hung'} Ending */
/** @typedef {{ run: (file: string, changed: readonly string[]) => Promise<Ending>, runClean: (file: string, changed: readonly string[]) => Promise<Ending>, limitOf: (file: string) => number, times: Map<string, number>, close: () => void }} Tester */

/**
 * @param {string} root of the copy
 * @param {string} temporary a folder for what the tests write
 * @param {Map<string, number>} times of files that have passed, in milliseconds; they are shared and filled
 * @returns {Tester}
 */
export function createTester(root, temporary, times) {
  /** @type {import('node:child_process').ChildProcess | null} */
  let child = null
  const start = async () => {
    const started = fork(join(root, 'lab/mutants/test-process.mjs'), [root], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, TMPDIR: temporary, CI: undefined, NODE_OPTIONS: '', VITEST: undefined },
    })
    let output = ''
    started.stderr?.setEncoding('utf8').on('data', (text) => (output = `${output}${text}`.slice(-2_000)))
    const [message] = await Promise.race([once(started, 'message'), once(started, 'exit')])
    if (message !== 'ready') throw new Error(`Vitest did not start in ${root}: ${output}`)
    return started
  }
  const end = () => {
    // Its tests may have started others: all of them are in one group.
    if (child?.pid && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL')
    child = null
  }
  // The hung child itself would not notice that this process ends.
  process.on('exit', end)
  const limitOf = (/** @type {string} */ file) => {
    const known = times.get(file)
    return known === undefined ? FIRST_LIMIT_MS : Math.ceil(known * FACTOR + SPARE_MS)
  }
  const runFile = async (
    /** @type {string} */ file,
    /** @type {readonly string[]} */ changed,
    /** @type {{ isMutated: boolean, limitMs: number }} */ { isMutated, limitMs },
  ) => {
    child ??= await start()
    const startedMs = performance.now()
    child.send({ file: join(root, file), changed: changed.map((path) => join(root, path)), isMutated })
    const reply = await replyOf(child, limitMs)
    if (reply === null) end()
    else if (reply.hasPassed) times.set(file, Math.max(times.get(file) ?? 0, performance.now() - startedMs))
    return reply === null ? 'hung' : reply.hasPassed ? 'passed' : 'failed'
  }
  return {
    times,
    limitOf,
    run: (file, changed) => runFile(file, changed, { isMutated: true, limitMs: limitOf(file) }),
    runClean: (file, changed) => runFile(file, changed, { isMutated: false, limitMs: CLEAN_LIMIT_MS }),
    close() {
      end()
      process.off('exit', end)
    },
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} limitMs
 * @returns {Promise<{ hasPassed: boolean } | null>} null when it took too long or the process ended
 */
async function replyOf(child, limitMs) {
  const ended = new AbortController()
  const onExit = () => ended.abort()
  const limit = setTimeout(onExit, limitMs)
  child.once('exit', onExit)
  try {
    const [reply] = await once(child, 'message', { signal: ended.signal })
    return reply
  } catch (error) {
    if (ended.signal.aborted) return null
    throw error
  } finally {
    clearTimeout(limit)
    child.off('exit', onExit)
  }
}
