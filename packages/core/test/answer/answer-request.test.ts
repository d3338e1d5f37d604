import { describe, expect, it } from 'vitest'
import { AskError, parseAnswerRequest } from '../../src/internal.ts'

const thrownBy = (run: () => unknown): AskError => {
  try {
    run()
  } catch (error) {
    if (error instanceof AskError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('parseAnswerRequest', () => {
  it('reads the body of the SandAgent document as it is', () => {
    const body = {
      toolCallId: 'toolu_1',
      questions: [{ question: 'A?', options: [{ label: 'yes' }] }],
      answers: { 'A?': 'yes' },
    }
    expect(parseAnswerRequest(body)).toEqual(body)
  })

  it('keeps all that a page may say', () => {
    const body = {
      toolCallId: 'toolu_1',
      responses: { q1: { skipped: true } },
      status: 'declined',
      questionDigest: 'digest',
      askedAt: '2026-01-01T00:00:00.000Z',
      reason: 'later',
      browser: 'b'.repeat(64),
    }
    expect(parseAnswerRequest(body)).toEqual(body)
    const long = () => parseAnswerRequest({ ...body, browser: 'b'.repeat(65) })
    expect(thrownBy(long).faults.map(({ path }) => path)).toEqual(['browser'])
  })

  it('takes no claim that nobody chose', () => {
    const responses = { q1: { selected: [], freeText: '7', source: 'default' }, q2: { skipped: true } }
    expect(parseAnswerRequest({ toolCallId: 'toolu_1', responses }).responses).toEqual({
      ...responses,
      q1: { selected: [], freeText: '7', source: 'human' },
    })
  })

  it('names the part of a response that is wrong', () => {
    const file = { name: 'a.png', mediaType: 'image/png', size: 1, sha256: 'a'.repeat(64) }
    const faultsOf = (response: unknown) =>
      thrownBy(() => parseAnswerRequest({ toolCallId: 'toolu_1', responses: { q: response } })).faults
    const withFiles = (...files: object[]) => faultsOf({ selected: [], files })
    for (const name of ['../x.png', 'CON.png', '.hidden', `${'x'.repeat(61)}.png`])
      expect(withFiles({ ...file, name })).toEqual([
        {
          path: 'responses.q.files.0.name',
          expected: expect.stringMatching(/^a name that every system takes/),
        },
      ])
    expect(withFiles(...Array.from({ length: 21 }, () => file))).toEqual([
      { path: 'responses.q.files', expected: 'at most 20 entries' },
    ])
    expect(faultsOf({ selected: ['a'], notes: 1 })).toEqual([{ path: 'responses.q.notes', expected: 'text' }])
    for (const response of [null, 'a', {}, { skipped: false }])
      expect(faultsOf(response)).toEqual([
        {
          path: 'responses.q',
          expected: expect.stringMatching(/^a response: .*files\?.* or \{skipped: true\}$/),
        },
      ])
  })

  it('takes undefined for absent, as callers in JavaScript pass it on', () => {
    const { status, reason } = parseAnswerRequest({
      toolCallId: 'toolu_1',
      status: undefined,
      reason: undefined,
    })
    expect([status, reason]).toEqual([undefined, undefined])
  })

  it('leaves out keys that a client may not set', () => {
    const body = { toolCallId: 'toolu_1', answeredBy: 'mallory', nonce: 'n', revision: 7 }
    expect(parseAnswerRequest(body)).toEqual({ toolCallId: 'toolu_1' })
  })

  it('keeps keys that a prototype would swallow', () => {
    const { answers } = parseAnswerRequest(
      JSON.parse('{"toolCallId": "toolu_1", "answers": {"__proto__": "a", "constructor": "b"}}'),
    )
    expect(Object.entries(answers ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
  })

  it('tells every fault of a request, and none of its content', () => {
    const { code, faults, message } = thrownBy(() =>
      parseAnswerRequest({
        toolCallId: ' ',
        questions: 'secret',
        answers: { 'A?': ['secret'] },
        responses: { q1: 'secret' },
        status: 'secret',
        reason: 1,
      }),
    )
    expect(code).toBe('INVALID_REQUEST')
    expect(faults.map(({ path }) => path)).toEqual([
      'toolCallId',
      'questions',
      'answers.A?',
      'responses.q1',
      'status',
      'reason',
    ])
    expect(faults[1]).toEqual({ path: 'questions', expected: 'a list of questions' })
    expect(JSON.stringify([message, faults])).not.toContain('secret')
  })

  it('says which key is missing', () => {
    expect(thrownBy(() => parseAnswerRequest({})).faults).toEqual([
      { path: 'toolCallId', expected: 'a value' },
    ])
  })

  it.each([null, [], 'text', 1])('refuses %j', (input) => {
    expect(thrownBy(() => parseAnswerRequest(input)).code).toBe('INVALID_REQUEST')
  })
})
