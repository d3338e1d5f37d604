import { channelOf, type LocalSandbox, recordOwnRun, submitAnswer } from '@sandagent/sdk/internal'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, onTestFinished } from 'vitest'
import { isIdle, lookAt, type Outlook } from '../../src/park/outlook.ts'
import { ask, close, LANGUAGE, picked, settle, tempSandbox } from '../support/temp-sandbox.ts'

const clock = createFakeClock()
const look = (sandbox: LocalSandbox): Promise<Outlook> =>
  lookAt(sandbox, channelOf(sandbox, { signingKeys: null, clock }), clock)
const answer = (sandbox: LocalSandbox, toolCallId: string, status: 'pending' | 'completed') =>
  submitAnswer(
    sandbox,
    { toolCallId, responses: { q1: picked('Python') }, status },
    { signingKeys: null, clock },
  )
const every = () => true

async function running(sandbox: LocalSandbox, runId: string) {
  const log = await recordOwnRun(sandbox, { runId, agent: 'a', args: [], prompt: '' }, { clock })
  onTestFinished(() => log.close())
  return log
}

it('nothing waits in an empty sandbox, and it is not idle', async () => {
  const found = await look(await tempSandbox())
  expect(found).toMatchObject({
    running: [],
    waiting: [],
    isAnswered: false,
    deadline: Number.POSITIVE_INFINITY,
  })
  expect(isIdle(found, every)).toBe(false)
})

it('a sandbox is idle while all its runs wait for questions', async () => {
  const sandbox = await tempSandbox()
  await running(sandbox, 'r')
  expect(isIdle(await look(sandbox), every)).toBe(false)
  await ask(sandbox, 'q', [LANGUAGE], { runId: 'r' })
  const found = await look(sandbox)
  expect(found).toMatchObject({
    running: [{ runId: 'r' }],
    waiting: [{ toolCallId: 'q' }],
    isAnswered: false,
  })
  expect([isIdle(found, every), isIdle(found, () => false)]).toEqual([true, false])
  await running(sandbox, 's')
  expect(isIdle(await look(sandbox), every)).toBe(false)
})

it('a sandbox with an answer that nobody took, or a question that closes, is not idle', async () => {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'q')
  await ask(sandbox, 'other')
  await answer(sandbox, 'q', 'pending')
  expect(isIdle(await look(sandbox), every)).toBe(true)
  await answer(sandbox, 'q', 'completed')
  const found = await look(sandbox)
  expect(found).toMatchObject({ waiting: [{ toolCallId: 'other' }], isAnswered: true })
  expect(isIdle(found, every)).toBe(false)
  await settle(sandbox, 'q', { state: 'answered', revision: 2, responses: { q1: picked('Python') } })
  expect(isIdle(await look(sandbox), every)).toBe(true)
  await close(sandbox, 'other')
  expect(isIdle(await look(sandbox), every)).toBe(false)
})

it('the deadline is the first of those questions that wait', async () => {
  const sandbox = await tempSandbox()
  const askFor = (toolCallId: string, ms: number) =>
    ask(sandbox, toolCallId, [LANGUAGE], {
      askedAt: new Date(clock.now()).toISOString(),
      timeoutMs: ms,
      deadline: new Date(clock.now() + ms).toISOString(),
    })
  await ask(sandbox, 'never')
  await askFor('late', 90_000)
  await askFor('soon', 60_000)
  expect((await look(sandbox)).deadline).toBe(clock.now() + 60_000)
  await settle(sandbox, 'soon', { state: 'timed-out' })
  expect((await look(sandbox)).deadline).toBe(clock.now() + 90_000)
})

it('each change gives another fingerprint', async () => {
  const sandbox = await tempSandbox()
  const prints: string[] = []
  const add = async () => prints.push((await look(sandbox)).fingerprint)
  await add()
  await ask(sandbox, 'q', [LANGUAGE], { runId: 'r' })
  await add()
  await answer(sandbox, 'q', 'pending')
  await add()
  await answer(sandbox, 'q', 'pending')
  const log = await running(sandbox, 'r')
  await add()
  await log.write('data: {"type":"start"}\n\n')
  await add()
  await close(sandbox, 'q')
  await add()
  expect(new Set(prints).size).toBe(prints.length)
  expect((await look(sandbox)).fingerprint).toBe(prints.at(-1))
})
