import { AskError } from '@sandagent/core'
import { answerFilePath } from '@sandagent/files'
import { askUser, createVerifiedChannel, parsePublicKeys } from '@sandagent/runner'
import {
  createAnswerHandler,
  createSigningKey,
  observeQuestions,
  parseSigningKeys,
  submitAnswer,
} from '@sandagent/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { NAMES } from '../src/names.ts'
import { measured } from './measured.ts'
import { answer, workspace } from './workspace.ts'

const HOW = { [NAMES.outcome]: 'answered', [NAMES.kind]: 'question' }

describe('the metrics of a runner', () => {
  it('each question counts once, by how it ended', async () => {
    const { points } = measured()
    const { ask, sandbox } = await workspace()
    const { asked, outcome } = ask()
    await asked
    await submitAnswer(sandbox, answer)
    await outcome
    expect((await ask().outcome).kind).toBe('answered')
    expect(await points('sandagent.question.outcomes')).toEqual([[HOW, 1]])
    for (const name of ['question.human_time', 'question.machine_time', 'answer.latency'])
      expect(await points(`sandagent.${name}`)).toEqual([[HOW, expect.objectContaining({ count: 1 })]])
  })

  it('a submission with a skipped question has a latency, and a time of the person', async () => {
    const { points } = measured()
    const { channel, request, sandbox } = await workspace()
    const questions = [...request.questions, { question: 'Why?' }]
    const onAsked = async (): Promise<void> => {
      const q2 = { skipped: true, source: 'human' } as const
      await submitAnswer(sandbox, { ...answer, responses: { ...answer.responses, q2 } })
    }
    expect((await askUser(channel, { ...request, questions }, { onAsked })).kind).toBe('partial')
    const how = { ...HOW, [NAMES.outcome]: 'partial' }
    expect(await points('sandagent.answer.latency')).toEqual([[how, expect.objectContaining({ count: 1 })]])
  })

  it('a wait that is given up is no question that ended', async () => {
    const { points } = measured()
    const { ask } = await workspace()
    const stop = new AbortController()
    const { asked, outcome } = ask({ detachSignal: stop.signal })
    await asked
    stop.abort()
    expect((await outcome).kind).toBe('aborted')
    expect(await points('sandagent.question.outcomes')).toEqual([])
    expect(await points('sandagent.question.human_time')).toEqual([])
  })

  it('a question that nobody answers has no latency', async () => {
    const { points } = measured()
    const { ask } = await workspace()
    await ask({ timeoutMs: 1 }).outcome
    expect(await points('sandagent.question.human_time')).toHaveLength(1)
    expect(await points('sandagent.answer.latency')).toEqual([])
  })

  it('a forged answer counts as refused by the runner', async () => {
    const { points } = measured()
    const { channel, request, sandbox } = await workspace()
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const publicKeys = parsePublicKeys(JSON.stringify(signingKeys.publicKeys))
    let onWarning = (_: unknown): void => {}
    const warned = new Promise((resolve) => {
      onWarning = resolve
    })
    const verified = createVerifiedChannel(channel, { publicKeys, onWarning })
    const onAsked = async (): Promise<void> => {
      const forged = {
        questions: [],
        answers: { 'Which language?': 'Python' },
        status: 'completed',
        timestamp: new Date().toISOString(),
      }
      await sandbox.files.writeAtomic(answerFilePath(request.toolCallId), JSON.stringify(forged))
    }
    const stop = new AbortController()
    const outcome = askUser(verified, request, { onAsked, detachSignal: stop.signal })
    await warned
    expect(await points('sandagent.answers.refused')).toEqual([
      [{ 'error.type': 'UNSIGNED', [NAMES.refusedBy]: 'runner' }, 1],
    ])
    stop.abort()
    await outcome
  })
})

describe('the metrics of a host', () => {
  it('stored and refused answers are counted by status and by code', async () => {
    const { points } = measured()
    const { ask, sandbox } = await workspace()
    const { asked, outcome } = ask()
    await asked
    const { POST } = createAnswerHandler({ sandbox, authorize: () => true })
    const post = async (body: object, headers: object = {}): Promise<number> => {
      const all = { 'content-type': 'application/json', ...headers }
      const request = { method: 'POST', headers: all, body: JSON.stringify(body) }
      return (await POST(new Request('http://localhost/', request))).status
    }
    expect(await post({ ...answer, status: 'pending' })).toBe(200)
    expect(await post(answer)).toBe(200)
    expect(await post({ ...answer, status: 'declined' })).toBe(409)
    expect(await post(answer, { origin: 'https://evil.example' })).toBe(403)
    const nowhere = () => Promise.reject(new AskError('NOT_FOUND', 'No such sandbox'))
    const other = createAnswerHandler({ sandbox: nowhere, authorize: () => true })
    const unknown = new Request('http://localhost/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    })
    expect((await other.POST(unknown)).status).toBe(404)
    const { GET } = createAnswerHandler({ sandbox, authorize: () => true })
    const look = new Request('http://localhost/', { headers: { origin: 'https://evil.example' } })
    expect((await GET(look)).status).toBe(403)
    await outcome
    expect(await points('sandagent.answers.stored')).toEqual([
      [{ [NAMES.status]: 'pending' }, 1],
      [{ [NAMES.status]: 'completed' }, 1],
    ])
    expect(await points('sandagent.answers.refused')).toEqual([
      [{ 'error.type': 'CONFLICT', [NAMES.refusedBy]: 'host' }, 1],
      [{ 'error.type': 'CROSS_SITE', [NAMES.refusedBy]: 'host' }, 1],
      [{ 'error.type': 'NOT_FOUND', [NAMES.refusedBy]: 'host' }, 1],
    ])
  })

  it('open questions, the age of the oldest and unread answers are read when metrics are collected', async () => {
    const { points } = measured()
    const { ask, sandbox } = await workspace()
    onTestFinished(observeQuestions([sandbox]))
    const stop = new AbortController()
    const { asked, outcome } = ask({ detachSignal: stop.signal })
    await asked
    expect(await points('sandagent.questions.open')).toEqual([[{}, 1]])
    expect(await points('sandagent.answers.unread')).toEqual([[{}, 0]])
    expect(await points('sandagent.questions.oldest_age')).toEqual([[{}, expect.any(Number)]])
    // The runner is gone, so nobody takes the answer.
    stop.abort()
    await outcome
    await submitAnswer(sandbox, answer)
    expect(await points('sandagent.questions.open')).toEqual([[{}, 0]])
    expect(await points('sandagent.answers.unread')).toEqual([[{}, 1]])
    expect(await points('sandagent.questions.oldest_age')).toEqual([[{}, 0]])
  })

  it('nothing is read any more after the telemetry has ended', async () => {
    const { points, unregister } = measured()
    let reads = 0
    const sandboxes = () => {
      reads++
      return []
    }
    onTestFinished(observeQuestions(sandboxes))
    expect(await points('sandagent.questions.open')).toEqual([[{}, 0]])
    unregister()
    await points('sandagent.questions.open')
    expect(reads).toBe(1)
  })

  it('a sandbox that cannot be read hides no other one', async () => {
    const { points } = measured()
    const { ask, sandbox } = await workspace()
    const files = { ...sandbox.files, list: () => Promise.reject(new Error('gone')) }
    const broken = { ...sandbox, files } as unknown as typeof sandbox
    onTestFinished(observeQuestions(() => [broken, sandbox]))
    onTestFinished(observeQuestions(() => Promise.reject(new Error('unknown'))))
    const stop = new AbortController()
    const { asked, outcome } = ask({ detachSignal: stop.signal })
    await asked
    expect(await points('sandagent.questions.open')).toEqual([[{}, 1]])
    stop.abort()
    await outcome
  })
})
