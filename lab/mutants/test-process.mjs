// A process that keeps Vitest loaded, and runs one test file at a time in a copy of the repository. A mutant can hang it:
// then its parent ends it.

import { createVitest } from 'vitest/node'

/** How long a test may take, in milliseconds, unless it says so itself. */
const PATIENCE_MS = 15_000

const root = /** @type {string} */ (process.argv[2])
const vitest = await createVitest('test', {
  root,
  watch: false,
  bail: 1,
  retry: 0,
  maxWorkers: 1,
  cache: false,
  reporters: [{}],
})
const patience = vitest.projects.map(({ config: { testTimeout, hookTimeout } }) => ({
  testTimeout,
  hookTimeout,
}))
const specifications = new Map(
  (await vitest.globTestSpecifications()).map((specification) => [specification.moduleId, specification]),
)

/** What the request before had changed, and is perhaps as it was again. @type {readonly string[]} */
let changedBefore = []

/** @param {{ file: string, changed: string[], isMutated: boolean }} request absolute paths */
async function runFile({ file, changed, isMutated }) {
  // Tests wait long for what a busy machine does late. With a mutant, what does not come was mostly broken.
  for (const [index, { config }] of vitest.projects.entries())
    Object.assign(
      config,
      isMutated ? { testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS } : patience[index],
    )
  for (const path of [...changedBefore, ...changed]) vitest.invalidateFile(path)
  changedBefore = changed
  const specification = specifications.get(file)
  if (!specification) return { hasPassed: true, isTest: false }
  // Failures of the run before count towards the first failure at which this one stops.
  vitest.state.idMap.clear()
  vitest.state.filesMap.clear()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
  const hasPassed = testModules.every((module) => module.ok()) && unhandledErrors.length === 0
  return { hasPassed, isTest: true }
}

process.on('message', (request) => {
  void runFile(/** @type {any} */ (request)).then((reply) => process.send?.(reply))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
