// A runner process over Postgres. In each of its lanes it asks one question after the other, and reports how each ended. A
// runner that was killed goes on where it was: its arguments say how many questions of each lane have ended, with their
// receipts.

import { createRunnerChannel } from '@sandagent/core/store'
import { createPostgresFleet } from '@sandagent/postgres'
import { askUser, receiptsWritten } from '@sandagent/runner'

const [connectionString = '', name = '', ended = '[]'] = process.argv.slice(2)
const fleet = createPostgresFleet({ connectionString })
const channel = createRunnerChannel(fleet.questions('n1'))
const questions = [{ id: 'q1', question: 'Which language?', options: [{ label: 'A' }, { label: 'B' }] }]
let isStopping = false
process.once('message', () => {
  isStopping = true
})

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms))

/** @param {string} toolCallId */
async function outcomeOf(toolCallId) {
  const timeoutMs = 300 + Math.round(Math.random() * 2000)
  for (;;)
    try {
      return await askUser(channel, { toolCallId, questions, runId: name }, { timeoutMs })
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'UNREACHABLE') throw error
      await pause(50)
    }
}

/** @type {(from: number, lane: number) => Promise<void>} */
const ask = async (from, lane) => {
  for (let n = from; !isStopping; n++) {
    const toolCallId = `${name}-${lane}-${n}`
    const { kind, answeredBy } = await outcomeOf(toolCallId)
    await receiptsWritten()
    process.send?.({ toolCallId, lane, outcome: { kind, ...(answeredBy && { answeredBy }) } })
  }
}

await Promise.all(JSON.parse(ended).map(ask))
await fleet.close()
process.disconnect()
