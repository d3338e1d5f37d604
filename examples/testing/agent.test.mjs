// Tests an agent without a person: node --test examples/testing/agent.test.mjs
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askUser } from '@sandagent/runner'
import { answers, createFakeClock, createMemoryChannel, neverAnswers, startPerson } from '@sandagent/testing'

const QUESTION = { question: 'Which database?', options: [{ label: 'SQLite' }, { label: 'Postgres' }] }

/**
 * The agent: it asks for a database, and takes SQLite when nobody answers within a minute.
 *
 * @param {import('@sandagent/core').RunnerChannel} channel
 * @param {import('@sandagent/core').Clock} [clock]
 */
async function chooseDatabase(channel, clock) {
  const request = { toolCallId: 'call-1', runId: 'run-1', questions: [QUESTION] }
  const outcome = await askUser(channel, request, { timeoutMs: 60_000, clock })
  const response = outcome.responses.q1
  return response && 'selected' in response ? response.selected[0] : 'SQLite'
}

test('the agent takes the database that the user picks', async () => {
  const { runner, host } = createMemoryChannel()
  const person = startPerson(host, [answers({ 'Which database?': 'Postgres' })])
  const [database] = await Promise.all([chooseDatabase(runner), person.done])
  assert.equal(database, 'Postgres')
})

test('the agent takes SQLite when nobody answers for a minute', async () => {
  const clock = createFakeClock()
  const { runner, host } = createMemoryChannel({ clock })
  const person = startPerson(host, [neverAnswers()], { clock })
  const database = chooseDatabase(runner, clock)
  await person.done
  await clock.whenPending()
  clock.advance(60_000)
  assert.equal(await database, 'SQLite')
})
