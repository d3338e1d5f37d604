import { describe, expect, it } from 'vitest'
import type { QuestionResponse } from '../../src/answer/response.ts'
import type { OtherDraft, QuestionView, ShownVote } from '../../src/record/view/question-view.ts'
import { othersOf } from '../../src/session/others.ts'
import { initialState, type Session } from '../../src/session/session-state.ts'

const typed = (freeText: string): QuestionResponse => ({ selected: [], freeText, source: 'human' })
const draft = (id: string, more: Partial<OtherDraft> = {}): OtherDraft => ({
  id,
  name: id,
  responses: { q1: typed(id) },
  revision: 5,
  at: 'now',
  ...more,
})
const person = (id: string, isTyping = false) => ({ id, name: id, isTyping })
const others = (view: Partial<QuestionView> | undefined, more: Partial<Session> = {}) =>
  othersOf({
    ...initialState({ type: 'tool-AskUserQuestion', toolCallId: 'c', state: 'input-available' }),
    ...(view && { view: { state: 'open', ...view } as QuestionView }),
    ...more,
  })
const away = { isHere: false, isTyping: false }

describe('the other people', () => {
  it('are nobody before the host tells of them, and once the question is over', () => {
    expect(others(undefined, { people: [person('Ada')] })).toEqual([])
    expect(others({}, { people: [] })).toEqual([])
    expect(others({ state: 'sent', otherDrafts: [draft('Ada')] }, { people: [person('Ben')] })).toEqual([])
  })

  it('are those with a draft first, then those who only have it open', () => {
    const people = [person('Cleo', true), person('Ada', true)]
    expect(others({ otherDrafts: [draft('Ada'), draft('Ben')] }, { people })).toEqual([
      { id: 'Ada', name: 'Ada', isHere: true, isTyping: true, responses: { q1: typed('Ada') } },
      { id: 'Ben', name: 'Ben', ...away, responses: { q1: typed('Ben') } },
      { id: 'Cleo', name: 'Cleo', isHere: true, isTyping: true, responses: {} },
    ])
  })

  it('are here and quiet where they only look', () => {
    expect(others({ otherDrafts: [draft('Ada')] }, { people: [person('Ada')] })[0]).toMatchObject({
      isHere: true,
      isTyping: false,
    })
  })

  it('have no name where the host knows none', () => {
    const { name: _, ...nameless } = draft('x')
    expect(others({ otherDrafts: [nameless] })).toEqual([{ id: 'x', ...away, responses: { q1: typed('x') } }])
  })

  it('are not this page, whose own draft has its revision', () => {
    expect(
      others({ otherDrafts: [draft('own', { revision: 3 }), draft('Ada')] }, { revision: 3 }),
    ).toMatchObject([{ id: 'Ada' }])
  })

  it('come with their votes, which count before their drafts', () => {
    const vote = (id: string, more: Partial<ShownVote> = {}) => ({ ...draft(id), name: id, ...more })
    const votes = [vote('Ada'), vote('own', { isOwn: true }), vote('secret', { name: '' })]
    const view = { votes, otherDrafts: [draft('Ada', { responses: {} }), draft('Ben')] }
    expect(others(view)).toEqual([
      { id: 'Ada', name: 'Ada', ...away, hasVoted: true, responses: { q1: typed('Ada') } },
      { id: 'Ben', name: 'Ben', ...away, responses: { q1: typed('Ben') } },
    ])
  })

  it('have entered what holds an answer, a note or a skip', () => {
    const responses = {
      typed: typed('x'),
      blank: typed(' '),
      picked: { selected: ['A'], source: 'human' as const },
      none: { selected: [], source: 'human' as const },
      skipped: { skipped: true as const },
      noted: { selected: [], notes: 'n', source: 'human' as const },
      blankNote: { selected: [], notes: ' ', source: 'human' as const },
    }
    expect(Object.keys(others({ otherDrafts: [draft('Ada', { responses })] })[0]?.responses ?? {})).toEqual([
      'typed',
      'picked',
      'skipped',
      'noted',
    ])
  })
})
