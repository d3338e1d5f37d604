import { createFileRunnerChannel } from '@sandagent/files'
import { createSigningKey, parseSigningKeys, submitAnswer } from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { answerApi } from '../support/remote/asking-run.ts'
import { isThere } from '../support/remote/is-there.ts'
import { type PipedSandbox, pipedSandbox } from '../support/remote/piped-sandbox.ts'

const signingKeys = await parseSigningKeys(await createSigningKey())

/** Answers a draft, then the whole, and cuts the connection at a message. Returns how many messages there were. */
async function answered({ sandbox, wire, workdir }: PipedSandbox, nth: number): Promise<number> {
  const runner = createFileRunnerChannel({ workdir })
  const toolCallId = `toolu_${nth}`
  await runner.open(openRecord(toolCallId))
  await sandbox.files.list('.')
  let messages = 0
  wire.onFrame = () => ++messages === nth
  const { post } = answerApi(sandbox, signingKeys)
  const draft = { toolCallId, answers: { 'Which language?': 'A' }, status: 'pending' }
  expect(await post(draft)).toMatchObject({ success: true, revision: 1 })
  expect(await post({ ...draft, answers: { 'Which language?': 'B' }, status: 'completed' })).toMatchObject({
    success: true,
    status: 'completed',
    revision: 2,
  })
  wire.onFrame = () => undefined
  expect(await runner.read(toolCallId)).toMatchObject({
    revision: 2,
    answeredBy: 'ada',
    answers: { 'Which language?': 'B' },
  })
  return messages
}

it('an answer is stored once, wherever the connection is cut', async () => {
  const piped = await pipedSandbox()
  const messages = await answered(piped, 0)
  expect(messages).toBe(8) // Two requests and two replies for each of the two.
  for (let nth = 1; nth <= messages; nth++) await answered(piped, nth)
  expect(piped.wire.relays).toHaveLength(1 + messages)
  piped.sandbox.close()
  await vi.waitFor(() => expect(piped.wire.relays.filter(isThere)).toEqual([]))
})

it('an answer whose question got another one while the connection was lost is a conflict', async () => {
  const { sandbox, wire, workdir } = await pipedSandbox()
  const runner = createFileRunnerChannel({ workdir })
  await runner.open(openRecord('toolu_1'))
  const other = await pipedSandbox({ workdir })
  await sandbox.files.list('.')
  let isCut = false
  wire.onFrame = (direction, text) => {
    if (isCut || direction !== '>' || !text.includes('"answer"')) return false
    isCut = true
    return true
  }
  const request = { toolCallId: 'toolu_1', status: 'completed' } as const
  const connect = submitAnswer(sandbox, { ...request, answers: { 'Which language?': 'A' } }, { signingKeys })
  await vi.waitFor(() => expect(isCut).toBe(true))
  const [mine, theirs] = await Promise.allSettled([
    connect,
    submitAnswer(other.sandbox, { ...request, answers: { 'Which language?': 'B' } }, { signingKeys }),
  ])
  const answers = [mine, theirs].filter(({ status }) => status === 'fulfilled')
  expect(answers).toHaveLength(1)
  expect([mine, theirs].find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'CONFLICT' },
  })
})
