import { describe, expect, it } from 'vitest'
import type { Draft } from '../../src/answer/draft.ts'
import { parseQuestions } from '../../src/question/parse-questions.ts'
import type { QuestionView } from '../../src/record/view/question-view.ts'
import { type Intent, pageAnswerOf } from '../../src/session/page-answer.ts'

const questions = parseQuestions([
  { question: 'A?', options: [{ label: 'Yes', value: 'y' }, { label: 'No' }] },
  { question: 'B?', required: false },
])
const asked = { toolCallId: 'call_1', questions }
/** Words that were typed before an option was picked stay in a draft. */
const draft: Draft = { q1: { selected: ['y'], freeText: 'hm', source: 'human' } }
const final = { q1: { selected: ['y'], source: 'human' } }

/** The request as it is sent, for what the person meant, or for a draft. */
const requestOf = (entries: Draft, intent?: Intent, view?: Partial<QuestionView>) => {
  const session = { part: asked, entries, answer: { intent }, ...(view && { view: view as QuestionView }) }
  return JSON.parse(JSON.stringify(pageAnswerOf(session, questions)))
}

describe('the answer that a page sends', () => {
  it('has what was meant, and its texts, once it is complete', () => {
    expect(requestOf(draft, { status: 'completed' })).toStrictEqual({
      ...asked,
      answers: { 'A?': 'Yes' },
      responses: final,
      status: 'completed',
    })
  })

  it('has all entries as a draft, and no texts that an older host would take for the answer', () => {
    expect(requestOf(draft)).toStrictEqual({ ...asked, answers: {}, responses: draft, status: 'pending' })
    const part: Draft = { q2: { selected: [], freeText: 'so far', source: 'human' } }
    expect(requestOf(part)).toMatchObject({ answers: { 'B?': 'so far' }, responses: part })
  })

  it('has neither as a refusal, but its reason', () => {
    expect(requestOf(draft, { status: 'declined', reason: 'later' })).toStrictEqual({
      ...asked,
      answers: {},
      responses: {},
      status: 'declined',
      reason: 'later',
    })
    expect(requestOf(draft, { status: 'declined' })).not.toHaveProperty('reason')
  })

  it('says which question the person saw, and in which trace', () => {
    const seen = { questionDigest: 'd', askedAt: 'then' }
    const later = { questionDigest: 'e', askedAt: 'later', traceparent: 't' }
    expect(requestOf(draft, { status: 'completed', ...seen }, later)).toMatchObject({
      ...seen,
      traceparent: 't',
    })
    expect(requestOf(draft, undefined, later)).toMatchObject(later)
    const plain = requestOf(draft, { status: 'completed', askedAt: undefined }, {})
    for (const key of ['questionDigest', 'askedAt', 'traceparent']) expect(plain).not.toHaveProperty(key)
  })

  it('does not say of an answer that was given before the host showed the question what it shows now', () => {
    const sent = requestOf(draft, { status: 'completed' }, { questionDigest: 'd', askedAt: 'now' })
    for (const key of ['questionDigest', 'askedAt']) expect(sent).not.toHaveProperty(key)
  })
})
