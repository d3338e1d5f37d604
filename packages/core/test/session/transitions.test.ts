import { describe, expect, it } from 'vitest'
import type { Draft } from '../../src/answer/draft.ts'
import { parseQuestions } from '../../src/question/parse-questions.ts'
import type { QuestionView } from '../../src/record/view/question-view.ts'
import type { Intent, PageAnswer } from '../../src/session/page-answer.ts'
import type { KeptDraft } from '../../src/session/reload-draft.ts'
import { type AnswerState, initialState, type Session } from '../../src/session/session-state.ts'
import { restored, viewed } from '../../src/session/transitions.ts'

const questions = parseQuestions([{ question: 'A?' }, { question: 'B?' }])
const typed = (freeText: string) => ({ selected: [], freeText, source: 'human' as const })
const mine: Draft = { q1: typed('mine') }
const theirs = { q1: typed('theirs') }
const more = { q2: typed('more') }
const sending = (intent: Intent): AnswerState => ({ kind: 'sending', intent })

/** What a view changes in a session. */
function changeBy(
  session: Partial<Session>,
  view: Partial<QuestionView>,
  isEditable = true,
): Partial<Session> {
  const part = { type: 'tool-AskUserQuestion', toolCallId: 'c', state: 'input-available' }
  return viewed(
    { ...initialState(part), ...session },
    { state: 'open', questions, responses: {}, revision: 0, askedAt: 'then', ...view } as QuestionView,
    isEditable,
    1234,
  )
}

describe('a view of the host', () => {
  it('is noted with its time and its people', () => {
    const people = [{ id: 'a', isTyping: true }]
    expect(changeBy({}, { people })).toMatchObject({ viewedAt: 1234, people, view: { people }, revision: 0 })
  })

  it('is adopted where it is newer and nothing was entered here', () => {
    expect(changeBy({ entries: mine, revision: 1 }, { responses: theirs, revision: 2 })).toMatchObject({
      entries: theirs,
      draft: { kind: 'clean' },
      revision: 2,
    })
  })

  it.each<[string, Partial<Session>, Partial<QuestionView>]>([
    ['it is as old as what is known', { revision: 2 }, {}],
    ['the question is over', { revision: 1 }, { state: 'sent' }],
    ['something is on its way', { revision: 1, request: {} as PageAnswer }, {}],
    ['an answer was sent', { revision: 1, answer: sending({ status: 'completed' }) }, {}],
    ['something was entered here', { revision: 1, draft: { kind: 'dirty' } }, {}],
  ])('is not adopted where %s', (_, session, view) => {
    const change = changeBy({ entries: mine, ...session }, { responses: theirs, revision: 2, ...view })
    expect(change).not.toHaveProperty('entries')
    expect(change.revision).toBe(2)
  })

  it('never takes back the newest revision', () => {
    expect(changeBy({ revision: 5 }, { revision: 3 }).revision).toBe(5)
  })

  it('adds the entries of other pages for questions without one here, and has them saved', () => {
    const session: Partial<Session> = { entries: mine, draft: { kind: 'dirty' }, revision: 1 }
    const view = { responses: { ...theirs, ...more }, revision: 2 }
    expect(changeBy(session, view)).toMatchObject({
      entries: { ...mine, ...more },
      draft: { kind: 'saving' },
    })
    expect(changeBy(session, view, false)).not.toHaveProperty('entries')
    expect(changeBy(session, { ...view, revision: 1 })).not.toHaveProperty('entries')
    expect(changeBy(session, { ...view, state: 'sent' })).not.toHaveProperty('entries')
  })
})

describe('an answer that was sent', () => {
  const answer = sending({ status: 'completed', askedAt: 'then' })

  it('stays for the question that the person saw', () => {
    expect(changeBy({ answer }, {}).answer).toBe(answer)
    const unseen = sending({ status: 'completed' })
    expect(changeBy({ answer: unseen }, {}).answer).toBe(unseen)
  })

  it('goes where the call was asked again, or somebody else answered', () => {
    expect(changeBy({ answer }, { askedAt: 'later' }).answer).toEqual({ kind: 'none' })
    expect(changeBy({ answer }, { byOther: true }).answer).toEqual({ kind: 'none' })
    expect(changeBy({ answer }, { byOther: false }).answer).toBe(answer)
  })
})

describe('entries that an earlier page kept', () => {
  const page = (changes: Partial<KeptDraft> = {}): Partial<Session> =>
    restored({ asked: '', askedAt: 'then', draft: mine, revision: 1, dirty: true, sent: {}, ...changes })

  it('stay where the host knows nothing newer', () => {
    const change = changeBy(page(), { revision: 1 })
    expect(change).not.toHaveProperty('entries')
    expect(change.draft).toStrictEqual({ kind: 'dirty' })
  })

  it('give way to newer responses, and stay for the other questions', () => {
    expect(changeBy(page({ draft: { ...mine, ...more } }), { responses: theirs, revision: 2 })).toMatchObject(
      {
        entries: { ...theirs, ...more },
        draft: { kind: 'dirty' },
        revision: 2,
      },
    )
    expect(changeBy(page(), { responses: theirs, revision: 2 })).toMatchObject({
      entries: theirs,
      draft: { kind: 'clean' },
    })
  })

  it('stay where the newer responses are those that this person sent', () => {
    const change = changeBy(page({ sent: theirs }), { responses: theirs, revision: 2 })
    expect(change).not.toHaveProperty('entries')
  })

  it('go where the call was asked again, whatever its revision', () => {
    for (const request of [undefined, {} as PageAnswer]) {
      const session = { ...page(), request }
      expect(changeBy(session, { askedAt: 'later', responses: more, revision: 0 })).toMatchObject({
        entries: more,
        draft: { kind: 'clean' },
        revision: 0,
      })
    }
  })

  it('that the host had go where it has others', () => {
    expect(changeBy(page({ dirty: false }), { responses: theirs, revision: 2 })).toMatchObject({
      entries: theirs,
      draft: { kind: 'clean' },
    })
  })
})
