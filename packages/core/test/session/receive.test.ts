import { describe, expect, it } from 'vitest'
import type { Draft } from '../../src/answer/draft.ts'
import { parseQuestions } from '../../src/question/parse-questions.ts'
import type { QuestionView } from '../../src/record/view/question-view.ts'
import type { PageAnswer } from '../../src/session/page-answer.ts'
import { stateWithView } from '../../src/session/receive.ts'
import { initialState, type SessionState } from '../../src/session/session-state.ts'
import type { AskSnapshot } from '../../src/session/snapshot.ts'

const questions = parseQuestions([{ question: 'A?' }, { question: 'B?' }])
const typed = (freeText: string) => ({ selected: [], freeText, source: 'human' as const })
const mine: Draft = { q1: typed('mine') }
const theirs = { q1: typed('theirs') }
const more = { q2: typed('more') }

/** What a view changes in a session. */
function changeBy(session: Partial<SessionState>, view: Partial<QuestionView>, isEditable = true) {
  const part = { type: 'tool-AskUserQuestion', toolCallId: 'c', state: 'input-available' }
  return stateWithView(
    { ...initialState(part), ...session },
    { isEditable } as AskSnapshot,
    { state: 'open', questions, responses: {}, revision: 0, askedAt: 'then', ...view } as QuestionView,
    1234,
  )
}

describe('a view of the host', () => {
  it('is noted with its time and its people', () => {
    const people = [{ id: 'a', isTyping: true }]
    expect(changeBy({}, { people })).toMatchObject({ viewedAt: 1234, people, view: { people }, revision: 0 })
  })

  it('is adopted where it is newer and nothing was entered here', () => {
    expect(changeBy({ draft: mine, revision: 1 }, { responses: theirs, revision: 2 })).toMatchObject({
      draft: theirs,
      dirty: false,
      revision: 2,
    })
  })

  it.each<[string, Partial<SessionState>, Partial<QuestionView>]>([
    ['it is as old as what is known', { revision: 2 }, {}],
    ['the question is over', { revision: 1 }, { state: 'sent' }],
    ['something is on its way', { revision: 1, inFlight: {} as PageAnswer }, {}],
    ['an answer was sent', { revision: 1, intent: { status: 'completed' } }, {}],
    ['something was entered here', { revision: 1, dirty: true }, {}],
  ])('is not adopted where %s', (_, session, view) => {
    const change = changeBy({ draft: mine, ...session }, { responses: theirs, revision: 2, ...view })
    expect(change).not.toHaveProperty('draft')
    expect(change.revision).toBe(2)
  })

  it('never takes back the newest revision', () => {
    expect(changeBy({ revision: 5 }, { revision: 3 }).revision).toBe(5)
  })

  it('adds the entries of other pages for questions without one here, and has them saved', () => {
    const session = { draft: mine, dirty: true, revision: 1 }
    const view = { responses: { ...theirs, ...more }, revision: 2 }
    expect(changeBy(session, view)).toMatchObject({ draft: { ...mine, ...more }, dirty: true, saveDue: true })
    expect(changeBy(session, view, false)).not.toHaveProperty('draft')
    expect(changeBy(session, { ...view, revision: 1 })).not.toHaveProperty('draft')
    expect(changeBy(session, { ...view, state: 'sent' })).not.toHaveProperty('draft')
  })
})

describe('an answer that was sent', () => {
  const intent = { status: 'completed', askedAt: 'then' } as const

  it('stays for the question that the person saw', () => {
    expect(changeBy({ intent }, {}).intent).toBe(intent)
    expect(changeBy({ intent: { status: 'completed' } }, {}).intent).toEqual({ status: 'completed' })
  })

  it('goes where the call was asked again, or somebody else answered', () => {
    expect(changeBy({ intent }, { askedAt: 'later' }).intent).toBeUndefined()
    expect(changeBy({ intent }, { byOther: true }).intent).toBeUndefined()
    expect(changeBy({ intent }, { byOther: false }).intent).toBe(intent)
  })
})

describe('entries that an earlier page kept', () => {
  const restored = (changes = {}) => ({
    asked: '',
    askedAt: 'then',
    draft: mine,
    revision: 1,
    dirty: true,
    sent: {},
    ...changes,
  })
  const session = { draft: mine, dirty: true, revision: 1, restored: restored() }

  it('stay where the host knows nothing newer', () => {
    const change = changeBy(session, { revision: 1 })
    expect(change).not.toHaveProperty('draft')
    expect(change).toHaveProperty('restored', undefined)
  })

  it('give way to newer responses, and stay for the other questions', () => {
    const kept = { ...session, draft: { ...mine, ...more } }
    expect(changeBy(kept, { responses: theirs, revision: 2 })).toMatchObject({
      draft: { ...theirs, ...more },
      dirty: true,
      revision: 2,
    })
    expect(changeBy(session, { responses: theirs, revision: 2 })).toMatchObject({
      draft: theirs,
      dirty: false,
    })
  })

  it('stay where the newer responses are those that this person sent', () => {
    const kept = { ...session, restored: restored({ sent: theirs }) }
    expect(changeBy(kept, { responses: theirs, revision: 2 })).not.toHaveProperty('draft')
  })

  it('go where the call was asked again, whatever its revision', () => {
    expect(changeBy(session, { askedAt: 'later', responses: more, revision: 0 })).toMatchObject({
      draft: more,
      dirty: false,
      revision: 0,
    })
  })

  it('that the host had go where it has others', () => {
    const kept = { ...session, dirty: false, restored: restored({ dirty: false }) }
    expect(changeBy(kept, { responses: theirs, revision: 2 })).toMatchObject({ draft: theirs, dirty: false })
  })
})
