// Breaks one copy of the repository with a mutant, and looks which test notices.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createBreaker } from './breaker.mjs'

/** @typedef {import('./sample.mjs').Mutant} Mutant */
/** @typedef {'found' | 'hung' | 'refused by the compiler' | 'survived'} Ending */
/** @typedef {{ mutant: Mutant, ending: Ending, by: string | null, ms: number }} Verdict */
/** @typedef {{ own: readonly string[], nearby: readonly string[], others: readonly string[] }} Tests see `tests-of.mjs` */

/** Test files that took longer are asked last, in milliseconds. */
const SLOW_MS = 5_000

/** Two test files find most mutants, in less time than the compiler needs. */
const BEFORE_COMPILER = 2

/**
 * @param {string} root of the copy
 * @param {import('./tester.mjs').Tester} tester
 * @param {(path: string) => Tests} testsOf
 * @param {Set<string>} broken test files that fail without a mutant; they are shared and filled
 * @returns {(mutant: Mutant) => Promise<Verdict>}
 */
export function createJudge(root, tester, testsOf, broken) {
  /** @type {(test: string, breaker: import('./breaker.mjs').Breaker) => Promise<Ending | null>} */
  const ask = async (test, { paths, mutate, restore }) => {
    if (broken.has(test)) return null
    const endingOf = async () => {
      await mutate()
      const ending = await tester.run(test, paths)
      return ending === 'passed' ? null : ending === 'hung' ? 'hung' : 'found'
    }
    const ending = await endingOf()
    if (ending === null || tester.times.has(test)) return ending
    const limitMs = tester.limitOf(test)
    await restore()
    if ((await tester.runClean(test, paths)) !== 'passed') {
      broken.add(test)
      return null
    }
    return ending === 'hung' && tester.limitOf(test) > limitMs ? endingOf() : ending
  }
  /** @type {(tests: readonly string[], breaker: import('./breaker.mjs').Breaker) => Promise<Pick<Verdict, 'ending' | 'by'> | null>} */
  const firstToNotice = async (tests, breaker) => {
    const isSlow = (/** @type {string} */ test) => Number((tester.times.get(test) ?? 0) > SLOW_MS)
    for (const by of [...tests].sort((a, b) => isSlow(a) - isSlow(b))) {
      const ending = await ask(by, breaker)
      if (ending) return { ending, by }
    }
    return null
  }
  return async (mutant) => {
    const startedMs = performance.now()
    const breaker = createBreaker(root, mutant)
    const { own, nearby, others } = testsOf(mutant.path)
    /** @returns {Promise<Pick<Verdict, 'ending' | 'by'>>} */
    const judge = async () => {
      const first = await firstToNotice(own.slice(0, BEFORE_COMPILER), breaker)
      if (first) return first
      await breaker.mutate()
      if (!(await compiles(root, mutant.path))) return { ending: 'refused by the compiler', by: null }
      const found = await firstToNotice(own.slice(BEFORE_COMPILER), breaker)
      if (found) return found
      // Without own tests it may be a program, which is started from its bundle.
      await breaker.build({ isProgram: own.length === 0 })
      return (await firstToNotice([...nearby, ...others], breaker)) ?? { ending: 'survived', by: null }
    }
    try {
      return { mutant, ...(await judge()), ms: Math.round(performance.now() - startedMs) }
    } finally {
      await breaker.undo()
    }
  }
}

/**
 * @param {string} root
 * @param {string} path of a source in a package
 */
async function compiles(root, path) {
  const project = path.replace(/\/src\/.*/, '/tsconfig.build.json')
  const tsc = spawn(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--noEmit'], {
    cwd: root,
    stdio: 'ignore',
  })
  const [code] = await once(tsc, 'close')
  return code === 0
}
