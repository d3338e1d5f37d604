// Prints the names of failed tests and "N passed, N failed, N skipped" from files of Vitest's json reporter. Fails when
// a test failed or a file holds none. In CI a skipped test is a failure too.

import { existsSync, readFileSync } from 'node:fs'

/** @typedef {{ name: string, status: string, assertionResults: { status: string, fullName: string, failureMessages?: string[] }[] }} TestFile */
/** @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, testResults: TestFile[] }} Report */

/** How much of a failure's message is printed. */
const MESSAGE_LINES = 40

const reports = process.argv.slice(2).map((path) => (existsSync(path) ? readReport(path) : undefined))

for (const report of reports) if (report) printFailures(report)
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

/** @param {Report} report */
function printFailures({ testResults }) {
  for (const { name, status, assertionResults } of testResults) {
    const failures = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && assertionResults.length === 0) console.log(`FAILED ${name}`)
    for (const { fullName, failureMessages = [] } of failures)
      console.log(`FAILED ${name} > ${fullName}\n${beginning(failureMessages[0])}`)
  }
}

/** @param {string} [message] */
function beginning(message = '') {
  const lines = message.split('\n').slice(0, MESSAGE_LINES)
  return lines.map((line) => `  ${line}`).join('\n')
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
