import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AnswerFile,
  answerClaims,
  answerFileOf,
  misplaced,
  type OpenRecord,
  parseAnswerClaims,
  parseQuestions,
  questionDigestOf,
} from '../../../src/internal.ts'
import { answered } from '../../arbitraries.ts'
import { openRecord } from '../../records.ts'

const record = openRecord({
  toolCallId: 'call_1',
  toolName: 'Bash',
  kind: 'approval',
  questions: parseQuestions([{ question: 'Run it?', options: [{ label: 'Yes' }, { label: 'No' }] }]),
  subject: { toolName: 'Bash', input: { command: 'ls', env: { A: '1', B: '2' }, list: [1, 2] } },
  nonce: 'nonce-1',
})
const answerFile: AnswerFile = {
  questions: record.questions,
  answers: { 'Run it?': 'Yes' },
  status: 'completed',
  timestamp: '2026-01-01T00:00:01.000Z',
  revision: 3,
  responses: { q1: { selected: ['Yes'], source: 'human' } },
  answeredBy: 'ada',
}

const reversed = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reversed)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, entry]) => [key, reversed(entry)]),
        )
      : value

describe('questionDigestOf', () => {
  it('is the same whatever the order of keys, and whoever asks when', () => {
    const again = { ...(reversed(record) as OpenRecord), nonce: 'other', runId: 'other', askedAt: 'other' }
    expect(questionDigestOf(again)).toBe(questionDigestOf(record))
  })

  it.each<[string, Partial<OpenRecord>]>([
    ['call', { toolCallId: 'call_2' }],
    ['tool', { toolName: 'Write' }],
    ['kind', { kind: 'question' }],
    [
      'question',
      { questions: parseQuestions([{ question: 'Run it? ', options: [{ label: 'Yes' }, { label: 'No' }] }]) },
    ],
    [
      'order of options',
      { questions: parseQuestions([{ question: 'Run it?', options: [{ label: 'No' }, { label: 'Yes' }] }]) },
    ],
    [
      'input',
      { subject: { toolName: 'Bash', input: { command: 'ls ', env: { A: '1', B: '2' }, list: [1, 2] } } },
    ],
    [
      'list in the input',
      { subject: { toolName: 'Bash', input: { command: 'ls', env: { A: '1', B: '2' }, list: [2, 1] } } },
    ],
  ])('is another one for another %s', (_, change) => {
    expect(questionDigestOf({ ...record, ...change } as OpenRecord)).not.toBe(questionDigestOf(record))
  })
})

describe('answerClaims', () => {
  it('hold all that a runner takes of an answer, and come back as it', () => {
    const claims = parseAnswerClaims(JSON.parse(JSON.stringify(answerClaims(answerFile, record))))
    expect(misplaced(claims, record)).toBeNull()
    expect(answerFileOf(claims, record, 'signature')).toEqual({
      ...answerFile,
      questionDigest: claims.questionDigest,
      version: 1,
      toolCallId: 'call_1',
      nonce: 'nonce-1',
      signature: 'signature',
    })
  })

  const timestamp = '2026-01-01T00:00:00.000Z'
  const votes = [{ answeredBy: 'ada', timestamp, roles: ['lead'], revision: 1 }]
  const otherDrafts = [{ answeredBy: 'ben', timestamp, responses: {}, revision: 2 }]

  it.each<[string, Partial<AnswerFile>]>([
    ['that may still be replaced', { replaceable: true }],
    ['of a browser', { browser: 'one' }],
    ['with the drafts of others', { status: 'pending', otherDrafts }],
    ['under a policy', { rule: { roles: ['lead'], votes: 2 }, votes }],
    ['that is a refusal', { status: 'declined', reason: 'later' }],
    ['with a reason that is empty', { status: 'declined', reason: '', browser: '' }],
  ])('hold an answer %s', (_, more) => {
    const { answeredBy: __, ...nobodys } = answerFile
    const file = { ...nobodys, ...more }
    const claims = answerClaims(file, record)
    expect(claims).toEqual({
      version: 1,
      toolCallId: 'call_1',
      nonce: 'nonce-1',
      runId: record.runId,
      questionDigest: questionDigestOf(record),
      status: 'completed',
      responses: file.responses,
      revision: 3,
      timestamp: file.timestamp,
      ...more,
    })
    expect(answerFileOf(parseAnswerClaims(JSON.parse(JSON.stringify(claims))), record, 's')).toMatchObject(
      file,
    )
    for (const key of [
      'answeredBy',
      'browser',
      'reason',
      'rule',
      'votes',
      'otherDrafts',
      'replaceable',
    ] as const)
      expect(key in answerFileOf(claims, record, 's')).toBe(key in more)
  })

  it.each([
    { version: 2 },
    { toolCallId: undefined },
    { nonce: 5 },
    { runId: undefined },
    { questionDigest: undefined },
    { status: 'done' },
    { responses: [] },
    { revision: '3' },
    { timestamp: 'soon' },
    { replaceable: false },
    { answeredBy: 5 },
    { browser: 5 },
    { otherDrafts: {} },
    { rule: { votes: 0 } },
    { votes: {} },
    { reason: 5 },
  ])('are refused with %j', (change) => {
    const key = Object.keys(change)[0] as string
    expect(() => parseAnswerClaims({ ...answerClaims(answerFile, record), ...change })).toThrow(
      expect.objectContaining({
        code: 'INVALID_FILE',
        faults: [expect.objectContaining({ path: expect.stringMatching(`^${key}`) })],
      }),
    )
  })

  it('cannot be made of an answer without its revision, or without its responses', () => {
    const { responses, revision, ...older } = answerFile
    for (const more of [{ responses }, { revision }] as Partial<AnswerFile>[])
      expect(() => answerClaims({ ...older, ...more }, record)).toThrow('older writer')
  })

  it('bring back any answer to any questions', () => {
    fc.assert(
      fc.property(answered, ({ questions, responses }) => {
        const asked = { ...record, questions }
        const claims = JSON.parse(JSON.stringify(answerClaims({ ...answerFile, responses }, asked)))
        expect(answerFileOf(parseAnswerClaims(claims), asked, 's').responses).toEqual(
          JSON.parse(JSON.stringify(responses)),
        )
      }),
      { numRuns: 50 },
    )
  })

  it('cannot be made of what an older writer stored', () => {
    const { responses: _, revision: __, ...older } = answerFile
    expect(() => answerClaims(older, record)).toThrow(expect.objectContaining({ code: 'INVALID_ANSWERS' }))
  })
})

describe('misplaced', () => {
  const claims = answerClaims(answerFile, record)

  it('tells another question from another asking of the same', () => {
    expect(misplaced(claims, { ...record, toolName: 'Write' })).toBe('WRONG_QUESTION')
    expect(misplaced(claims, { ...record, nonce: 'nonce-2' })).toBe('REPLAYED')
    expect(misplaced({ ...claims, toolCallId: 'call_2' }, record)).toBe('WRONG_QUESTION')
    expect(misplaced(claims, { ...record, runId: 'run-2' })).toBe('REPLAYED')
    expect(misplaced(claims, { ...record, runId: 'run-2' }, ['run-2', 'run-1'])).toBeNull()
  })
})
