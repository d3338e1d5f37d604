import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { earlierAnswers } from '../../../src/compat/earlier-answers.ts'
import {
  type AnswerFile,
  AskError,
  encodeAnswers,
  isFinal,
  isMeantFor,
  mayChange,
  parseAnswerFile,
  parseQuestions,
  responsesOf,
} from '../../../src/internal.ts'
import { answered } from '../../arbitraries.ts'

const OLDER_WRITER = `{
  "questions": [
    { "question": "What is your preferred language?", "options": [{ "label": "TypeScript" }, { "label": "Python" }] }
  ],
  "answers": { "What is your preferred language?": "TypeScript" },
  "status": "completed",
  "timestamp": "2025-01-30T12:00:00.000Z"
}`

describe('parseAnswerFile', () => {
  it('reads the file of the SandAgent document', () => {
    const answerFile = parseAnswerFile(OLDER_WRITER, 'toolu_1')
    expect(isFinal(answerFile)).toBe(true)
    expect(responsesOf(answerFile, parseQuestions(answerFile.questions))).toEqual({
      q1: { selected: ['TypeScript'], source: 'human' },
    })
  })

  it('reads what it wrote, without loss', () => {
    fc.assert(
      fc.property(answered, ({ questions, responses }) => {
        const answerFile: AnswerFile = {
          questions,
          answers: encodeAnswers(questions, responses),
          status: 'pending',
          timestamp: '2025-01-30T12:00:00.000Z',
          version: 1,
          toolCallId: 'toolu_1',
          nonce: 'n',
          revision: 3,
          responses,
        }
        const read = parseAnswerFile(JSON.stringify(answerFile, null, 2), 'toolu_1')
        expect(read).toEqual(answerFile)
        expect(responsesOf(read, questions)).toEqual(responses)
      }),
    )
  })

  it.each([
    ['empty', ''],
    ['torn', OLDER_WRITER.slice(0, 90)],
    ['not an object', '[]'],
    ['without a status', '{"questions":[],"answers":{},"timestamp":"2025-01-30T12:00:00.000Z"}'],
    ['of an unknown status', OLDER_WRITER.replace('completed', 'done')],
    ['with an answer that is no text', OLDER_WRITER.replace('?": "TypeScript"', '?": 7')],
    ['another tool call’s', OLDER_WRITER.replace('{', '{"toolCallId":"toolu_2",')],
    ['of no known version', OLDER_WRITER.replace('{', '{"version":0,')],
  ])('refuses a file that is %s', (_, text) => {
    if (text === OLDER_WRITER) throw new Error('the case changes nothing')
    expect(() => parseAnswerFile(text, 'toolu_1')).toThrow(expect.objectContaining({ code: 'INVALID_FILE' }))
  })

  it('says of a file of a later version that it may hold the answer, and what to do', () => {
    expect(() => parseAnswerFile(OLDER_WRITER.replace('{', '{"version":2,'))).toThrow(
      expect.objectContaining({
        code: 'UNREACHABLE',
        message: expect.stringContaining('Update the host and the agent to the same version'),
      }),
    )
  })

  it.each([
    ['questions', [5]],
    ['questions', [null]],
    ['questions', Array(51).fill({})],
    ['answers', []],
    ['timestamp', 'soon'],
    ['replaceable', false],
    ['toolCallId', 5],
    ['nonce', 5],
    ['questionDigest', 5],
    ['revision', -1],
    ['revision', 1.5],
    ['responses', []],
    ['answeredBy', 5],
    ['browser', 5],
    ['otherDrafts', {}],
    ['rule', { votes: 0 }],
    ['votes', {}],
    ['reason', 5],
    ['signature', 5],
  ])('refuses a file whose %s is %j', (key, value) => {
    const file = { ...JSON.parse(OLDER_WRITER), [key]: value }
    expect(() => parseAnswerFile(JSON.stringify(file))).toThrow(
      expect.objectContaining({
        code: 'INVALID_FILE',
        faults: [expect.objectContaining({ path: expect.stringMatching(`^${key}`) })],
      }),
    )
  })

  it('keeps all that a writer of today may store', () => {
    const file = {
      ...JSON.parse(OLDER_WRITER),
      replaceable: true,
      questionDigest: 'd',
      revision: 0,
      browser: 'one',
      otherDrafts: [],
      rule: { votes: 2 },
      votes: [],
      reason: 'later',
      signature: 's',
    }
    expect(parseAnswerFile(JSON.stringify(file), 'toolu_1')).toEqual(file)
  })

  it('may change while it is a draft, or until it is taken where it says so', () => {
    const answerFile = parseAnswerFile(OLDER_WRITER)
    expect(mayChange(answerFile)).toBe(false)
    expect(mayChange({ ...answerFile, replaceable: true })).toBe(true)
    expect(mayChange({ ...answerFile, status: 'pending' })).toBe(true)
    expect(mayChange({ ...answerFile, status: 'declined' })).toBe(false)
  })

  it('says whose file it is where it is another tool call’s', () => {
    const text = OLDER_WRITER.replace('{', '{"toolCallId":"toolu_2",')
    expect(() => parseAnswerFile(text, 'toolu_1')).toThrow(
      expect.objectContaining({ facts: { toolCallId: 'toolu_2' } }),
    )
    expect(parseAnswerFile(text).toolCallId).toBe('toolu_2')
    expect(parseAnswerFile(text, 'toolu_2').toolCallId).toBe('toolu_2')
  })

  it('has the responses before their texts, which know no notes', () => {
    const answerFile = parseAnswerFile(OLDER_WRITER)
    const responses = { q1: { selected: ['Python'], notes: 'why', source: 'human' as const } }
    expect(responsesOf({ ...answerFile, responses }, parseQuestions(answerFile.questions))).toEqual(responses)
  })

  it('never answers anything but an answer file or a typed error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        try {
          parseAnswerFile(text)
        } catch (error) {
          expect(error).toBeInstanceOf(AskError)
        }
      }),
    )
  })
})

describe('isMeantFor', () => {
  const record = { nonce: 'n', kind: 'question' } as const
  const permission = { nonce: 'n', kind: 'approval' } as const
  const older = parseAnswerFile(OLDER_WRITER)

  it('knows an answer file by the nonce of its question', () => {
    expect(isMeantFor({ ...older, nonce: 'n' }, record)).toBe(true)
    expect(isMeantFor({ ...older, nonce: 'n' }, permission)).toBe(true)
    expect(isMeantFor({ ...older, nonce: 'another' }, record)).toBe(false)
  })

  it('counts an answer file without a nonce as an answer, never as a permission', () => {
    expect(isMeantFor(older, record)).toBe(true)
    expect(isMeantFor(older, permission)).toBe(false)
  })

  it('counts no answer file without a nonce that was there before, or any of them where that is unknown', () => {
    const before = earlierAnswers([older], {})
    expect(isMeantFor(older, { ...record, ...before })).toBe(false)
    expect(isMeantFor({ ...older, nonce: 'n' }, { ...record, ...before })).toBe(true)
    const later = { ...older, timestamp: '2026-01-30T12:00:00.000Z' }
    expect(isMeantFor(later, { ...record, ...before })).toBe(true)
    expect(isMeantFor(later, { ...record, ...earlierAnswers([], { isUnread: true }) })).toBe(false)
  })
})
