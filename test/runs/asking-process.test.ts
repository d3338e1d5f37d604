import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createAnswerHandler, type LocalSandbox, listQuestions } from '@sandagent/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { tempSandbox } from '../support/workspace.ts'

const fixture = fileURLToPath(new URL('../fixtures/asks.mjs', import.meta.url))
const URL_OF_ANSWER = 'http://localhost/api/answer'

function startAsker({ workdir }: LocalSandbox): ChildProcess {
  const asker = spawn(process.execPath, [fixture, workdir], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void asker.kill('SIGKILL'))
  return asker
}

const viewIn = async (sandbox: LocalSandbox): Promise<Record<string, unknown>> =>
  (
    await createAnswerHandler({ sandbox, authorize: () => true }).GET(
      new Request(`${URL_OF_ANSWER}?toolCallId=call_1`),
    )
  ).json()

it('tells of a question whose process was killed, and the next process takes up its answer', async () => {
  const sandbox = await tempSandbox()
  const first = startAsker(sandbox)
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
  expect(await viewIn(sandbox)).not.toHaveProperty('runEnded')

  first.kill('SIGKILL')
  await once(first, 'exit')
  expect(await viewIn(sandbox)).toMatchObject({ state: 'open', runEnded: true })
  const body = JSON.stringify({
    toolCallId: 'call_1',
    answers: { 'Which colour?': 'Blue' },
    status: 'completed',
  })
  const headers = { 'content-type': 'application/json' }
  const response = await createAnswerHandler({ sandbox, authorize: () => true }).POST(
    new Request(URL_OF_ANSWER, { method: 'POST', headers, body }),
  )
  expect(response.status).toBe(200)
  expect(await viewIn(sandbox)).toMatchObject({ state: 'sent', runEnded: true })

  const second = startAsker(sandbox)
  expect(JSON.parse(await text(second.stdout as NodeJS.ReadableStream))).toMatchObject({
    kind: 'answered',
    responses: { q1: { selected: ['Blue'] } },
  })
  expect(await viewIn(sandbox)).not.toHaveProperty('runEnded')
})

it('tells no longer of a killed process once another one has taken up its question', async () => {
  const sandbox = await tempSandbox()
  const first = startAsker(sandbox)
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
  first.kill('SIGKILL')
  await once(first, 'exit')
  expect(await viewIn(sandbox)).toMatchObject({ runEnded: true })
  startAsker(sandbox)
  await vi.waitFor(async () => expect(await viewIn(sandbox)).not.toHaveProperty('runEnded'))
})
