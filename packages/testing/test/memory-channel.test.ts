import { listQuestions } from '@sandagent/sdk'
import { expect, it } from 'vitest'
import { openRecord } from '../src/index.ts'
import { createMemoryChannel } from '../src/memory-channel.ts'

const record = openRecord('q', { nonce: 'n' })
const answer = {
  version: 1,
  toolCallId: 'q',
  nonce: 'n',
  questions: record.questions,
  answers: {},
  timestamp: record.askedAt,
  revision: 1,
  status: 'completed',
  responses: {},
} as const
const write = (host: ReturnType<typeof createMemoryChannel>['host'], more: object = {}) =>
  host.write({ ...answer, questions: [...answer.questions], ...more }, { expectedRevision: 0 })

it('a channel in memory has one set of questions at its three ends, apart from other channels', async () => {
  const { runner, host, sandbox } = createMemoryChannel()
  const other = createMemoryChannel()
  await runner.open(record)
  expect(await host.questions()).toMatchObject([{ toolCallId: 'q' }])
  expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId: 'q', state: 'open' }])
  expect(await other.host.questions()).toEqual([])
  await write(host)
  expect(await runner.read('q')).toMatchObject({ status: 'completed', revision: 1 })
})

it('both ends warn of what cannot be read', async () => {
  const warnings: [string, string | undefined][] = []
  const { runner, host } = createMemoryChannel({
    onWarning: ({ code, toolCallId }) => warnings.push([code, toolCallId]),
  })
  await runner.open(record)
  await write(host, { status: 'wrong' })
  expect(await runner.read('q')).toBeNull()
  expect(warnings.splice(0)).toEqual([['INVALID_FILE', 'q']])
  expect((await host.read('q')).answerFile).toBeUndefined()
  expect(warnings).toEqual([['INVALID_FILE', 'q']])
})
