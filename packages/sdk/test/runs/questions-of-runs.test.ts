import type { QuestionView } from '@sandagent/core'
import { addObserver, type QuestionCounts } from '@sandagent/core/internal'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createAnswerHandler,
  type LocalSandbox,
  listQuestions,
  observeQuestions,
  submitAnswer,
  watchQuestions,
} from '../../src/index.ts'
import { noted, started } from '../support/runs.ts'
import { ask, settle, tempSandbox } from '../support/temp-sandbox.ts'

const URL = 'http://localhost/api/answer?toolCallId=r-1'
const viewOf = async (sandbox: LocalSandbox): Promise<QuestionView> =>
  (await createAnswerHandler({ sandbox, authorize: () => true }).GET(new Request(URL))).json()

/** A question of a run that has crashed. */
async function orphan(): Promise<LocalSandbox> {
  const sandbox = await tempSandbox()
  await started(sandbox, { agent: 'crashes', runId: 'r' })
  await noted(sandbox, 'r')
  await ask(sandbox, 'r-1', undefined, { runId: 'r' })
  return sandbox
}

describe('an open question of a run that is gone', () => {
  it('is open, and tells that its run has ended', async () => {
    const sandbox = await orphan()
    expect(await viewOf(sandbox)).toMatchObject({ state: 'open', runEnded: true })
    expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId: 'r-1', runEnded: true }])
  })

  it('is not counted among those that wait, and its answer is unread', async () => {
    const sandbox = await orphan()
    const found: (() => Promise<QuestionCounts>)[] = []
    const counts = (count: () => Promise<QuestionCounts>) => {
      found.push(count)
      return () => {}
    }
    onTestFinished(addObserver({ counts }))
    onTestFinished(observeQuestions([sandbox]))
    expect(await found[0]?.()).toEqual({ open: 0, unread: 0, oldestAskedAt: null })
    await submitAnswer(sandbox, { toolCallId: 'r-1', answers: { 'Which language?': 'Python' } })
    expect(await found[0]?.()).toEqual({ open: 0, unread: 1, oldestAskedAt: null })
  })

  it('takes an answer, which waits for the run to be started again', async () => {
    const sandbox = await orphan()
    await submitAnswer(sandbox, { toolCallId: 'r-1', answers: { 'Which language?': 'Python' } })
    expect(await viewOf(sandbox)).toMatchObject({ state: 'sent', runEnded: true })
    await started(sandbox, { agent: 'waits', runId: 'r' })
    expect(await viewOf(sandbox)).not.toHaveProperty('runEnded')
  })

  it('is told to those who follow it, both when the run goes and when it comes back', async () => {
    const sandbox = await tempSandbox()
    const run = await started(sandbox, { agent: 'waits', runId: 'r' })
    await ask(sandbox, 'r-1', undefined, { runId: 'r' })
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const views = watchQuestions(sandbox, { signal: leaving.signal, all: true })
    const next = async () => (await views.next()).value
    expect(await next()).not.toHaveProperty('runEnded')

    const record = await sandbox.files.read('.sandagent/runs/r/1/run.json')
    await sandbox.detached.kill(JSON.parse(record as string).process)
    expect(await next()).toMatchObject({ state: 'open', runEnded: true })
    await noted(sandbox, 'r')
    await started(sandbox, { ...run })
    expect(await next()).not.toHaveProperty('runEnded')
  })

  it('is a question as every other one once it is settled', async () => {
    const sandbox = await orphan()
    await settle(sandbox, 'r-1', { state: 'aborted' })
    expect(await viewOf(sandbox)).not.toHaveProperty('runEnded')
  })
})

it('knows nothing of runs that were not started here, or whose record cannot be read', async () => {
  const sandbox = await orphan()
  await ask(sandbox, 'r-1b', undefined, { runId: '../../elsewhere' })
  await ask(sandbox, 'r-1c', undefined, { runId: 'in-a-terminal' })
  const path = '.sandagent/runs/r/1/run.json'
  const record = (await sandbox.files.read(path)) as string
  await sandbox.files.writeAtomic(path, 'garbage')
  const views = await listQuestions(sandbox)
  await sandbox.files.writeAtomic(path, record)
  expect(views).toHaveLength(3)
  for (const view of views) expect(view).not.toHaveProperty('runEnded')
  const { files } = sandbox
  for (const view of await listQuestions({ files })) expect(view).not.toHaveProperty('runEnded')
})
