import { createFileRunnerChannel } from '@sandagent/files'
import {
  createSigningKey,
  LocalSandbox,
  parseSigningKeys,
  readRun,
  startRun,
  stopRun,
  streamRun,
} from '@sandagent/sdk'
import { createFakeClock, openRecord } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { answerApi, askingRun, waitingQuestion } from '../support/remote/asking-run.ts'
import { COMMAND, pipedSandbox, type Wire } from '../support/remote/piped-sandbox.ts'

const requestsIn = ({ frames }: Wire): string[] =>
  frames.flatMap(({ direction, text }) =>
    direction === '>' ? ((JSON.parse(text).call as string) ?? []) : [],
  )

/** The calls on a wire that have no reply yet. */
function callsUnderWay({ frames, ...wire }: Wire): string[] {
  const idOf = ({ text }: Wire['frames'][number]): unknown => JSON.parse(text).id
  const ended = new Set(frames.filter(({ text }) => /"(value|error)":/.test(text)).map(idOf))
  return requestsIn({ ...wire, frames: frames.filter((frame) => !ended.has(idOf(frame))) })
}

/** How many requests there are until work is done. */
async function requestsOf(wire: Wire, work: () => Promise<unknown>): Promise<string[]> {
  wire.frames.length = 0
  await work()
  return requestsIn(wire)
}

it('a run in a remote sandbox asks, is answered with a signature, and goes on to its end', async () => {
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const { sandbox } = await pipedSandbox()
  const run = await askingRun(sandbox, { signingKeys })
  const streamed = await streamRun(sandbox, run.runId)
  const text = new Response(streamed).text()
  const question = await waitingQuestion(sandbox, signingKeys)
  const { post, get } = answerApi(sandbox, signingKeys)
  const answer = {
    toolCallId: question.toolCallId,
    answers: { 'Which language?': 'Python' },
    status: 'completed',
  }
  expect(await post(answer)).toMatchObject({ success: true, status: 'completed' })
  expect(await post(answer)).toMatchObject({ success: true, status: 'completed' })
  expect(await text).toContain('Good.')
  await vi.waitFor(async () =>
    expect(await readRun(sandbox, run.runId)).toMatchObject({ state: 'finished', exitCode: 0 }),
  )
  const view = await (await get(`?toolCallId=${question.toolCallId}`)).json()
  expect(view).toMatchObject({ state: 'answered', answeredBy: 'ada' })
  const [record] = await sandbox.files.list('.sandagent/questions')
  expect(await sandbox.files.read(`.sandagent/questions/${record}`)).toContain('"state": "answered"')
})

it('a host that closes its sandbox while a run goes on is told no failure', async () => {
  const { sandbox, workdir } = await pipedSandbox()
  const failures: unknown[] = []
  const request = { agent: 'command', args: ['--', 'sleep', '60'], prompt: '' }
  const { runId } = await startRun(
    sandbox,
    { ...request, runner: [process.execPath, COMMAND] },
    { signingKeys: null, onError: (error) => failures.push(error) },
  )
  sandbox.close()
  const local = new LocalSandbox({ workdir, isolation: 'none' })
  expect(await stopRun(local, runId)).toMatchObject({ state: 'stopped' })
  expect(failures).toEqual([])
})

it('an answer takes two round trips, and one while a page follows the question', async () => {
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const { sandbox, wire, workdir } = await pipedSandbox()
  const runner = createFileRunnerChannel({ workdir })
  for (const toolCallId of ['toolu_1', 'toolu_2']) await runner.open(openRecord(toolCallId))
  const { post, get } = answerApi(sandbox, signingKeys)
  const answer = { answers: { 'Which language?': 'B' }, status: 'completed' }
  await sandbox.files.list('.')

  expect(await requestsOf(wire, () => post({ ...answer, toolCallId: 'toolu_1' }))).toEqual([
    'question',
    'answer',
  ])
  const page = await get('?toolCallId=toolu_2', { headers: { accept: 'text/event-stream' } })
  const reader = page.body?.getReader()
  const decoder = new TextDecoder()
  for (let text = ''; !text.includes('toolu_2'); ) text += decoder.decode((await reader?.read())?.value)
  expect(await requestsOf(wire, () => post({ ...answer, toolCallId: 'toolu_2' }))).toEqual(['answer'])
  await reader?.cancel()
  for (const toolCallId of ['toolu_1', 'toolu_2'])
    expect(await runner.read(toolCallId)).toMatchObject({ status: 'completed', answeredBy: 'ada' })
})

it('a waiting run with its stream and a followed question sends nothing but heartbeats', async () => {
  const clock = createFakeClock()
  const { sandbox, wire } = await pipedSandbox({ clock })
  const run = await askingRun(sandbox, { signingKeys: null })
  const stream = (await streamRun(sandbox, run.runId, { clock })).getReader()
  const decoder = new TextDecoder()
  let streamed = ''
  const reading = (async () => {
    for (let next = await stream.read(); !next.done; next = await stream.read())
      streamed += decoder.decode(next.value, { stream: true })
  })()
  const { toolCallId } = await waitingQuestion(sandbox, null)
  const { get } = answerApi(sandbox, null)
  const page = (
    await get(`?toolCallId=${toolCallId}`, { headers: { accept: 'text/event-stream' } })
  ).body?.getReader()
  await page?.read()
  await vi.waitFor(() => {
    // The run prints no more before it is answered.
    expect(streamed).toContain('"tool-input-available"')
    expect(callsUnderWay(wire).sort()).toEqual(['subscribe', 'until', 'until', 'until', 'whenEnded'])
    // The relay sends the state of the question once, when the page begins to follow it.
    expect(wire.frames.some(({ text }) => text.includes('"event":{"state":'))).toBe(true)
  })

  wire.frames.length = 0
  for (let ms = 0; ms < 60_000; ms += 5000) {
    clock.advance(5000)
    await new Promise((resolve) => setImmediate(resolve))
    await vi.waitFor(() => {
      const pings = wire.frames.filter(({ direction }) => direction === '>')
      expect(wire.frames.length - pings.length).toBe(pings.length) // Each has its reply.
    })
  }
  expect(new Set(wire.frames.map(({ text }) => text))).toEqual(new Set(['{"ping":true}', '{"pong":true}']))
  expect(wire.frames.length).toBeLessThan(6) // In a minute, in both directions together.
  await page?.cancel()
  await stream.cancel()
  await reading
})
