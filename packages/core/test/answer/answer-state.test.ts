import { describe, expect, it } from 'vitest'
import { answerStates, faultyIds, loadTypedFault } from '../../src/answer/answer-state.ts'
import { AskError, parseQuestions } from '../../src/internal.ts'
import {
  FEATURES,
  failWith,
  LANGUAGE,
  NAME,
  openSession,
  succeed,
  viewOfPart,
} from '../session/session-fixture.ts'

describe('where each question stands', () => {
  it('tells empty, answered and skipped questions apart', () => {
    const { session } = openSession([LANGUAGE, FEATURES, NAME])
    session.select('q1', 'Python')
    session.skip('q2')
    session.setNotes('q3', 'a note is no answer')
    expect(session.getSnapshot()).toMatchObject({
      states: { q1: 'answered', q2: 'skipped', q3: 'empty' },
      unanswered: ['q2', 'q3'],
      missing: [],
    })
  })

  it('counts no typed answer that does not fit', async () => {
    await loadTypedFault()
    const questions = parseQuestions([{ question: 'How long?', typed: { kind: 'number', max: 10 } }])
    const stateOf = (freeText: string) =>
      answerStates(questions, { q1: { selected: [], freeText, source: 'human' } }, [])
    expect(stateOf('20,5')).toEqual({ q1: 'empty' })
    expect(stateOf('5')).toEqual({ q1: 'answered' })
  })

  it('marks what submit misses, and takes each mark back once its question has an answer', async () => {
    const { session, transport } = openSession([LANGUAGE, FEATURES, { question: 'Else?', required: false }])
    session.submit()
    expect(session.getSnapshot()).toMatchObject({
      missing: ['q1', 'q2'],
      states: { q1: 'invalid', q2: 'invalid', q3: 'empty' },
    })
    session.select('q1', 'Python')
    expect(session.getSnapshot()).toMatchObject({
      missing: ['q2'],
      states: { q1: 'answered', q2: 'invalid' },
    })
    await succeed(transport, 0)
    session.skip('q2')
    expect(session.getSnapshot().missing).toEqual([])
    await succeed(transport, 1)

    session.submit()
    expect(session.getSnapshot()).toMatchObject({ status: 'sending', missing: [] })
  })

  it('marks what the host refused, until something else is entered', async () => {
    const { session, transport } = openSession([LANGUAGE, NAME])
    session.select('q1', 'Python')
    const faults = [{ path: 'responses.q1.selected.0', expected: 'one of "TypeScript"' }]
    await failWith(transport, 0, new AskError('INVALID_ANSWERS', 'No such option', { faults }))
    expect(session.getSnapshot().states).toEqual({ q1: 'invalid', q2: 'empty' })
    session.setFreeText('q2', 'kite')
    expect(session.getSnapshot().states).toEqual({ q1: 'answered', q2: 'answered' })
  })

  it('marks nothing any more once somebody else has answered', () => {
    const { session, transport, part } = openSession([LANGUAGE])
    session.start()
    session.submit()
    transport.show(viewOfPart(part, { state: 'sent' }))
    expect(session.getSnapshot()).toMatchObject({ missing: [], states: { q1: 'empty' } })
  })
})

describe('faultyIds', () => {
  const questions = ['q1', 'q2', 'constructor'].map((id) => ({ id, question: id }))
  const ids = (...paths: string[]) =>
    faultyIds(
      questions,
      paths.map((path) => ({ path, expected: '' })),
    )

  it('finds the question of a fault', () => {
    expect(ids('responses.q1.selected.0')).toEqual(['q1'])
    expect(ids('responses.constructor', 'responses.q2')).toEqual(['q2', 'constructor'])
    expect(ids('answers.q1', 'responses.q12', '')).toEqual([])
  })
})

describe('what the host tells beside the answer', () => {
  it('shows what is asked for, who answered when, and how it ended', () => {
    const { session, transport, part } = openSession([LANGUAGE])
    session.start()
    const subject = { toolName: 'Bash', input: { command: 'ls' } }
    expect(session.getSnapshot()).toMatchObject({ kind: 'question', answeredAt: null, outcome: null })
    transport.show(
      viewOfPart(part, {
        kind: 'approval',
        subject,
        state: 'sent',
        declined: true,
        answeredBy: 'ada',
        answeredAt: '2026-01-01T00:00:01.000Z',
        reason: 'Not now',
      }),
    )
    expect(session.getSnapshot()).toMatchObject({
      kind: 'approval',
      subject,
      answeredBy: 'ada',
      answeredAt: Date.parse('2026-01-01T00:00:01.000Z'),
      reason: 'Not now',
      outcome: null,
    })
    transport.show(viewOfPart(part, { state: 'timed-out' }))
    expect(session.getSnapshot()).toMatchObject({ status: 'expired', outcome: 'timed-out' })
  })

  it('still tells who answered when a chat is restored, where only the output is left', () => {
    const { session, part } = openSession([LANGUAGE])
    const output = { answers: { 'Which language?': 'Python' }, answeredBy: 'ada' }
    session.setPart({ ...part, state: 'output-available', output })
    expect(session.getSnapshot()).toMatchObject({ status: 'received', answeredBy: 'ada' })
  })

  it('says that somebody has to sign in, until the next try', async () => {
    const { session, transport } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    await failWith(transport, 0, new AskError('UNAUTHENTICATED', 'Sign in'))
    expect(session.getSnapshot()).toMatchObject({ status: 'failed', unsaved: true, unauthorized: true })
    session.retry()
    expect(session.getSnapshot()).toMatchObject({ status: 'saving', unauthorized: false })
  })
})
