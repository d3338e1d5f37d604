// Prints "N passed, N failed, N skipped" from files of Vitest's json reporter, and fails when a test failed or a file
// holds none. In CI a skipped test is a failure too.

import { existsSync, readFileSync } from 'node:fs'

/** @typedef {{ status: string, assertionResults: unknown[] }} TestFile */
/** @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, testResults: TestFile[] }} Report */

const reports = process.argv.slice(2).map((path) => (existsSync(path) ? readReport(path) : undefined))

const passed = sum((report) => report.numPassedTests)
const failed = sum((report) => report.numFailedTests + brokenFiles(report))
const skipped = sum((report) => report.numPendingTests + report.numTodoTests)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
const isSkipping = process.env.CI !== undefined && skipped > 0
if (failed > 0 || isSkipping || reports.length === 0 || reports.some((report) => !report?.numPassedTests))
  process.exitCode = 1

/**
 * @param {string} path
 * @returns {Report}
 */
function readReport(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** @param {(report: Report) => number} count */
function sum(count) {
  return reports.reduce((total, report) => total + (report ? count(report) : 0), 0)
}

/**
 * Files that failed before their tests began.
 *
 * @param {Report} report
 */
function brokenFiles({ testResults }) {
  return testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
}
