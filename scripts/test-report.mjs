// A reporter of Vitest. Writes what a run came to into the file that TEST_REPORT names. test-summary.mjs prints it. A run that
// is ended from outside because it took too long tells which files had begun.

import { writeFileSync } from 'node:fs'

/** @typedef {import('vitest/node').TestModule} TestModule */
/** @typedef {import('vitest').TestError & { VITEST_TEST_PATH?: string }} TestError */
/** @typedef {{ name: string, message: string }} Failure */

/**
 * `failed` also has hooks that failed, files that did not begin, and errors that no test waited for. `retried` has the tests
 * that passed only at their second try.
 *
 * @typedef {{ passed: number, skipped: number, failed: Failure[], retried: Failure[] }} TestReport
 */

export default class {
  /** @type {Set<string>} */
  #running = new Set()

  constructor() {
    process.once('SIGTERM', () => {
      for (const path of this.#running) console.log(`STILL RUNNING ${path}`)
      process.exit(1)
    })
  }

  /** @param {TestModule} module */
  onTestModuleStart({ relativeModuleId }) {
    this.#running.add(relativeModuleId)
  }

  /** @param {TestModule} module */
  onTestModuleEnd({ relativeModuleId }) {
    this.#running.delete(relativeModuleId)
  }

  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly TestError[]} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    const path = process.env.TEST_REPORT
    if (path) writeFileSync(path, JSON.stringify(reportOf(modules, unhandled)))
  }
}

/**
 * @param {readonly TestModule[]} modules
 * @param {readonly TestError[]} unhandled
 * @returns {TestReport}
 */
function reportOf(modules, unhandled) {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const inState = (/** @type {string} */ state) => tests.filter((test) => test.result().state === state)
  const passed = inState('passed')
  const hooksFailed = modules
    .flatMap((module) => [module, ...module.children.allSuites()])
    .filter((part) => part.errors().length > 0)
  return {
    passed: passed.length,
    skipped: inState('skipped').length,
    failed: [
      ...inState('failed').map((test) => failure(nameOf(test), test.result().errors)),
      ...hooksFailed.map((part) => failure(nameOf(part), part.errors())),
      ...unhandled.map((error) => failure(outsideOf(error), [error])),
    ],
    retried: passed
      .filter((test) => test.diagnostic()?.flaky)
      .map((test) => failure(nameOf(test), test.result().errors)),
  }
}

/** @param {TestError} error */
const outsideOf = ({ VITEST_TEST_PATH: path }) =>
  `an error outside of the tests${path ? `, near ${path}` : ''}`

/** @param {TestModule | import('vitest/node').TestSuite | import('vitest/node').TestCase} part */
function nameOf(part) {
  return part.type === 'module' ? part.relativeModuleId : `${part.module.relativeModuleId} > ${part.fullName}`
}

/**
 * @param {string} name
 * @param {readonly TestError[] | undefined} errors
 * @returns {Failure}
 */
function failure(name, errors) {
  const last = errors?.at(-1)
  return { name, message: last?.stack ?? last?.message ?? '' }
}
