import { createToolParts } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { AskError } from '../../src/lib/errors.ts'
import { type ToolPart, UNSEEN } from '../../src/question/tool-part.ts'
import type { OutcomeKind } from '../../src/record/question-record.ts'
import type { QuestionView } from '../../src/record/view/question-view.ts'
import {
  type AskStatus,
  endingOf,
  isEditableIn,
  isEnded,
  statusOf,
  waitsForOthers,
} from '../../src/session/ask-status.ts'
import type { PageAnswer } from '../../src/session/page-answer.ts'
import { type AnswerState, initialState, type Session } from '../../src/session/session-state.ts'
import { STATUSES } from './session-fixture.ts'

const part = (state: string, more: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool-AskUserQuestion',
  toolCallId: 'call_1',
  state,
  ...more,
})
const asked = { state: 'open', questions: [], responses: {}, revision: 2, declined: false } as const
const view = (more: Partial<QuestionView>) => ({ ...asked, ...more }) as QuestionView
const status = (more: Partial<Session>, outcome: OutcomeKind | null = null): AskStatus =>
  statusOf({ ...initialState(part('input-available')), ...more }, outcome)
const error = new AskError('UNREACHABLE', 'No host')
const intent = { status: 'completed' } as const
const sending: AnswerState = { kind: 'sending', intent }
const request = {} as PageAnswer
const stored: AnswerState = { kind: 'stored', request }
const over = part('output-available', { output: {} })
const expired = part('output-available', { output: { answers: { __bunny_agent_timeout__: '' } } })
const vote = (isOwn: true | undefined, revision: number) =>
  ({ id: 'a', name: 'Ada', responses: {}, revision, at: 'now', ...(isOwn && { isOwn }) }) as const

describe('the status of a question', () => {
  it.each<[AskStatus, string, Partial<Session>, (OutcomeKind | null)?]>([
    ['waiting', 'nothing happened', {}],
    ['loading', 'nobody has said what is asked', { part: part(UNSEEN) }],
    ['loading', 'an answer of an earlier page waits for that', { part: part(UNSEEN), answer: sending }],
    ['waiting', 'the host has said what is asked', { part: part(UNSEEN), view: view({}) }],
    ['streaming', 'the model writes it', { part: part('input-streaming') }],
    ['streaming', 'it needs an approval to be asked', { part: part('approval-requested') }],
    ['waiting', 'the answer is incomplete', { answer: { kind: 'incomplete', fault: error } }],
    ['waiting', 'entries are on this page alone', { draft: { kind: 'dirty' } }],
    ['saving', 'a draft is due', { draft: { kind: 'saving' } }],
    ['saving', 'a request is on its way', { request }],
    ['failed', 'a draft failed', { draft: { kind: 'failed', error } }],
    ['failed', 'the host rejected the answer', { answer: { kind: 'rejected', refused: intent, error } }],
    ['sending', 'an answer is on its way', { answer: sending }],
    ['retrying', 'an answer failed', { answer: { kind: 'retrying', intent, error } }],
    ['sending', 'an answer is on its way after the end', { answer: sending }, 'timed-out'],
    ['sent', 'the host has this answer', { answer: sending, view: view({ byOther: false, state: 'sent' }) }],
    [
      'sending',
      'the host has another answer of this person',
      { answer: sending, view: view({ byOther: false, state: 'sent', declined: true }) },
    ],
    ['sent', 'the host has stored it', { answer: stored }],
    [
      'sent',
      'the host has stored it, and takes it for another’s',
      { answer: stored, view: view({ byOther: true }) },
    ],
    ['sent', 'the host says so', { view: view({ state: 'sent' }) }],
    ['not-allowed', 'others may answer', { view: view({ mayAnswer: false }) }],
    ['waiting', 'this person may answer', { view: view({ mayAnswer: true }) }],
    ['voted', 'the host took it as a vote', { answer: { kind: 'voted' } }],
    ['voted', 'the view has this person’s vote', { revision: 2, view: view({ votes: [vote(true, 2)] }) }],
    [
      'waiting',
      'the vote is being changed',
      { draft: { kind: 'dirty' }, revision: 2, view: view({ votes: [vote(true, 2)] }) },
    ],
    ['waiting', 'the draft is newer than the vote', { revision: 2, view: view({ votes: [vote(true, 1)] }) }],
    ['waiting', 'the vote is another’s', { revision: 2, view: view({ votes: [vote(undefined, 2)] }) }],
    ['superseded', 'another answer came first', { answer: { kind: 'superseded', error } }],
    ['superseded', 'the answer is somebody else’s', { view: view({ byOther: true }) }, 'answered'],
    ['expired', 'the time was over before somebody else', { view: view({ byOther: true }) }, 'timed-out'],
    ['expired', 'it was withdrawn before somebody else', { view: view({ byOther: true }) }, 'aborted'],
    ['expired', 'the host refused it as late', { answer: { kind: 'expired', error } }],
    ['received', 'the runner took what the host refused', { answer: { kind: 'expired', error } }, 'answered'],
    ['received', 'the agent has it', {}, 'answered'],
    ['received', 'the agent has a part of it', {}, 'partial'],
    ['declined', 'it was declined', {}, 'declined'],
    ['expired', 'the time is over', {}, 'timed-out'],
    ['expired', 'it was withdrawn', {}, 'aborted'],
    ['received', 'the message has the answer', { part: over }],
    ['received', 'the message has the answer of this page', { part: over, answer: sending }],
    ['declined', 'the message says it was denied', { part: part('output-denied') }],
    ['expired', 'the message says that the time is over', { part: expired }],
    ['expired', 'the call failed', { part: part('output-error') }],
    [
      'received',
      'a tool failed that this page had allowed',
      { part: part('output-error'), view: view({ kind: 'approval' }), answer: stored },
    ],
    [
      'received',
      'a tool failed that a person had allowed',
      { part: part('output-error'), view: view({ kind: 'approval', state: 'sent' }) },
    ],
    [
      'expired',
      'a tool failed that nobody had allowed',
      { part: part('output-error'), view: view({ kind: 'approval' }) },
    ],
    ['declined', 'the call failed by a refusal', { part: part('output-error') }, 'declined'],
    ['waiting', 'the output is preliminary', { part: { ...over, preliminary: true } }],
  ])('is %s where %s', (expected, _, state, outcome = null) => {
    expect(status(state, outcome)).toBe(expected)
  })
})

it('a person enters something before an answer, waits for others at a vote, and is done at an end', () => {
  expect(STATUSES.filter(isEditableIn)).toEqual(['waiting', 'saving', 'failed'])
  expect(STATUSES.filter(waitsForOthers)).toEqual(['voted', 'not-allowed'])
  expect(STATUSES.filter(isEnded)).toEqual(['received', 'declined', 'expired', 'superseded'])
})

describe('the end according to the message', () => {
  it('is read from the parts of the test kit', () => {
    const parts = createToolParts([{ question: 'A?' }])
    expect(endingOf(parts.declined())).toBe('declined')
    expect(endingOf(parts.timedOut())).toBe('timed-out')
    expect(endingOf(parts.withdrawn())).toBe('aborted')
  })

  it('is read from the error of a failed call', () => {
    const failed = (errorText?: string) => endingOf(part('output-error', { errorText }))
    expect(failed('The user declined to answer. Go on.')).toBe('declined')
    expect(failed('Nobody answered in time.')).toBe('timed-out')
    expect(failed('Bash was not run. The user denied it. Do not …')).toBe('declined')
    expect(failed('It broke')).toBeNull()
    expect(failed()).toBeNull()
  })

  it('is read from the mark of a host, beside answers or alone', () => {
    expect(endingOf(expired)).toBe('timed-out')
    const some = { output: { answers: { __bunny_agent_timeout__: '', 'A?': 'yes' } } }
    expect(endingOf(part('output-available', some))).toBe('partial')
    expect(endingOf(part('input-available', some))).toBeNull()
  })

  it('is not known from anything else', () => {
    for (const output of [undefined, 'text', {}, { answers: null }, { answers: { 'A?': 'yes' } }])
      expect(endingOf(part('output-available', { output }))).toBeNull()
  })
})
