import { AskError, type QuestionView } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import {
  type AnswerHandlerOptions,
  createAnswerHandler,
  type LocalSandbox,
  submitAnswer,
  toNodeHandler,
} from '../../src/index.ts'
import { post, serve } from '../support/serve.ts'
import { answerFile, ask, FEATURES, LANGUAGE, picked, settle, tempSandbox } from '../support/temp-sandbox.ts'

const python = { toolCallId: 'toolu_1', answers: { 'Which language?': 'Python' } }
const typescript = { toolCallId: 'toolu_1', answers: { 'Which language?': 'TypeScript' } }

const unexpected = (error: unknown): never => {
  throw error
}

/** The answer API of a sandbox, where `toolu_1` asks for a language, at a URL. */
async function serveAnswers(
  options: Partial<AnswerHandlerOptions> = {},
): Promise<{ url: string; sandbox: LocalSandbox }> {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'toolu_1')
  const handler = createAnswerHandler({ sandbox, onError: unexpected, ...options })
  return { url: await serve(toNodeHandler(handler)), sandbox }
}

const errorOf = async (
  response: Response,
): Promise<{ status: number; code: string; question?: QuestionView }> => {
  const { success, error, question } = await response.json()
  expect(success).toBe(false)
  expect(error).toMatchObject({ message: expect.any(String), faults: expect.any(Array) })
  return { status: response.status, code: error.code, ...(question && { question }) }
}

const submitted = (answer: object) => ({ ...answer, status: 'completed' })

describe('POST', () => {
  it('stores an answer as the SandAgent document sends it', async () => {
    const { url, sandbox } = await serveAnswers()
    const response = await post(url, { ...python, questions: [LANGUAGE] })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ success: true, status: 'completed', revision: 1 })
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({
      answers: python.answers,
      status: 'completed',
    })
  })

  it('stores drafts and refusals', async () => {
    const { url, sandbox } = await serveAnswers()
    expect(await (await post(url, { ...python, status: 'pending' })).json()).toMatchObject({
      status: 'pending',
    })
    await post(url, { toolCallId: 'toolu_1', status: 'declined', reason: 'no time' })
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({ status: 'declined', reason: 'no time' })
  })

  it('answers 400 with every fault of an answer, and leaves what is there', async () => {
    const { url, sandbox } = await serveAnswers()
    await post(url, { ...python, status: 'pending' })
    const before = await answerFile(sandbox, 'toolu_1')
    const response = await post(url, {
      toolCallId: 'toolu_1',
      responses: { q1: picked('secret'), q2: picked() },
      status: 'completed',
    })
    expect(response.status).toBe(400)
    const body = await response.text()
    expect(JSON.parse(body)).toMatchObject({
      error: {
        code: 'INVALID_ANSWERS',
        faults: [{ path: 'responses.q2' }, { path: 'responses.q1.selected.0' }],
      },
    })
    expect(body).not.toContain('secret')
    expect(await answerFile(sandbox, 'toolu_1')).toEqual(before)
  })

  it.each(['', '{', 'null', '"text"', '[]', '{"toolCallId": 1}', '{"__proto__": {"toolCallId": "toolu_1"}}'])(
    'answers 400 for the body %j',
    async (body) => {
      const { url } = await serveAnswers()
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      const response = await fetch(url, { method: 'POST', headers, body })
      expect(await errorOf(response)).toEqual({ status: 400, code: 'INVALID_REQUEST' })
    },
  )

  it('answers 404 for a question that nobody asked', async () => {
    const { url } = await serveAnswers()
    expect(await errorOf(await post(url, { ...python, toolCallId: 'toolu_2' }))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    })
  })

  it('answers 404 for a question that nobody recorded, unless it serves older runners', async () => {
    const answer = { ...python, toolCallId: 'toolu_2', questions: [LANGUAGE] }
    const { url, sandbox } = await serveAnswers()
    expect(await errorOf(await post(url, answer))).toEqual({ status: 404, code: 'NOT_FOUND' })
    expect(await sandbox.files.list('.sandagent/approvals')).toEqual([])
    const older = await serveAnswers({ olderRunners: true })
    expect((await post(older.url, answer)).status).toBe(200)
    expect((await fetch(`${older.url}?toolCallId=toolu_2`)).status).toBe(200)
  })

  it('answers 409 with the answer that came first', async () => {
    const { url } = await serveAnswers({ authorize: () => ({ answeredBy: 'ada' }) })
    await post(url, submitted(python))
    expect(await errorOf(await post(url, submitted(typescript)))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      question: {
        state: 'sent',
        answeredBy: 'ada',
        answeredAt: expect.any(String),
        responses: { q1: picked('Python') },
      },
    })
    expect((await post(url, submitted(python))).status).toBe(200)
  })

  it('answers 410 with the question that ended without the answer', async () => {
    const { url, sandbox } = await serveAnswers()
    await settle(sandbox, 'toolu_1', { state: 'timed-out' })
    expect(await errorOf(await post(url, python))).toMatchObject({
      status: 410,
      code: 'GONE',
      question: { state: 'timed-out' },
    })
  })

  it('lets exactly one of many answers complete the question', async () => {
    const { url, sandbox } = await serveAnswers()
    const answers = Array.from({ length: 20 }, (_, index) => (index % 2 ? python : typescript))
    const responses = await Promise.all(answers.map((answer) => post(url, submitted(answer))))
    const { answers: stored, revision } = await answerFile(sandbox, 'toolu_1')
    expect(revision).toBe(1)
    for (const [index, { status }] of responses.entries())
      expect(status).toBe(
        answers[index]?.answers['Which language?'] === (stored as typeof python.answers)['Which language?']
          ? 200
          : 409,
      )
  })
})

describe('GET', () => {
  it('shows a question, without what binds its answer', async () => {
    const { url, sandbox } = await serveAnswers()
    await submitAnswer(sandbox, { ...python, status: 'pending' })
    const response = await fetch(`${url}?toolCallId=toolu_1`)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({
      toolCallId: 'toolu_1',
      state: 'open',
      revision: 1,
      questions: [{ id: 'q1', ...LANGUAGE }],
      responses: { q1: picked('Python') },
    })
    expect(text).not.toContain('nonce')
  })

  it('finds a question by any id', async () => {
    const { url, sandbox } = await serveAnswers()
    await ask(sandbox, '../../a b&c', [FEATURES])
    const response = await fetch(`${url}?toolCallId=${encodeURIComponent('../../a b&c')}`)
    expect(await response.json()).toMatchObject({ toolCallId: '../../a b&c' })
  })

  it('answers 404 for a question that nobody knows', async () => {
    const { url } = await serveAnswers()
    expect(await errorOf(await fetch(`${url}?toolCallId=toolu_2`))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    })
  })

  it('lists the questions that wait, oldest first', async () => {
    const { url, sandbox } = await serveAnswers()
    await ask(sandbox, 'toolu_0', [FEATURES], { askedAt: '2025-01-30T12:00:00.000Z' })
    const { questions } = await (await fetch(url)).json()
    expect(questions).toMatchObject([{ toolCallId: 'toolu_0' }, { toolCallId: 'toolu_1', state: 'open' }])
  })
})

describe('authorize', () => {
  it('answers 403 for questions of others, which the list leaves out', async () => {
    const { url, sandbox } = await serveAnswers({
      authorize: async (request, { toolCallId, record }) =>
        record?.runId === 'run-1' && toolCallId === request.headers.get('x-may'),
    })
    await ask(sandbox, 'toolu_2')
    const headers = { 'x-may': 'toolu_2' }
    const refused = [
      post(url, python, headers),
      fetch(`${url}?toolCallId=toolu_1`, { headers }),
      fetch(`${url}?toolCallId=toolu_1`, { headers: { ...headers, accept: 'text/event-stream' } }),
      fetch(`${url}?toolCallId=unknown`, { headers }),
    ]
    for (const response of await Promise.all(refused))
      expect(await errorOf(response)).toEqual({ status: 403, code: 'FORBIDDEN' })
    expect(await sandbox.files.list('.sandagent/approvals')).toEqual([])
    const { questions } = await (await fetch(url, { headers })).json()
    expect(questions).toMatchObject([{ toolCallId: 'toolu_2' }])
    expect((await post(url, { ...python, toolCallId: 'toolu_2' }, headers)).status).toBe(200)
  })

  it('answers 401 when the caller is nobody', async () => {
    const { url } = await serveAnswers({
      authorize: () => {
        throw new AskError('UNAUTHENTICATED', 'Sign in first')
      },
    })
    for (const response of [
      await fetch(url),
      await fetch(`${url}?toolCallId=toolu_1`),
      await post(url, python),
    ])
      expect(await errorOf(response)).toEqual({ status: 401, code: 'UNAUTHENTICATED' })
  })

  it('answers 403 when it says nothing, as functions in JavaScript may', async () => {
    const { url } = await serveAnswers({ authorize: (() => undefined) as unknown as () => boolean })
    for (const response of [await fetch(`${url}?toolCallId=toolu_1`), await post(url, python)])
      expect(await errorOf(response)).toEqual({ status: 403, code: 'FORBIDDEN' })
    expect(await (await fetch(url)).json()).toEqual({ questions: [] })
  })

  it('says who answers, whatever the client says', async () => {
    const { url, sandbox } = await serveAnswers({ authorize: () => ({ answeredBy: 'ada' }) })
    await post(url, { ...python, answeredBy: 'mallory' })
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({ answeredBy: 'ada' })
  })
})

describe('the sandbox of a request', () => {
  it('may depend on the caller', async () => {
    const mine = await tempSandbox()
    const yours = await tempSandbox()
    await ask(mine, 'toolu_1')
    await ask(yours, 'toolu_1')
    const { url } = await serveAnswers({
      sandbox: async (request) => (request.headers.get('x-user') === 'me' ? mine : yours),
    })
    await post(url, python, { 'x-user': 'me' })
    expect(await answerFile(mine, 'toolu_1')).toMatchObject({ status: 'completed' })
    expect(await yours.files.list('.sandagent/approvals')).toEqual([])
  })

  it('answers a bare 500 when it fails, and tells the host', async () => {
    const errors: unknown[] = []
    const failure = new Error('the secret path is gone')
    const { url } = await serveAnswers({
      sandbox: () => {
        throw failure
      },
      onError: (error) => errors.push(error),
    })
    for (const response of [await fetch(url), await post(url, python)]) {
      expect(response.status).toBe(500)
      expect(await response.text()).not.toContain('secret')
    }
    expect(errors).toEqual([failure, failure])
  })
})
