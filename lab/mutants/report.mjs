// What a run shows: the share of mutants that tests found, and those that survived.

import { readFileSync } from 'node:fs'

/** @typedef {{ path: string, text: string, before: string, after: string, reason: string }} Equivalent a mutant that behaves as its source does */

/**
 * @typedef {object} Figures
 * @property {number} sample
 * @property {number} found with those that hung
 * @property {number} hung
 * @property {number} refusedByTheCompiler
 * @property {number} equivalent survivors that `equivalents.json` lists
 * @property {number} survived
 * @property {number} share found, of all that tests could find: from 0 to 1
 * @property {readonly string[]} failWithoutMutant test files that were left out
 * @property {readonly { path: string, line: number, text: string, kind: string, before: string, after: string }[]} survivors
 */

/**
 * @param {readonly import('./judge.mjs').Verdict[]} verdicts
 * @param {readonly string[]} broken test files that fail without a mutant
 * @returns {{ figures: Figures, text: string }}
 */
export function reportOf(verdicts, broken) {
  /** @type {Equivalent[]} */
  const equivalents = JSON.parse(readFileSync(new URL('equivalents.json', import.meta.url), 'utf8'))
  const count = (/** @type {string} */ ending) =>
    verdicts.filter((verdict) => verdict.ending === ending).length
  const survived = verdicts.filter(({ ending }) => ending === 'survived').map(({ mutant }) => mutant)
  const survivors = survived.filter((mutant) => !equivalents.some((known) => isSame(known, mutant)))
  const found = count('found') + count('hung')
  const figures = {
    sample: verdicts.length,
    found,
    hung: count('hung'),
    refusedByTheCompiler: count('refused by the compiler'),
    equivalent: survived.length - survivors.length,
    survived: survivors.length,
    share: found / Math.max(1, found + survivors.length),
    failWithoutMutant: broken,
    survivors: survivors
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ path, line, text, kind, before, after }) => ({ path, line, text, kind, before, after })),
  }
  return { figures, text: textOf(figures) }
}

/**
 * @param {Equivalent} known
 * @param {import('./sample.mjs').Mutant} mutant
 */
function isSame(known, mutant) {
  return (
    known.path === mutant.path &&
    known.text === mutant.text &&
    known.before === mutant.before &&
    known.after === mutant.after
  )
}

/** @param {Figures} figures */
function textOf({ survivors, failWithoutMutant, ...figures }) {
  const lines = survivors.map(
    ({ path, line, text, before, after }) =>
      `${path}:${line}  ${text}\n    ${shortened(before)} → ${after === '' ? 'nothing' : shortened(after)}`,
  )
  const percent = Math.floor(figures.share * 1000) / 10
  return [
    ...lines,
    ...failWithoutMutant.map((path) => `${path} fails without a mutant, and is left out`),
    `${figures.sample} mutants: ${figures.found} found (${figures.hung} of them hung), ${figures.survived} survived, ` +
      `${figures.equivalent} equivalent, ${figures.refusedByTheCompiler} refused by the compiler. ` +
      `Found: ${percent} %`,
  ].join('\n')
}

/** @param {string} text */
function shortened(text) {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
