import { describe, expect, it, vi } from 'vitest'
import type { AskStatus, Responses } from '../../src/internal.ts'
import {
  FEATURES,
  LANGUAGE,
  LICENCE,
  NAME,
  openSession,
  sent,
  succeed,
  viewOfPart,
} from './session-fixture.ts'

describe('following the host', () => {
  it('takes over a draft from another tab or from before a reload', () => {
    const { session, part, transport } = openSession([LANGUAGE, NAME])
    session.start()
    const responses = { q1: { selected: ['Python'], source: 'human' } } as const
    transport.show(
      viewOfPart(part, { revision: 2, responses: { q1: { ...responses.q1, selected: ['Python'] } } }),
    )
    expect(session.getSnapshot()).toMatchObject({ status: 'waiting', responses, unanswered: ['q2'] })
  })

  it('keeps what is being entered here when a draft arrives', async () => {
    const { session, part, transport } = openSession([NAME])
    session.start()
    session.setFreeText('q1', 'mine')
    transport.show(
      viewOfPart(part, {
        revision: 2,
        responses: { q1: { selected: [], freeText: 'theirs', source: 'human' } },
      }),
    )
    expect(session.getSnapshot().responses).toMatchObject({ q1: { freeText: 'mine' } })
  })

  it('keeps what was entered elsewhere for the questions that have no entry here', async () => {
    const { session, part, transport } = openSession([FEATURES, NAME])
    session.start()
    session.select('q1', 'Tests')
    const theirs: Responses = { q2: { selected: [], freeText: 'theirs', source: 'human' } }
    transport.show(viewOfPart(part, { revision: 2, responses: theirs }))
    expect(session.getSnapshot().responses).toMatchObject({ q1: { selected: ['Tests'] }, ...theirs })
    await succeed(transport, 0)
    expect(transport.requests[1]?.submission).toMatchObject({
      status: 'pending',
      responses: { q1: { selected: ['Tests'] }, ...theirs },
    })
  })

  it('adds nothing to an answer that is on its way', async () => {
    const { session, part, transport } = openSession([LANGUAGE, { ...NAME, required: false }])
    session.start()
    session.select('q1', 'Python')
    session.submit()
    await succeed(transport, 0)
    const theirs: Responses = { q2: { selected: [], freeText: 'theirs', source: 'human' } }
    transport.show(viewOfPart(part, { revision: 2, responses: theirs }))
    await succeed(transport, 1)
    expect(sent(transport)).toEqual(['pending', 'completed'])
    expect(session.getSnapshot().responses).not.toHaveProperty('q2')
  })

  it('tells that the run has ended until it is back, and lets the person answer meanwhile', () => {
    const { session, part, transport } = openSession([LANGUAGE])
    session.start()
    expect(session.getSnapshot().runEnded).toBe(false)
    transport.show(viewOfPart(part, { runEnded: true }))
    expect(session.getSnapshot()).toMatchObject({ runEnded: true, status: 'waiting', isEditable: true })
    transport.show(viewOfPart(part, { runEnded: true, state: 'sent' }))
    expect(session.getSnapshot()).toMatchObject({ runEnded: true, status: 'sent' })
    transport.show(viewOfPart(part, { state: 'sent' }))
    expect(session.getSnapshot()).toMatchObject({ runEnded: false, status: 'sent' })
  })

  it('counts the time left by its own clock', () => {
    const { session, part, transport, clock } = openSession([LANGUAGE])
    session.start()
    transport.show(viewOfPart(part, { deadline: '2001-01-01T00:00:00.000Z', remainingMs: 5000 }))
    expect(session.getSnapshot().deadline).toBe(clock.now() + 5000)
  })

  it.each<[Parameters<typeof viewOfPart>[1] & object, AskStatus]>([
    [{ state: 'sent' }, 'sent'],
    [{ state: 'answered' }, 'received'],
    [{ state: 'partial' }, 'received'],
    [{ state: 'declined' }, 'declined'],
    [{ state: 'timed-out' }, 'expired'],
    [{ state: 'aborted' }, 'expired'],
  ])('shows %o as %s', (view, status) => {
    const { session, part, transport } = openSession([LANGUAGE])
    session.start()
    transport.show(viewOfPart(part, view))
    expect(session.getSnapshot()).toMatchObject({ status, isEditable: false })
  })

  it('shows what the agent got, not what was picked here', async () => {
    const { session, part, transport } = openSession([LANGUAGE, LICENCE])
    session.select('q1', 'Python')
    await succeed(transport, 0)
    session.setPart({
      ...part,
      state: 'output-available',
      output: { questions: [LANGUAGE, LICENCE], answers: { 'Which language?': 'TypeScript' } },
    })
    expect(session.getSnapshot()).toMatchObject({
      status: 'received',
      responses: { q1: { selected: ['TypeScript'] } },
      unanswered: ['q2'],
    })
  })

  it('stops following, and saves what was just typed, once', async () => {
    const { session, transport, clock } = openSession([NAME])
    const stop = session.start()
    session.setFreeText('q1', 'kite')
    stop()
    expect(transport.subscribed).toBe(0)
    expect(clock.pending()).toBe(0)
    expect(sent(transport)).toEqual(['pending'])
    await succeed(transport, 0)

    session.start()()
    expect(transport.requests).toHaveLength(1)
  })

  it('saves nothing at the end when typing was saved already', async () => {
    const { session, transport, clock } = openSession([NAME])
    const stop = session.start()
    session.setFreeText('q1', 'kite')
    clock.advance(300)
    await succeed(transport, 0)
    stop()
    expect(transport.requests).toHaveLength(1)
  })
})

describe('the message part', () => {
  it('is shown while it streams in, and takes no entries until it is whole', () => {
    const { session, part, transport } = openSession([])
    session.setPart({ ...part, state: 'input-streaming', input: { questions: [LANGUAGE, { question: '' }] } })
    expect(session.getSnapshot()).toMatchObject({
      status: 'streaming',
      questions: [{ id: 'q1', question: 'Which language?' }],
    })
    session.select('q1', 'Python')
    expect(transport.requests).toEqual([])

    session.setPart({ ...part, input: { questions: [LANGUAGE] } })
    session.select('q1', 'Python')
    expect(sent(transport)).toEqual(['pending'])
  })

  it('changes nothing when only its identity changed', () => {
    const { session, part } = openSession([LANGUAGE])
    const listener = vi.fn()
    const before = session.getSnapshot()
    session.subscribe(listener)
    session.setPart(structuredClone(part))
    expect(listener).not.toHaveBeenCalled()
    expect(session.getSnapshot()).toBe(before)
  })

  it.each<[object, AskStatus]>([
    [{ state: 'output-available', output: {}, preliminary: true }, 'waiting'],
    [{ state: 'output-available', output: { answers: {} } }, 'received'],
    [{ state: 'output-denied' }, 'declined'],
    [{ state: 'output-error', errorText: 'The user declined to answer. Go on.' }, 'declined'],
    [{ state: 'output-error', errorText: 'Nobody answered within 60 s.' }, 'expired'],
    [{ state: 'approval-requested' }, 'streaming'],
    [{ state: 'approval-responded' }, 'waiting'],
    [{ state: 'a state of tomorrow' }, 'waiting'],
  ])('%o reads as %s', (change, status) => {
    const { session, part } = openSession([LANGUAGE])
    session.setPart({ ...part, ...change })
    expect(session.getSnapshot().status).toBe(status)
  })

  it.each([
    ['The user declined to answer. Go on.', 'declined'],
    ['Nobody answered within 60 s.', 'timed-out'],
    ['The question was withdrawn before it was answered.', 'aborted'],
    ['Exit code 1', null],
  ])('tells by the message alone how it ended: %s', (errorText, outcome) => {
    const { session, part } = openSession([LANGUAGE])
    session.setPart({ ...part, state: 'output-error', errorText })
    expect(session.getSnapshot().outcome).toBe(outcome)
  })

  it('prefers the lossless responses of its output, and passes over those of another program', () => {
    const { session, part } = openSession([FEATURES])
    const answers = { 'Which features?': 'Tests' }
    session.setPart({
      ...part,
      state: 'output-available',
      output: { answers, responses: { q1: { selected: ['README, with usage'], source: 'human' } } },
    })
    expect(session.getSnapshot().responses).toMatchObject({ q1: { selected: ['README, with usage'] } })
    session.setPart({ ...part, state: 'output-available', output: { answers, responses: 'other' } })
    expect(session.getSnapshot().responses).toMatchObject({ q1: { selected: ['Tests'] } })
  })
})
