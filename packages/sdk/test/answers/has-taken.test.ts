import { type AnswerFile, type Receipt, withReceipt } from '@sandagent/core/internal'
import { answerFileFor, openRecord, receiptOf } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { hasTaken } from '../../src/answers/check-answer.ts'

const record = openRecord('c')
const B = { q1: { selected: ['B'], source: 'human' as const } }

const final = (more: Partial<AnswerFile> = {}) => answerFileFor('c', { status: 'completed', ...more })
const click = (more: Partial<AnswerFile> = {}) => final({ replaceable: true, ...more })
const settled = (receipt: Partial<Receipt> = {}) => withReceipt(record, receiptOf(receipt))

describe('whether the agent has taken an answer', () => {
  const declined = { status: 'declined', responses: {} } as const
  it.each<[string, Partial<Receipt>, AnswerFile, boolean]>([
    ['of the same revision and responses', {}, final(), true],
    ['of other responses', { responses: B }, final(), false],
    ['of a later revision than a final one', { revision: 2 }, final(), false],
    ['of an earlier revision than a final one', { revision: 1 }, final({ revision: 2 }), false],
    ['of no revision', { revision: undefined as never }, final(), false],
    ['of a later revision than a draft', { revision: 2, responses: B }, answerFileFor('c'), true],
    ['of the draft', { state: 'partial' }, answerFileFor('c'), true],
    ['of an earlier draft', { state: 'partial', responses: B }, answerFileFor('c', { revision: 2 }), false],
    ['of a later revision than a replaceable one', { revision: 2, responses: B }, click(), true],
    ['of the replaceable one', {}, click({ revision: 2 }), true],
    [
      'of no revision, of another replaceable one',
      { revision: undefined as never, responses: B },
      click({ revision: undefined as never }),
      false,
    ],
    ['of the same revision of a replaceable one, but other responses', { responses: B }, click(), false],
    ['of a refusal', { state: 'declined', responses: {} }, final(declined), true],
    ['that timed out', { state: 'timed-out', responses: {}, revision: 1 }, final(), false],
    ['that was aborted', { state: 'aborted', responses: {}, revision: 1 }, final(), false],
  ])('a receipt %s', (_, receipt, answerFile, expected) => {
    expect(hasTaken(settled(receipt), answerFile)).toBe(expected)
  })
})
