import { describe, expect, it } from 'vitest'
import { createToolParts } from '../src/tool-parts.ts'

const questions = [
  { question: 'A?', options: [{ label: 'Yes', value: 'y' }, { label: 'No' }] },
  { question: 'B?' },
]
const parts = createToolParts(questions, { toolCallId: 'call' })
const part = {
  type: 'dynamic-tool',
  toolName: 'AskUserQuestion',
  toolCallId: 'call',
  providerExecuted: true,
  input: { questions },
}

describe('the parts of a call', () => {
  it('have the questions as their input, or another one that is given', () => {
    expect(parts.waiting()).toEqual({ ...part, state: 'input-available' })
    const of = createToolParts(questions, { toolName: 'Bash', input: { command: 'ls' } }).waiting()
    expect(of).toMatchObject({ toolName: 'Bash', input: { command: 'ls' } })
  })

  it('belong to another call each time', () => {
    const ids = [1, 2].map(() => createToolParts(questions).waiting().toolCallId)
    expect(ids[0]).toMatch(/^call-\d+$/)
    expect(new Set(ids).size).toBe(2)
  })

  it('have what is there so far while the model writes', () => {
    // Nothing is there yet.
    expect(parts.streaming(0)).toMatchObject({ state: 'input-streaming', input: { questions: [] } })
    expect(parts.streaming(1).input).toEqual({ questions: questions.slice(0, 1) })
  })

  it('have an output once somebody has answered', () => {
    const full = parts.answered({ 'A?': 'Yes', 'B?': 'words' }, 'ada')
    expect(full).toMatchObject({ ...part, state: 'output-available' })
    expect(full.output).toEqual({
      questions: [expect.objectContaining({ id: 'q1' }), expect.objectContaining({ id: 'q2' })],
      answers: { 'A?': 'Yes', 'B?': 'words' },
      responses: {
        q1: { selected: ['y'], source: 'human' },
        q2: { selected: [], freeText: 'words', source: 'human' },
      },
      status: 'answered',
      answeredBy: 'ada',
    })
    const some = parts.answered({ q2: 'words' }).output
    expect(some).toMatchObject({ status: 'partial', unanswered: ['q1'] })
    expect(some).not.toHaveProperty('answeredBy')
  })

  it('say how a call ended without an answer', () => {
    for (const ended of [parts.declined(), parts.timedOut(), parts.withdrawn()])
      expect(ended).toMatchObject({ ...part, state: 'output-error' })
    expect(parts.declined('later').errorText).toContain('saying "later"')
    expect(parts.timedOut(5000).errorText).toContain('within 5 s')
    expect(parts.timedOut().errorText).toContain('Not answered: "A?", "B?"')
    expect(parts.failed('It broke')).toEqual({ ...part, state: 'output-error', errorText: 'It broke' })
  })

  it('tell of an approval, from the request to its end', () => {
    const id = 'approval of call'
    expect(parts.approvalRequested()).toEqual({ ...part, state: 'approval-requested', approval: { id } })
    expect(parts.approvalResponded(true)).toEqual({
      ...part,
      state: 'approval-responded',
      approval: { id, approved: true },
    })
    expect(parts.approvalResponded(false, 'no').approval).toEqual({ id, approved: false, reason: 'no' })
    expect(parts.denied()).toEqual({ ...part, state: 'output-denied', approval: { id, approved: false } })
    expect(parts.denied('no').approval.reason).toBe('no')
  })
})
