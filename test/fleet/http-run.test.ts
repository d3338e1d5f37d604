import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFileRunnerChannel } from '@sandagent/files'
import { listen } from '@sandagent/fixtures/listen.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createMemoryFleet } from '@sandagent/fleet'
import {
  createRunFleet,
  createRunnerHandler,
  fleetSandbox,
  mirrorQuestions,
  mirrorRunLog,
  streamFleetRun,
} from '@sandagent/fleet-host'
import {
  createSigningKey,
  LocalSandbox,
  listQuestions,
  parseSigningKeys,
  readRun,
  startRun,
  stopRun,
  streamRun,
  submitAnswer,
  toNodeHandler,
} from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'

const COMMAND = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))

const SCENARIO = {
  steps: [
    {
      ask: {
        questions: [{ question: 'Which language?', options: [{ label: 'TypeScript' }, { label: 'Python' }] }],
      },
    },
    { say: 'Good.' },
  ],
}

/** The events of a stream, without what keeps the connection alive. */
const textOf = async (stream: Promise<ReadableStream<Uint8Array>>): Promise<string> =>
  (await new Response(await stream).text()).replaceAll(': keep-alive\n\n', '')

it('a run asks over HTTP, any host answers with a signature, and the run goes on to its end', async () => {
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const store = createMemoryFleet()
  const url = await listen(toNodeHandler(createRunnerHandler({ fleet: store, signingKeys })))
  const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
  await writeFile(join(sandbox.workdir, 'scenario.json'), JSON.stringify(SCENARIO))
  const run = await startRun(
    sandbox,
    {
      agent: 'scripted',
      args: ['--scenario', 'scenario.json'],
      prompt: 'Go',
      runner: [process.execPath, COMMAND],
    },
    { signingKeys, fleet: createRunFleet({ store, url }) },
  )
  onTestFinished(async () => void (await stopRun(sandbox, run.runId, { graceMs: 0 })))

  const fleet = fleetSandbox(store, run.runId)
  const question = await vi.waitFor(async () => {
    const [first] = await listQuestions(fleet, { signingKeys })
    if (!first) throw new Error('Nothing was asked')
    return first
  })
  expect(await listQuestions(sandbox, { signingKeys })).toEqual([])
  const answer = { toolCallId: question.toolCallId, answers: { 'Which language?': 'Python' } }
  await submitAnswer(fleet, { ...answer, status: 'completed' }, { signingKeys, answeredBy: 'ada' })
  const here = await textOf(streamRun(sandbox, run.runId))
  expect(here).toContain('Good.')
  // Hosts without the sandbox stream the same, from the beginning and from where a reader was.
  expect(await textOf(streamFleetRun(store, run.runId))).toBe(here)
  const rest = await textOf(streamFleetRun(store, run.runId, { from: '1-2' }))
  expect(rest).toBe(here.slice(here.indexOf('id: 1-3\n')))
  await vi.waitFor(async () =>
    expect(await readRun(sandbox, run.runId)).toMatchObject({ state: 'finished', exitCode: 0 }),
  )
  const [receipt] = await listQuestions(fleet, { all: true, signingKeys })
  expect(receipt).toMatchObject({ state: 'answered', answeredBy: 'ada' })
  await vi.waitFor(async () => expect((await store.runs.find(run.runId))?.endedAt).toBeDefined())
})

it('a run does not ask where an agent of another sandbox has named it before', async () => {
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const store = createMemoryFleet()
  const stop = new AbortController()
  const theirs = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
  const mirror = mirrorQuestions(theirs, {
    fleet: store,
    namespace: 'theirs',
    signal: stop.signal,
    signingKeys,
  })
  await createFileRunnerChannel({ workdir: theirs.workdir }).open(openRecord('t1', { runId: 'nightly' }))
  await vi.waitFor(async () => expect(await store.unsettled()).toHaveLength(1))
  const url = await listen(toNodeHandler(createRunnerHandler({ fleet: store, signingKeys })))
  const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
  await writeFile(join(sandbox.workdir, 'scenario.json'), JSON.stringify(SCENARIO))
  const request = { agent: 'scripted', args: ['--scenario', 'scenario.json'], prompt: 'Go', runId: 'nightly' }
  const { runId } = await startRun(
    sandbox,
    { ...request, runner: [process.execPath, COMMAND] },
    { signingKeys, fleet: createRunFleet({ store, url }) },
  )
  onTestFinished(async () => void (await stopRun(sandbox, runId, { graceMs: 0 })))
  await vi.waitFor(async () => expect(await store.unsettled()).toHaveLength(2))
  expect((await store.unsettled()).map(({ namespace }) => namespace).sort()).toEqual(['nightly', 'theirs'])
  stop.abort()
  await mirror
})

it('a run in an isolated sandbox does not start where its runner could not ask', async () => {
  const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'auto' })
  const { level } = await sandbox.activeIsolation()
  const fleet = createRunFleet({ store: createMemoryFleet(), url: 'http://127.0.0.1:1/runner' })
  const started = startRun(sandbox, { agent: 'scripted', prompt: 'Go', runner: ['true'] }, { fleet })
  if (level === 'strict') await expect(started).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  else await stopRun(sandbox, (await started).runId)
})

it('another host copies the log of a run whose host has ended, and shows that it was stopped', async () => {
  const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
  await writeFile(join(sandbox.workdir, 'scenario.json'), JSON.stringify(SCENARIO))
  const request = { agent: 'scripted', args: ['--scenario', 'scenario.json'], prompt: 'Go' }
  const { runId } = await startRun(sandbox, { ...request, runner: [process.execPath, COMMAND] })
  const store = createMemoryFleet()
  await expect(streamFleetRun(store, runId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const first = new AbortController()
  const copied = mirrorRunLog(sandbox, runId, { fleet: store, signal: first.signal })
  await vi.waitFor(async () => expect(await store.logs?.lastAttempt(runId)).toBe(1))
  first.abort()
  await copied
  const streamed = textOf(streamFleetRun(store, runId))
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
  const { signal } = new AbortController()
  const copies = [1, 2].map(() => mirrorRunLog(sandbox, runId, { fleet: store, signal }))
  await stopRun(sandbox, runId)
  await Promise.all(copies)
  expect(await streamed).toBe(await textOf(streamRun(sandbox, runId)))
  expect(await streamed).toMatch(/"type":"abort".*\n\n(id: .*\n)?data: \[DONE\]\n\n$/)
})

it('a store without logs says so', async () => {
  const { logs: _, ...store } = createMemoryFleet()
  await expect(streamFleetRun(store, 'run-1')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

it('the stream of a start whose host died ends when the run has started again', async () => {
  const store = createMemoryFleet()
  const event = Buffer.from('data: {"type":"start"}\n\n')
  await store.logs?.append({ runId: 'run-1', attempt: 1 }, { offset: 0, bytes: event })
  const streamed = textOf(streamFleetRun(store, 'run-1'))
  await store.logs?.append({ runId: 'run-1', attempt: 2 }, { offset: 0, bytes: event })
  expect(await streamed).toMatch(/^id: 1-1\n.*\n\ndata: .*"type":"error".*\n\ndata: \[DONE\]\n\n$/)
})

it('a log whose beginning is removed is not shown as whole', async () => {
  const { logs, ...store } = createMemoryFleet()
  if (!logs) throw new Error('The memory keeps logs')
  await logs.append({ runId: 'run-1', attempt: 1 }, { offset: 0, bytes: Buffer.from('a') })
  const pieces = async function* () {
    yield { offset: 7, bytes: Buffer.from('data: {}\n\n') }
  }
  const onError = vi.fn()
  const fleet = { ...store, logs: { ...logs, pieces } }
  expect(await textOf(streamFleetRun(fleet, 'run-1', { onError })).catch(() => 'broken')).not.toContain('id:')
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'GONE' }))
})
