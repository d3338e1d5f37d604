import { readFile } from 'node:fs/promises'
import { parseAnswerFile } from '@sandagent/core'
import { addObserver } from '@sandagent/core/internal'
import { createFakeClock, createMemoryChannel, openRecord } from '@sandagent/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { declineQuestion, LocalSandbox, submitAnswer } from '../../src/index.ts'
import { changed } from '../support/answer-api.ts'
import {
  answerFile,
  answerFileText,
  ask,
  FEATURES,
  LANGUAGE,
  picked,
  refusalOf,
  settle,
  tempSandbox,
} from '../support/temp-sandbox.ts'

const typescript = { answers: { 'Which language?': 'TypeScript' } }
const python = { answers: { 'Which language?': 'Python' } }

describe('submitAnswer', () => {
  it('writes the file of the SandAgent document, and what binds it beside its keys', async () => {
    const sandbox = await tempSandbox()
    const document = JSON.parse(await readFile(new URL('../fixtures/approval.json', import.meta.url), 'utf8'))
    const { questions, answers } = document
    await submitAnswer(sandbox, { toolCallId: 'toolu_1', questions, answers })
    const { timestamp, ...written } = await answerFile(sandbox, 'toolu_1')
    expect(written).toEqual({
      questions,
      answers,
      status: 'completed',
      version: 1,
      toolCallId: 'toolu_1',
      replaceable: true,
      revision: 1,
      responses: { q1: picked('TypeScript') },
    })
    expect(new Date(timestamp as string).toISOString()).toBe(timestamp)
    const text = await answerFileText(sandbox, 'toolu_1')
    const documentText = JSON.stringify({ ...document, timestamp }, null, 2)
    expect(text.startsWith(documentText.replace(/\n}$/, ',\n'))).toBe(true)
  })

  it('binds the answer to the recorded question, whatever the client says was asked', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1', [LANGUAGE])
    const questions = [{ ...LANGUAGE, options: [{ label: 'Cobol' }] }]
    const forged = { nonce: 'mine', revision: 9, timestamp: 'never' }
    expect(
      await submitAnswer(
        sandbox,
        { toolCallId: 'toolu_1', questions, ...typescript, ...forged },
        { answeredBy: 'ada' },
      ),
    ).toEqual({ status: 'completed', revision: 1 })
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({
      questions: [LANGUAGE],
      nonce: 'nonce of toolu_1',
      answeredBy: 'ada',
      revision: 1,
    })
  })

  it('keeps the ids that the asker chose', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1', [{ ...LANGUAGE, id: 'language' }])
    await submitAnswer(sandbox, { toolCallId: 'toolu_1', responses: { language: picked('Python') } })
    const answerFile = parseAnswerFile(await answerFileText(sandbox, 'toolu_1'), 'toolu_1')
    expect(answerFile.questions).toEqual([{ ...LANGUAGE, id: 'language' }])
    expect(answerFile.answers).toEqual({ 'Which language?': 'Python' })
  })

  it('takes responses rather than the text beside them', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1', [FEATURES])
    await submitAnswer(sandbox, {
      toolCallId: 'toolu_1',
      answers: { 'Which features?': 'Tests', 'an older text': 'x' },
      responses: { q1: picked('Tests', 'README, with usage') },
    })
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({
      answers: { 'Which features?': 'Tests, "README, with usage"' },
      responses: { q1: picked('Tests', 'README, with usage') },
    })
  })

  it('keeps hostile texts as what they are: texts', async () => {
    const sandbox = await tempSandbox()
    const answers = JSON.parse('{"__proto__": "constructor", "toString": "__proto__"}')
    const questions = [
      { question: '__proto__', options: [{ label: 'constructor' }, { label: '__proto__' }] },
      { question: 'toString' },
    ]
    await submitAnswer(sandbox, { toolCallId: '__proto__', questions, answers })
    const { status, ...written } = await answerFile(sandbox, '__proto__')
    expect(status).toBe('completed')
    expect(JSON.stringify(written.answers)).toBe(JSON.stringify(answers))
  })
})

describe('the status of an answer', () => {
  const optional = { question: 'Anything else?', required: false }

  it.each([
    ['pending', { 'Which language?': 'Python' }, [LANGUAGE, FEATURES]],
    ['pending', {}, [LANGUAGE]],
    ['pending', {}, [optional]],
    ['pending', { 'Which language?': ' ' }, [LANGUAGE]],
    ['completed', { 'Which language?': 'Python' }, [LANGUAGE, optional]],
    ['completed', { 'Anything else?': 'no' }, [optional]],
  ])('is %s for %j alone', async (status, answers, questions) => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1', questions)
    expect(await submitAnswer(sandbox, { toolCallId: 'toolu_1', answers })).toEqual({ status, revision: 1 })
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({ status })
  })

  it('is what the client says', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    await submitAnswer(sandbox, { toolCallId: 'toolu_1', ...python, status: 'pending' })
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({ status: 'pending', revision: 1 })
    await submitAnswer(sandbox, { toolCallId: 'toolu_1', ...python, status: 'completed' })
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({ status: 'completed', revision: 2 })
  })
})

describe('an answer that does not fit', () => {
  const faultsOf = async (request: object): Promise<string[]> => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1', [LANGUAGE, { ...FEATURES, allowFreeText: false }])
    const { code, faults } = await refusalOf(submitAnswer(sandbox, { toolCallId: 'toolu_1', ...request }))
    expect(code).toBe('INVALID_ANSWERS')
    expect(await sandbox.files.list('.sandagent/approvals')).toEqual([])
    return faults.map(({ path }) => path)
  }

  it('is refused with every fault when it is a submission', async () => {
    const responses = { q1: picked('Cobol'), q2: { ...picked(), freeText: 'my own' }, q3: picked() }
    expect(await faultsOf({ responses, status: 'completed' })).toEqual([
      'responses.q3',
      'responses.q1.selected.0',
      'responses.q2.freeText',
    ])
  })

  it('is refused when a required question has no answer', async () => {
    expect(await faultsOf({ ...python, status: 'completed' })).toEqual(['responses.q2'])
  })

  it('is refused as a draft too, which need not be complete', async () => {
    expect(await faultsOf({ responses: { q1: picked('Cobol') }, status: 'pending' })).toEqual([
      'responses.q1.selected.0',
    ])
  })

  it('is refused when it answers what was not asked', async () => {
    expect(await faultsOf({ answers: { 'Which language?': 'Python', 'Which colour?': 'red' } })).toEqual([
      'answers.Which colour?',
    ])
  })

  it('is refused when it holds no answers at all, rather than to empty a draft', async () => {
    expect(await faultsOf({ status: 'pending' })).toEqual(['answers'])
  })

  it('leaves the answer that is there as it is', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    await submitAnswer(sandbox, { toolCallId: 'toolu_1', ...python, status: 'pending' })
    const before = await answerFileText(sandbox, 'toolu_1')
    await refusalOf(submitAnswer(sandbox, { toolCallId: 'toolu_1', answers: { unknown: 'x' } }))
    expect(await answerFileText(sandbox, 'toolu_1')).toBe(before)
  })
})

describe('a question that nobody recorded', () => {
  const questions = [LANGUAGE]

  it('is answered as the client knows it', async () => {
    const sandbox = await tempSandbox()
    await submitAnswer(sandbox, { toolCallId: 'toolu_1', questions, ...python, status: 'pending' })
    expect(await submitAnswer(sandbox, { toolCallId: 'toolu_1', ...python })).toMatchObject({ revision: 2 })
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({
      questions,
      ...python,
      status: 'completed',
    })
  })

  it('must be one that can be asked', async () => {
    const sandbox = await tempSandbox()
    const refusal = await refusalOf(
      submitAnswer(sandbox, { toolCallId: 'toolu_1', questions: [{ question: '' }], answers: {} }),
    )
    expect(refusal).toMatchObject({ code: 'INVALID_QUESTIONS', faults: [{ path: 'questions.0.question' }] })
  })

  it('is unknown when the client does not tell it either', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    expect(await refusalOf(submitAnswer(sandbox, { toolCallId: 'x', ...python }))).toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await refusalOf(declineQuestion(sandbox, { toolCallId: 'x' }))).toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('is refused where a record is required', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_2')
    const answer = { toolCallId: 'toolu_1', questions, ...python }
    const refusal = await refusalOf(submitAnswer(sandbox, answer, { needsRecord: true }))
    expect(refusal.code).toBe('NOT_FOUND')
    await ask(sandbox, 'toolu_1')
    expect(await submitAnswer(sandbox, answer, { needsRecord: true })).toMatchObject({
      status: 'completed',
    })
  })
})

describe('a final answer', () => {
  it('is stored once for its sender, by browser too, and is nobody else’s', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const answer = { toolCallId: 'toolu_1', ...typescript, status: 'completed' as const }
    const stored = await submitAnswer(sandbox, { ...answer, browser: 'one' })
    expect(await submitAnswer(sandbox, { ...answer, browser: 'one' })).toEqual(stored)
    for (const other of [{ ...answer, browser: 'two' }, answer])
      expect(await refusalOf(submitAnswer(sandbox, other))).toMatchObject({ code: 'CONFLICT' })
  })

  it('counts only for the question that was asked then', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const answer = { toolCallId: 'toolu_1', ...typescript, status: 'completed' as const }
    const askedAt = '2020-01-01T00:00:00.000Z'
    expect(await refusalOf(submitAnswer(sandbox, { ...answer, askedAt }))).toMatchObject({ code: 'CHANGED' })
  })

  it('stays: the same again succeeds, another one is told who answered and when', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const first = { toolCallId: 'toolu_1', ...typescript, status: 'completed' as const }
    const stored = await submitAnswer(sandbox, first, { answeredBy: 'ada' })
    const text = await answerFileText(sandbox, 'toolu_1')
    const { timestamp } = JSON.parse(text)

    expect(await submitAnswer(sandbox, first, { answeredBy: 'ada' })).toEqual(stored)
    expect(await refusalOf(submitAnswer(sandbox, first, { answeredBy: 'grace' }))).toMatchObject({
      code: 'CONFLICT',
    })
    const refusal = await refusalOf(submitAnswer(sandbox, { toolCallId: 'toolu_1', ...python }))
    expect(refusal).toMatchObject({
      code: 'CONFLICT',
      message: `Another answer came first, from ada, at ${timestamp}`,
      facts: {
        question: {
          state: 'sent',
          answeredBy: 'ada',
          answeredAt: timestamp,
          responses: { q1: picked('TypeScript') },
        },
      },
    })
    for (const late of [{ ...typescript, status: 'pending' as const }, { status: 'declined' as const }])
      expect(await refusalOf(submitAnswer(sandbox, { toolCallId: 'toolu_1', ...late }))).toMatchObject({
        code: 'CONFLICT',
      })
    expect(await answerFileText(sandbox, 'toolu_1')).toBe(text)
  })

  it('succeeds again after the agent has taken it', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const stored = await submitAnswer(sandbox, { toolCallId: 'toolu_1', ...typescript })
    await settle(sandbox, 'toolu_1', { responses: { q1: picked('TypeScript') }, revision: 1 })
    expect(await submitAnswer(sandbox, { toolCallId: 'toolu_1', ...typescript })).toEqual(stored)
    expect(await refusalOf(submitAnswer(sandbox, { toolCallId: 'toolu_1', ...python }))).toMatchObject({
      code: 'CONFLICT',
      facts: { question: { state: 'answered' } },
    })
  })

  it('of an older writer counts like any other', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const older = {
      questions: [LANGUAGE],
      ...typescript,
      status: 'completed',
      timestamp: '2025-01-30T12:00:00Z',
    }
    await sandbox.files.writeAtomic('.sandagent/approvals/toolu_1.json', JSON.stringify(older))
    expect(await submitAnswer(sandbox, { toolCallId: 'toolu_1', ...typescript })).toEqual({
      status: 'completed',
      revision: 0,
    })
    expect(await refusalOf(submitAnswer(sandbox, { toolCallId: 'toolu_1', ...python }))).toMatchObject({
      code: 'CONFLICT',
      message: 'Another answer came first, at 2025-01-30T12:00:00Z',
    })
  })

  it('is one, however many answer at once', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1', [{ question: 'Who is first?' }])
    const people = Array.from({ length: 20 }, (_, index) => `person ${index}`)
    const results = await Promise.allSettled(
      people.map((name) =>
        // Each through a sandbox of its own, as separate requests have it.
        submitAnswer(
          new LocalSandbox({ workdir: sandbox.workdir }),
          { toolCallId: 'toolu_1', answers: { 'Who is first?': name } },
          { answeredBy: name },
        ),
      ),
    )
    const winners = people.filter((_, index) => results[index]?.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({
      answeredBy: winners[0],
      answers: { 'Who is first?': winners[0] },
    })
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({
          code: 'CONFLICT',
          facts: { question: { answeredBy: winners[0] } },
        })
  })
})

describe('drafts', () => {
  it('give way to the last one, also when many are saved at once', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1', [{ question: 'What?' }])
    const drafts = Array.from({ length: 10 }, (_, index) => `draft ${index}`)
    const stored = await Promise.all(
      drafts.map((draft) =>
        submitAnswer(sandbox, { toolCallId: 'toolu_1', answers: { 'What?': draft }, status: 'pending' }),
      ),
    )
    // One that came earlier may be passed over by a later one, and says which revision counts.
    const revision = Math.max(...stored.map((each) => each.revision))
    expect(stored.at(-1)?.revision).toBe(revision)
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({
      status: 'pending',
      revision,
      answers: { 'What?': drafts.at(-1) },
    })
  })
})

describe('declineQuestion', () => {
  it('stores a refusal with its reason, and no answers', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    await submitAnswer(sandbox, { toolCallId: 'toolu_1', ...python, status: 'pending' })
    const question = { toolCallId: 'toolu_1', reason: 'not now' }
    expect(await declineQuestion(sandbox, question, { answeredBy: 'ada' })).toEqual({
      status: 'declined',
      revision: 2,
    })
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({
      status: 'declined',
      answers: {},
      responses: {},
      reason: 'not now',
      answeredBy: 'ada',
    })
  })

  it('succeeds again, and conflicts with an answer', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const stored = await declineQuestion(sandbox, { toolCallId: 'toolu_1' })
    expect(await declineQuestion(sandbox, { toolCallId: 'toolu_1' })).toEqual(stored)
    expect(await refusalOf(submitAnswer(sandbox, { toolCallId: 'toolu_1', ...python }))).toMatchObject({
      code: 'CONFLICT',
      facts: { question: { declined: true } },
    })
  })
})

it('a click that came first does not replace the one after it, though its question was read later', async () => {
  const clock = createFakeClock()
  const { runner, host, sandbox } = createMemoryChannel({ clock })
  await runner.open(openRecord('a'))
  let goOn = (): void => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const slow = changed(sandbox, (channel) => ({
    async read(toolCallId) {
      await held
      return channel.read(toolCallId)
    },
  }))
  const options = { signingKeys: null, clock }
  const click = (label: string) => ({ toolCallId: 'a', answers: { 'Which language?': label } })
  const first = submitAnswer(slow, click('A'), options)
  await submitAnswer(sandbox, click('B'), options)
  goOn()
  expect(await first).toMatchObject({ status: 'completed', revision: 1 })
  expect((await host.read('a')).answerFile?.answers).toEqual({ 'Which language?': 'B' })
})

it('an observer sees which answer is stored, and how that ends', async () => {
  const seen: unknown[] = []
  onTestFinished(
    addObserver({
      begin(operation) {
        seen.push(operation)
        return { end: (ending) => seen.push(ending) }
      },
    }),
  )
  const { runner, sandbox } = createMemoryChannel({ clock: createFakeClock() })
  await runner.open(openRecord('a'))
  const answer = { toolCallId: 'a', answers: { 'Which language?': 'A' }, status: 'completed' } as const
  const stored = await submitAnswer(sandbox, answer, { signingKeys: null })
  expect(seen).toEqual([{ name: 'store', toolCallId: 'a', status: 'completed' }, { stored }])
})
