// Prints "N passed, N failed, N skipped" from the file of Vitest's json reporter, and fails when a test failed or none ran.

import { existsSync, readFileSync } from 'node:fs'

const path = process.argv[2] ?? ''
const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined

const passed = report?.numPassedTests ?? 0
const failed = (report?.numFailedTests ?? 0) + brokenFiles()
const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
if (failed > 0 || passed === 0) process.exitCode = 1

/** Files that failed before their tests began. */
function brokenFiles() {
  /** @type {{ status: string, assertionResults: unknown[] }[]} */
  const files = report?.testResults ?? []
  return files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
}
