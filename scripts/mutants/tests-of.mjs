// Which test files are asked about a mutant, and in which order.

import { basename, dirname } from 'node:path'

/** How many test files are asked, of the package and of others: those that are nearest to the source. */
const NEAREST = { own: 8, others: 3 }

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
    const own = reaching.filter(isOwn).sort((a, b) => Number(isNamed(b, path)) - Number(isNamed(a, path)))
    const nearby = beside(tests, path.replace('/src/', '/test/')).filter((test) => !own.includes(test))
    const others = reaching.filter((test) => !isOwn(test))
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
