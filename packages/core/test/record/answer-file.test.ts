import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AnswerFile,
  AskError,
  encodeAnswers,
  isFinal,
  isMeantFor,
  parseAnswerFile,
  parseQuestions,
  responsesOf,
} from '../../src/internal.ts'
import { answered } from '../arbitraries.ts'

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
    ['of a later version', OLDER_WRITER.replace('{', '{"version":2,')],
    ['another tool call’s', OLDER_WRITER.replace('{', '{"toolCallId":"toolu_2",')],
  ])('refuses a file that is %s', (_, text) => {
    if (text === OLDER_WRITER) throw new Error('the case changes nothing')
    expect(() => parseAnswerFile(text, 'toolu_1')).toThrow(expect.objectContaining({ code: 'INVALID_FILE' }))
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
})
