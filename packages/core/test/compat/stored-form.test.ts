import { describe, expect, it } from 'vitest'
import { type AnswerFile, answerFileText, parseAnswerFile, responsesOf } from '../../src/internal.ts'

const questions = [{ question: 'Which colour?', options: [{ label: 'Red' }] }]
const timestamp = '2026-01-01T00:00:00.000Z'

describe('the pending file in which an older runner asks', () => {
  const input = { questions }

  it('is read as a draft without answers, as old as can be', () => {
    const file = { status: 'pending', toolName: 'AskUserQuestion', input, questions, answers: {} }
    expect(parseAnswerFile(JSON.stringify(file))).toEqual({
      questions,
      answers: {},
      status: 'pending',
      timestamp: '1970-01-01T00:00:00.000Z',
    })
  })

  it('has no questions where it asks for permission to use a tool', () => {
    const file = { status: 'pending', toolName: 'Bash', input: { command: 'ls' }, answers: {} }
    expect(parseAnswerFile(JSON.stringify(file))).toMatchObject({ questions: [] })
  })

  it('is nothing else: every other file without a time is refused', () => {
    for (const file of [
      { status: 'pending', questions, answers: {} },
      { status: 'completed', toolName: 'AskUserQuestion', questions, answers: {} },
    ])
      expect(() => parseAnswerFile(JSON.stringify(file))).toThrow('timestamp')
  })
})

describe('a refusal for an older runner', () => {
  const refusal: AnswerFile = { questions, answers: {}, status: 'declined', timestamp, reason: 'later' }

  it('is written as an answer that says so, because it would wait on', () => {
    const written = JSON.parse(answerFileText(refusal))
    expect(written).toMatchObject({ status: 'completed', declined: true })
    expect(written.answers['Which colour?']).toContain('The user declined to answer, saying "later"')
  })

  it('is read as the refusal that it is', () => {
    const read = parseAnswerFile(answerFileText(refusal))
    expect(read).toMatchObject({ status: 'declined', reason: 'later' })
    expect(responsesOf(read, [{ id: 'q1', question: 'Which colour?' }])).toEqual({})
  })

  it('stays as it is where a question is recorded, and so does every answer', () => {
    for (const answerFile of [
      { ...refusal, nonce: 'n' },
      { ...refusal, status: 'completed' as const },
    ])
      expect(JSON.parse(answerFileText(answerFile))).toEqual(answerFile)
  })
})
