// A host process over Postgres. It follows all questions, answers some of them in the name of a person of its own, and reports
// what that person is told. An answer whose fate is not known is sent again.

import { fleetSandbox } from '@sandagent/fleet-host'
import { createPostgresFleet } from '@sandagent/postgres'
import { submitAnswer } from '@sandagent/sdk'

const [connectionString = '', name = ''] = process.argv.slice(2)
const fleet = createPostgresFleet({ connectionString })
const sandbox = fleetSandbox(fleet, 'n1')
const stop = new AbortController()
const seen = new Set()
/** @type {Set<Promise<void>>} */
const answering = new Set()
process.once('message', () => stop.abort())

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms))

/** @param {string} toolCallId */
async function answer(toolCallId) {
  await pause(Math.random() * 2000)
  const responses = { q1: { selected: ['A'] } }
  for (;;)
    try {
      await submitAnswer(
        sandbox,
        { toolCallId, status: 'completed', responses },
        { answeredBy: name, signingKeys: null },
      )
      process.send?.({ toolCallId, by: name, told: 'stored' })
      return
    } catch (error) {
      const told = /** @type {any} */ (error).code ?? String(error)
      if (told !== 'UNREACHABLE') {
        process.send?.({ toolCallId, by: name, told })
        return
      }
      await pause(100)
    }
}

for await (const list of fleet.questions('n1').subscribe(stop.signal))
  for (const { toolCallId, record } of list) {
    const isOpen = record !== null && JSON.parse(record.text).state === 'open'
    if (!isOpen || seen.has(toolCallId)) continue
    seen.add(toolCallId)
    if (Math.random() < 0.6) {
      const answered = answer(toolCallId)
      answering.add(answered)
      void answered.then(() => answering.delete(answered))
    }
  }
await Promise.all(answering)
await fleet.close()
process.disconnect()
