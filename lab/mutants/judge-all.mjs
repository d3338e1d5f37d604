// Judges mutants, as many at a time as there are processors, each in a copy of its own.

import { availableParallelism } from 'node:os'
import { importGraph } from './import-graph.mjs'
import { createJudge } from './judge.mjs'
import { createTester } from './tester.mjs'
import { testsFor } from './tests-of.mjs'
import { copyWorkspace } from './workspace-copy.mjs'

/** Many tests have time limits: more at a time would exceed them. */
const MOST_COPIES = 2

/**
 * @param {string} root
 * @param {readonly import('./sample.mjs').Mutant[]} mutants
 * @param {readonly string[]} modules of all packages and tests
 * @param {{ thorough: boolean, verbose: boolean }} options `verbose` prints each verdict on standard error
 * @returns {Promise<{ verdicts: import('./judge.mjs').Verdict[], broken: readonly string[] }>} `broken` are test files that
 *   fail without a mutant
 */
export async function judgeAll(root, mutants, modules, { thorough, verbose }) {
  const testsOf = testsFor(modules, importGraph(root, modules), thorough)
  const queue = [...mutants]
  /** @type {import('./judge.mjs').Verdict[]} */
  const verdicts = []
  /** @type {Map<string, number>} */
  const times = new Map()
  /** @type {Set<string>} */
  const broken = new Set()
  const work = async () => {
    const copy = await copyWorkspace(root)
    const tester = createTester(copy.root, copy.temporary, times)
    const judge = createJudge(copy.root, tester, testsOf, broken)
    try {
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        verdicts.push(await judge(mutant))
        if (verbose) console.error(`${verdicts.length}/${mutants.length} ${lineOf(verdicts.at(-1))}`)
      }
    } finally {
      tester.close()
      copy.remove()
    }
  }
  await Promise.all(Array.from({ length: Math.min(MOST_COPIES, availableParallelism()) }, work))
  return { verdicts, broken: [...broken] }
}

/** @param {import('./judge.mjs').Verdict | undefined} verdict */
function lineOf(verdict) {
  if (!verdict) return ''
  const { mutant, ending, by, ms } = verdict
  return `${mutant.path}:${mutant.line} ${mutant.kind} ${ending} ${by ?? ''} ${Math.round(ms / 100) / 10} s`
}
