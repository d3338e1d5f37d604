import { describe, expect, it } from 'vitest'
import type { Draft } from '../../src/answer/draft.ts'
import { parseQuestions } from '../../src/question/parse-questions.ts'
import { pageAnswerOf } from '../../src/session/page-answer.ts'

const questions = parseQuestions([
  { question: 'A?', options: [{ label: 'Yes', value: 'y' }, { label: 'No' }] },
  { question: 'B?', required: false },
])
const asked = { toolCallId: 'call_1', questions }
/** Words that were typed before an option was picked stay in a draft. */
const draft: Draft = { q1: { selected: ['y'], freeText: 'hm', source: 'human' } }
const final = { q1: { selected: ['y'], source: 'human' } }

describe('the answer that a page sends', () => {
  it('has what was meant, and its texts, once it is complete', () => {
    expect(pageAnswerOf(draft, asked, { status: 'completed' })).toEqual({
      ...asked,
      answers: { 'A?': 'Yes' },
      responses: final,
      status: 'completed',
    })
  })

  it('has all entries as a draft, and no texts that an older host would take for the answer', () => {
    expect(pageAnswerOf(draft, asked, { status: 'pending' })).toEqual({
      ...asked,
      answers: {},
      responses: draft,
      status: 'pending',
    })
    const part: Draft = { q2: { selected: [], freeText: 'so far', source: 'human' } }
    expect(pageAnswerOf(part, asked, { status: 'pending' })).toMatchObject({
      answers: { 'B?': 'so far' },
      responses: part,
    })
  })

  it('has neither as a refusal, but its reason', () => {
    expect(pageAnswerOf(draft, asked, { status: 'declined', reason: 'later' })).toEqual({
      ...asked,
      answers: {},
      responses: {},
      status: 'declined',
      reason: 'later',
    })
    expect(pageAnswerOf(draft, asked, { status: 'declined' })).not.toHaveProperty('reason')
    expect(pageAnswerOf(draft, asked, { status: 'completed', reason: 'later' })).not.toHaveProperty('reason')
  })

  it('says which question the person saw, and in which trace', () => {
    const seen = { questionDigest: 'd', askedAt: 'then' }
    expect(
      pageAnswerOf(draft, { ...asked, traceparent: 't' }, { status: 'completed', ...seen }),
    ).toMatchObject({
      ...seen,
      traceparent: 't',
    })
    const plain = pageAnswerOf(
      draft,
      { ...asked, traceparent: undefined },
      { status: 'completed', askedAt: undefined },
    )
    for (const key of ['questionDigest', 'askedAt', 'traceparent']) expect(plain).not.toHaveProperty(key)
  })
})
