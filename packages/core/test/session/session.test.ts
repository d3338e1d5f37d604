import { describe, expect, it, vi } from 'vitest'
import { AskError } from '../../src/internal.ts'
import { FEATURES, failWith, LANGUAGE, LICENCE, NAME, openSession, sent, succeed } from './session-fixture.ts'

describe('selecting', () => {
  it('never completes a lone multiple choice', async () => {
    const { session, transport } = openSession([FEATURES])
    session.select('Which features?', 'Tests')
    await succeed(transport, 0)
    session.select('Which features?', 'README, with usage')
    await succeed(transport, 1)

    expect(sent(transport)).toEqual(['pending', 'pending'])
    expect(session.getSnapshot().status).toBe('waiting')
  })

  it('submits at once with the last pick of an all-single-choice set, where that is wanted', async () => {
    const { session, transport } = openSession([LANGUAGE, LICENCE], { autoSubmit: 'immediately' })
    session.select('Which language?', 'Python')
    await succeed(transport, 0)
    session.select('Which licence?', 'MIT')
    expect(session.getSnapshot().status).toBe('sending')
    await succeed(transport, 1)

    expect(sent(transport)).toEqual(['pending', 'completed'])
    expect(transport.requests[1]?.submission.answers).toEqual({
      'Which language?': 'Python',
      'Which licence?': 'MIT',
    })
    expect(session.getSnapshot().status).toBe('sent')
  })

  it('does not submit by itself where that is turned off, for one pick or for all', () => {
    const one = openSession([LANGUAGE])
    one.session.select('q1', 'Python', { autoSubmit: false })
    expect(sent(one.transport)).toEqual(['pending'])

    const all = openSession([LANGUAGE], { autoSubmit: false })
    all.session.select('q1', 'Python')
    expect(sent(all.transport)).toEqual(['pending'])
    for (const { session, clock } of [one, all]) {
      expect(session.getSnapshot().sendsAt).toBeNull()
      expect(clock.pending()).toBe(0)
    }
  })

  it('does not submit by itself what holds a multiple choice or typed text', async () => {
    const mixed = openSession([LANGUAGE, FEATURES])
    mixed.session.select('q2', 'Tests')
    await succeed(mixed.transport, 0)
    mixed.session.select('q1', 'Python')
    mixed.clock.advance(2500)
    expect(sent(mixed.transport)).toEqual(['pending', 'pending'])

    const typed = openSession([LANGUAGE, LICENCE])
    typed.session.setFreeText('q1', 'Zig')
    typed.clock.advance(300)
    await succeed(typed.transport, 0)
    typed.session.select('q2', 'MIT')
    typed.clock.advance(2500)
    expect(sent(typed.transport)).toEqual(['pending', 'pending'])
  })

  it('ignores questions that were never asked', () => {
    const { session, transport } = openSession([LANGUAGE])
    session.select('Which weather?', 'Sunny')
    session.setFreeText('__proto__', 'x')
    expect(transport.requests).toEqual([])
  })

  it('shows an answer API that knows only answers no complete draft, which it would take for a submission', () => {
    const { session, transport } = openSession([LANGUAGE])
    session.select('q1', 'Python', { autoSubmit: false })
    expect(transport.requests[0]?.submission).toMatchObject({
      answers: {},
      responses: { q1: { selected: ['Python'] } },
      status: 'pending',
    })
  })
})

describe('sending', () => {
  it('keeps one request in flight; the latest of what was entered meanwhile follows as one more', async () => {
    const { session, transport } = openSession([FEATURES, LANGUAGE])
    session.select('q1', 'Tests')
    session.select('q1', 'README, with usage')
    session.select('q2', 'TypeScript')
    session.select('q2', 'Python')
    expect(transport.requests).toHaveLength(1)
    expect(session.getSnapshot().status).toBe('saving')
    await succeed(transport, 0)

    expect(transport.requests).toHaveLength(2)
    expect(transport.requests[1]?.submission.responses).toEqual({
      q1: { selected: ['Tests', 'README, with usage'], source: 'human' },
      q2: { selected: ['Python'], source: 'human' },
    })
    await succeed(transport, 1)
    expect(session.getSnapshot().status).toBe('waiting')
  })

  it('waits for a pause in typing, then saves once', async () => {
    const { session, transport, clock } = openSession([NAME])
    session.setFreeText('q1', 'a')
    clock.advance(200)
    session.setFreeText('q1', 'ab')
    clock.advance(200)
    expect(transport.requests).toEqual([])
    clock.advance(100)
    expect(transport.requests).toHaveLength(1)
    expect(transport.requests[0]?.submission.responses).toMatchObject({ q1: { freeText: 'ab' } })
    expect(clock.pending()).toBe(0)
  })

  it('tells what was stored, and nothing of what was not', async () => {
    const onAnswer = vi.fn()
    const { session, transport } = openSession([LANGUAGE, LICENCE], { onAnswer })
    session.select('q1', 'Python')
    await failWith(transport, 0, new AskError('UNREACHABLE', 'offline'))
    expect(onAnswer).not.toHaveBeenCalled()
    session.retry()
    await succeed(transport, 1)
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ status: 'pending', answers: { 'Which language?': 'Python' } }),
    )
  })

  it('tells of a complete draft with the texts that an older host must not see', async () => {
    const onAnswer = vi.fn()
    const { session, transport } = openSession([LANGUAGE], { onAnswer, autoSubmit: false })
    session.select('q1', 'Python')
    expect(transport.requests[0]?.submission.answers).toEqual({})
    await succeed(transport, 0)
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ status: 'pending', answers: { 'Which language?': 'Python' } }),
    )
  })

  it('submits typed text at once, without waiting for the pause to end', async () => {
    const { session, transport, clock } = openSession([NAME])
    session.setFreeText('q1', 'kite')
    session.submit()
    expect(sent(transport)).toEqual(['completed'])
    expect(clock.pending()).toBe(0)
  })

  it('ignores entries while the answer is on its way and after', async () => {
    const { session, transport } = openSession([LANGUAGE], { autoSubmit: 'immediately' })
    session.select('q1', 'Python')
    session.select('q1', 'TypeScript')
    await succeed(transport, 0)
    session.select('q1', 'TypeScript')
    session.decline()
    session.submit()
    expect(sent(transport)).toEqual(['completed'])
    expect(session.getSnapshot().responses).toMatchObject({ q1: { selected: ['Python'] } })
  })
})

describe('submitting', () => {
  it('holds an incomplete answer back, says what is missing, and nothing counts as failed', async () => {
    const { session, transport } = openSession([LANGUAGE, FEATURES])
    session.submit()
    expect(transport.requests).toEqual([])
    expect(session.getSnapshot()).toMatchObject({ status: 'waiting', error: { code: 'INVALID_ANSWERS' } })
    expect(session.getSnapshot().error?.faults.map(({ path }) => path)).toEqual([
      'responses.q1',
      'responses.q2',
    ])

    session.retry()
    expect(transport.requests).toEqual([])
    session.select('q2', 'Tests')
    expect(session.getSnapshot().error).toBeNull()
  })

  it('keeps saying what is missing when text typed before is saved', async () => {
    const { session, transport } = openSession([LANGUAGE, NAME])
    session.setFreeText('q2', 'kite')
    session.submit()
    expect(sent(transport)).toEqual(['pending'])
    await succeed(transport, 0)
    expect(session.getSnapshot()).toMatchObject({ status: 'waiting', error: { code: 'INVALID_ANSWERS' } })
  })

  it('skips what is missing when a partial answer is meant', () => {
    const { session, transport } = openSession([LANGUAGE, NAME])
    session.select('q1', 'Python', { autoSubmit: false })
    session.submit({ partial: true })
    transport.requests[0]?.resolve()
    return vi.waitFor(() =>
      expect(transport.requests[1]?.submission).toMatchObject({
        status: 'completed',
        responses: { q1: { selected: ['Python'] }, q2: { skipped: true } },
      }),
    )
  })

  it('skips no optional question: an answer without it is a whole one', () => {
    const { session, transport } = openSession([NAME, { question: 'Anything else?', required: false }])
    session.setFreeText('q1', 'kite')
    session.submit({ partial: true })
    expect(transport.requests[0]?.submission).toMatchObject({
      status: 'completed',
      responses: { q1: { freeText: 'kite' } },
    })
    expect(transport.requests[0]?.submission.responses).not.toHaveProperty('q2')
  })

  it('declines with a reason, and with nothing of what was entered', async () => {
    const { session, transport } = openSession([LANGUAGE, NAME])
    session.select('q1', 'Python')
    await succeed(transport, 0)
    session.decline('Not now')
    expect(transport.requests[1]?.submission).toMatchObject({
      status: 'declined',
      answers: {},
      responses: {},
      reason: 'Not now',
    })
    await succeed(transport, 1)
    expect(session.getSnapshot()).toMatchObject({ status: 'sent', declined: true, responses: {} })
  })
})

describe('listeners', () => {
  it('hear of every change until they leave', () => {
    const { session } = openSession([FEATURES])
    const listener = vi.fn()
    const leave = session.subscribe(listener)
    session.select('q1', 'Tests')
    expect(listener).toHaveBeenCalled()
    listener.mockClear()
    leave()
    session.select('q1', 'README, with usage')
    expect(listener).not.toHaveBeenCalled()
  })
})
