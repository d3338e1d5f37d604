// Prints which tests passed only at their second try and what failed, then the names of what failed, then "N passed,
// N failed, N skipped", from files of test-report.mjs. Fails when a test failed, a file is missing, or a file tells of no test
// that passed. In CI a skipped test is a failure too.

import { existsSync, readFileSync } from 'node:fs'

/** @typedef {import('./test-report.mjs').TestReport} TestReport */

/** How much of a failure's message is printed. */
const MESSAGE_LINES = 20

const paths = process.argv.slice(2)
/** @type {TestReport[]} */
const reports = paths.filter((path) => existsSync(path)).map((path) => JSON.parse(readFileSync(path, 'utf8')))

const failed = reports.flatMap((report) => report.failed)
const retried = reports.flatMap((report) => report.retried)
const passed = sum(reports.map((report) => report.passed))
const skipped = sum(reports.map((report) => report.skipped))

for (const { name, message } of retried)
  console.log(`PASSED AT THE SECOND TRY ${name}\n${beginning(message, MESSAGE_LINES)}`)
for (const { name, message } of failed) console.log(`${name}\n${beginning(message, MESSAGE_LINES)}`)
for (const { name, message } of failed) console.log(`FAILED ${name}\n${beginning(message, 1)}`)
console.log(`${passed} passed, ${failed.length} failed, ${skipped} skipped`)

const isMissing = paths.length === 0 || reports.length < paths.length
const isEmpty = reports.some((report) => report.passed === 0)
const isSkipping = process.env.CI !== undefined && skipped > 0
if (failed.length > 0 || isMissing || isEmpty || isSkipping) process.exitCode = 1

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

/** @param {number[]} counts */
function sum(counts) {
  return counts.reduce((total, count) => total + count, 0)
}
