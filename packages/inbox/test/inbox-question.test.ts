import { viewOf } from '@sandagent/core/internal'
import { answerFileFor, createMemoryChannel, openRecord } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { compareRanks, cursorAt, type InboxRank, inboxQuestionOf, rankAt } from '../src/inbox-question.ts'

it('a question of an inbox says where it is asked, by which run, and what this person sees of it', () => {
  const { sandbox } = createMemoryChannel()
  const place = { id: 'a', name: 'Anna', sandbox }
  const record = openRecord('c', { timeoutMs: 60_000, deadline: '2026-01-01T00:01:00.000Z' })
  const state = { toolCallId: 'c', record, answerFile: answerFileFor('c', { answeredBy: 'ada' }) }
  const now = Date.parse('2026-01-01T00:00:30.000Z')
  for (const viewer of [undefined, { answeredBy: 'ada' }, { answeredBy: 'bo' }])
    expect(inboxQuestionOf(place, state, now, viewer)).toEqual({
      sandboxId: 'a',
      sandboxName: 'Anna',
      runId: 'run-1',
      question: viewOf(state, now, viewer),
    })
  expect(inboxQuestionOf(place, { toolCallId: 'c' }, now)).not.toHaveProperty('runId')
})

describe('the place of a question in an inbox', () => {
  const ranks: InboxRank[] = [
    [1, 'b', 'b'],
    [2, 'a', 'b'],
    [2, 'b', 'a'],
    [2, 'b', 'b'],
    [10, 'a', 'a'],
  ]

  it('is by time, then by its id, then by that of its sandbox', () => {
    for (const [index, rank] of ranks.entries())
      for (const [other, rank2] of ranks.entries())
        expect(compareRanks(rank, rank2)).toBe(Math.sign(index - other))
  })

  it('is what a cursor holds', () => {
    for (const rank of ranks) expect(rankAt(cursorAt(rank))).toEqual(rank)
    expect(cursorAt([1, 'ü??', '>>'])).toMatch(/^[\w-]+$/)
  })

  it.each([
    null,
    'text',
    {},
    [],
    [1, 'a'],
    [1, 'a', 'b', 'c'],
    ['1', 'a', 'b'],
    [null, 'a', 'b'],
    [1, 2, 'b'],
    [1, 'a', 2],
  ])('is not %j', (value) => {
    expect(() => rankAt(cursorAt(value as never))).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        faults: [{ path: 'cursor', expected: 'a cursor of an earlier list' }],
      }),
    )
  })

  it('is not read of what is no JSON', () => {
    expect(() => rankAt('x')).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
  })
})
