// Prints what failed, then the names of the tests that failed or passed only at their second try, then "N passed,
// N failed, N skipped", from files of Vitest's json reporter. Fails when a test failed or a file holds none. In CI a
// skipped test is a failure too.

import { existsSync, readFileSync } from 'node:fs'

/** @typedef {{ name: string, status: string, assertionResults: { status: string, fullName: string, failureMessages?: string[] }[] }} TestFile */
/** @typedef {{ numPassedTests: number, numPendingTests: number, numTodoTests: number, testResults: TestFile[] }} Report */

/** How much of a failure's message is printed. */
const MESSAGE_LINES = 20

const reports = process.argv.slice(2).map((path) => (existsSync(path) ? readReport(path) : undefined))

const tests = reports.flatMap((report) => (report ? testsOf(report) : []))
const failures = tests.filter(({ status }) => status === 'failed')
const retried = tests.filter(({ status, message }) => status === 'passed' && message !== '')

for (const { name, message } of failures) console.log(`${name}\n${beginning(message, MESSAGE_LINES)}`)
for (const { name, message } of retried)
  console.log(`PASSED AT THE SECOND TRY ${name}\n${beginning(message, 1)}`)
for (const { name, message } of failures) console.log(`FAILED ${name}\n${beginning(message, 1)}`)
const passed = sum((report) => report.numPassedTests)
const skipped = sum((report) => report.numPendingTests + report.numTodoTests)
console.log(`${passed} passed, ${failures.length} failed, ${skipped} skipped`)
const isSkipping = process.env.CI !== undefined && skipped > 0
if (
  failures.length > 0 ||
  isSkipping ||
  reports.length === 0 ||
  reports.some((report) => !report?.numPassedTests)
)
  process.exitCode = 1

/**
 * @param {string} path
 * @returns {Report}
 */
function readReport(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/**
 * The tests of a report, each with the message of its last failure. A file that failed before its tests began counts as
 * one.
 *
 * @param {Report} report
 */
function testsOf({ testResults }) {
  return testResults.flatMap(({ name, status, assertionResults }) =>
    status === 'failed' && assertionResults.length === 0
      ? [{ name, status, message: 'The file failed before its tests began' }]
      : assertionResults.map((test) => ({
          name: `${name} > ${test.fullName}`,
          status: test.status,
          message: test.failureMessages?.at(-1) ?? '',
        })),
  )
}

/**
 * @param {string} message
 * @param {number} count
 */
function beginning(message, count) {
  const lines = message.split('\n').filter((line) => !line.includes('node_modules'))
  return lines
    .slice(0, count)
    .map((line) => `  ${line}`)
    .join('\n')
}

/** @param {(report: Report) => number} count */
function sum(count) {
  return reports.reduce((total, report) => total + (report ? count(report) : 0), 0)
}
