import { describe, expect, it } from 'vitest'
import {
  cursorOf,
  declineQuestion,
  type LocalSandbox,
  listQuestions,
  type QuestionView,
  submitAnswer,
  watchQuestions,
} from '../../src/index.ts'
import { ask, FEATURES, LANGUAGE, picked, settle, tempSandbox } from '../support/temp-sandbox.ts'

const answers = { 'Which language?': 'Python' }

describe('listQuestions', () => {
  it('is empty where nothing was asked', async () => {
    expect(await listQuestions(await tempSandbox())).toEqual([])
  })

  it('shows what waits for a person, oldest first', async () => {
    const sandbox = await tempSandbox()
    const askedAt = (second: number) => ({ askedAt: `2025-01-30T12:00:0${second}.000Z` })
    await ask(sandbox, 'drafted', [LANGUAGE], askedAt(3))
    await ask(sandbox, 'untouched', [FEATURES], askedAt(2))
    await ask(sandbox, 'answered', [LANGUAGE], askedAt(1))
    await ask(sandbox, 'declined', [LANGUAGE], askedAt(1))
    await ask(sandbox, 'settled', [LANGUAGE], askedAt(1))
    const deadline = '2025-01-30T12:01:00.000Z'
    await ask(sandbox, 'overdue', [LANGUAGE], { ...askedAt(1), timeoutMs: 60_000, deadline })
    await submitAnswer(sandbox, { toolCallId: 'drafted', answers, status: 'pending' })
    await submitAnswer(sandbox, { toolCallId: 'answered', answers })
    await declineQuestion(sandbox, { toolCallId: 'declined' })
    await settle(sandbox, 'settled', { state: 'aborted' })
    expect(await listQuestions(sandbox)).toMatchObject([
      { toolCallId: 'overdue', remainingMs: 0 },
      { toolCallId: 'untouched', revision: 0 },
      { toolCallId: 'drafted', revision: 1 },
    ])
  })
})

/** Asks questions of the same moment and of later ones. */
async function askMany(sandbox: LocalSandbox, ids: string): Promise<void> {
  for (const [index, id] of [...ids].entries())
    await ask(sandbox, id, [LANGUAGE], { askedAt: `2025-01-30T12:00:0${Math.floor(index / 3)}.000Z` })
}

describe('listQuestions, page by page', () => {
  /** The ids of all pages. `between` is called after each. */
  const pages = async (
    sandbox: LocalSandbox,
    between: (page: number) => Promise<unknown> = async () => {},
  ): Promise<string[]> => {
    const seen: string[] = []
    let cursor: string | undefined
    for (let page = 1; ; page++) {
      const questions = await listQuestions(sandbox, { limit: 2, cursor })
      seen.push(questions.map(({ toolCallId }) => toolCallId).join(''))
      const last = questions.at(-1)
      if (questions.length < 2 || !last) return seen
      cursor = cursorOf(last)
      await between(page)
    }
  }

  it('has each question once, in the order of the whole list', async () => {
    const sandbox = await tempSandbox()
    await askMany(sandbox, 'bacfedg')
    expect(await pages(sandbox)).toEqual(['ab', 'cd', 'ef', 'g'])
  })

  it('neither repeats nor leaves out a question when others settle or are asked meanwhile', async () => {
    const sandbox = await tempSandbox()
    await askMany(sandbox, 'abcdefg')
    const seen = await pages(sandbox, async (page) => {
      if (page === 1) for (const id of ['a', 'b', 'c']) await settle(sandbox, id, { state: 'aborted' })
      if (page === 2) await ask(sandbox, 'h', [LANGUAGE], { askedAt: '2025-01-30T12:00:09.000Z' })
    })
    expect(seen).toEqual(['ab', 'de', 'fg', 'h'])
  })

  it('goes on with the unrecorded questions of older runners', async () => {
    const sandbox = await tempSandbox()
    await askMany(sandbox, 'ab')
    const pending = { questions: [LANGUAGE], answers: {}, status: 'pending', toolName: 'AskUserQuestion' }
    for (const id of ['y', 'x'])
      await sandbox.files.writeAtomic(`.sandagent/approvals/${id}.json`, JSON.stringify(pending))
    const list = async (cursor?: string) =>
      await listQuestions(sandbox, { olderRunners: true, limit: 3, cursor })
    const first = await list()
    expect(first.map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b', 'x'])
    expect(await list(cursorOf(first[2] as QuestionView))).toMatchObject([{ toolCallId: 'y' }])
  })

  it.each([{ limit: 0 }, { limit: 1.5 }, { limit: Number.NaN }, { cursor: 'none' }, { cursor: 'WzEsMl0' }])(
    'refuses %j',
    async (options) => {
      const listed = listQuestions(await tempSandbox(), options)
      await expect(listed).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    },
  )
})

describe('watchQuestions', () => {
  it('shows what is there and every change, until the signal aborts', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'first')
    const stop = new AbortController()
    const views = watchQuestions(sandbox, { signal: stop.signal, all: true })
    const next = async (): Promise<QuestionView | undefined> => (await views.next()).value ?? undefined

    expect(await next()).toMatchObject({ toolCallId: 'first', state: 'open', revision: 0 })
    await submitAnswer(sandbox, { toolCallId: 'first', answers })
    expect(await next()).toMatchObject({ toolCallId: 'first', state: 'sent', revision: 1 })
    await ask(sandbox, 'second')
    expect(await next()).toMatchObject({ toolCallId: 'second', state: 'open' })
    await settle(sandbox, 'first', { revision: 1, responses: { q1: picked('Python') } })
    expect(await next()).toMatchObject({ toolCallId: 'first', state: 'answered' })

    const waiting = next()
    stop.abort()
    expect(await waiting).toBeUndefined()
  })

  it('shows the questions that listQuestions shows, and the end of each', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'declined')
    await declineQuestion(sandbox, { toolCallId: 'declined' })
    await ask(sandbox, 'open')
    const stop = new AbortController()
    const views = watchQuestions(sandbox, { signal: stop.signal })
    expect((await views.next()).value).toMatchObject({ toolCallId: 'open', state: 'open' })
    await submitAnswer(sandbox, { toolCallId: 'open', answers })
    expect((await views.next()).value).toMatchObject({ toolCallId: 'open', state: 'sent' })
    stop.abort()
    expect(await views.next()).toMatchObject({ done: true })

    expect(await listQuestions(sandbox)).toEqual([])
    expect(await listQuestions(sandbox, { all: true })).toMatchObject([
      { toolCallId: 'declined' },
      { toolCallId: 'open', state: 'sent' },
    ])
  })

  it('leaves out what comes before its cursor', async () => {
    const sandbox = await tempSandbox()
    await askMany(sandbox, 'abcd')
    const [first] = await listQuestions(sandbox)
    const stop = new AbortController()
    const seen: string[] = []
    const cursor = cursorOf(first as QuestionView)
    for await (const { toolCallId } of watchQuestions(sandbox, { signal: stop.signal, cursor })) {
      seen.push(toolCallId)
      if (seen.length === 3) stop.abort()
    }
    expect(seen.sort()).toEqual(['b', 'c', 'd'])
  })

  it('goes on past an older answer file whose questions cannot be asked', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'asked')
    const answerFile = {
      questions: [{}],
      answers: {},
      status: 'pending',
      timestamp: '2025-01-30T12:00:00.000Z',
    }
    await sandbox.files.writeAtomic('.sandagent/approvals/a-foreign-one.json', JSON.stringify(answerFile))
    const stop = new AbortController()
    const seen: string[] = []
    for await (const { toolCallId } of watchQuestions(sandbox, { signal: stop.signal, all: true })) {
      seen.push(toolCallId)
      if (seen.length === 2) stop.abort()
    }
    expect(seen.sort()).toEqual(['a-foreign-one', 'asked'])
  })
})
