// Which test files are asked about a mutant, and in which order.

import { basename, dirname } from 'node:path'

/** How many test files are asked, of the package and of others: those that are nearest to the source. */
const NEAREST = { own: 16, others: 6 }

/**
 * @param {readonly string[]} paths of all modules
 * @param {(path: string) => ReadonlyMap<string, number>} reach see `importGraph`
 * @param {boolean} thorough asks all tests, not only the nearest
 * @returns {(path: string) => import('./judge.mjs').Tests} for a source of a package: its own tests that reach it through
 *   imports, those nearby that may start it as a program, and tests of other packages that reach it
 */
export function testsFor(paths, reach, thorough) {
  const isTest = (/** @type {string} */ path) => /(?<!\.slow)\.test\.tsx?$/.test(path)
  const tests = paths.filter(isTest)
  return (path) => {
    const folder = path.split('/').slice(0, 2).join('/')
    const isOwn = (/** @type {string} */ test) => test.startsWith(`${folder}/`)
    const reaching = [...reach(path).keys()].filter(isTest)
    const sameRoom = beside(tests, path.replace('/src/', '/test/'))
    const nearness = (/** @type {string} */ test) =>
      2 * Number(isNamed(test, path)) + Number(sameRoom.includes(test))
    const own = reaching.filter(isOwn).sort((a, b) => nearness(b) - nearness(a))
    const nearby = sameRoom.filter((test) => !own.includes(test))
    const others = reaching
      .filter((test) => !isOwn(test))
      .sort((a, b) => wordsInCommon(b, path) - wordsInCommon(a, path))
    if (thorough) return { own, nearby, others }
    return {
      own: own.slice(0, NEAREST.own),
      nearby: own.length > 0 ? [] : nearby.slice(0, NEAREST.own),
      others: others.slice(0, NEAREST.others),
    }
  }
}

/** @type {(test: string, path: string) => boolean} */
const isNamed = (test, path) => basename(test).split('.')[0] === basename(path).split('.')[0]

/**
 * How many rooms of a source the name of a test has. Sorting by it keeps the nearer ones first among equals.
 *
 * @type {(test: string, path: string) => number}
 */
const wordsInCommon = (test, path) =>
  dirname(path)
    .split('/')
    .slice(3)
    .filter((room) => test.includes(room)).length

/**
 * The tests of the nearest folder that has any.
 *
 * @param {readonly string[]} tests
 * @param {string} path
 * @returns {readonly string[]}
 */
function beside(tests, path) {
  const folder = dirname(path)
  const found = tests.filter((test) => dirname(test) === folder)
  return found.length > 0 || folder.endsWith('/test') ? found : beside(tests, folder)
}
