import { createHostChannel, createRunnerChannel } from '@sandagent/core/store'
import { createMemoryFleet } from '@sandagent/fleet'
import { answerFileFor, createFakeClock, openRecord } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { deliveredQuestions } from '../src/delivery.ts'

it('a host waits by the given clock until an answer has reached a sandbox', async () => {
  const clock = createFakeClock()
  const questions = createMemoryFleet().questions('test')
  const mirrored = { ...openRecord('q'), mirror: { delivered: 0 } }
  await createRunnerChannel(questions).open(mirrored)
  const host = createHostChannel(deliveredQuestions(questions, clock))
  const write = host.write(answerFileFor('q', { status: 'completed' }), { expectedRevision: 0 })
  const failed = write.catch((error: unknown) => error)
  await clock.whenPending()
  clock.advance(10_000)
  expect(await failed).toMatchObject({ code: 'UNREACHABLE' })
})
