import { describe, expect, it } from 'vitest'
import { AskError, type Question } from '../../src/internal.ts'
import {
  FEATURES,
  failWith,
  LANGUAGE,
  LICENCE,
  NAME,
  openSession,
  sent,
  succeed,
  viewOfPart,
} from './session-fixture.ts'

const picked = (...selected: string[]) => ({ q1: { selected, source: 'human' as const } })

describe('a pick that completes the answer', () => {
  it('is saved as a draft, and sent after a pause', async () => {
    const { session, transport, clock } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    expect(session.getSnapshot()).toMatchObject({ sendsAt: clock.now() + 2500, isEditable: true })
    await succeed(transport, 0)
    expect(session.getSnapshot().sendsAt).toBe(clock.now() + 2500)
    clock.advance(2499)
    expect(sent(transport)).toEqual(['pending'])
    clock.advance(1)
    expect(sent(transport)).toEqual(['pending', 'completed'])
    expect(session.getSnapshot()).toMatchObject({ status: 'sending', sendsAt: null })
    await succeed(transport, 1)
    expect(session.getSnapshot()).toMatchObject({ status: 'sent', responses: picked('Python') })
    expect(clock.pending()).toBe(0)
  })

  it('is sent at once by `submit`, and only once', async () => {
    const { session, transport, clock } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    await succeed(transport, 0)
    session.submit()
    await succeed(transport, 1)
    clock.advance(2500)
    expect(sent(transport)).toEqual(['pending', 'completed'])
  })

  it('stays a draft when the person takes it back', async () => {
    const { session, transport, clock } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    session.undo()
    expect(session.getSnapshot()).toMatchObject({
      sendsAt: null,
      isEditable: true,
      responses: picked('Python'),
    })
    expect(clock.pending()).toBe(0)
    await succeed(transport, 0)
    expect(sent(transport)).toEqual(['pending'])
  })

  it('counts down from the start after another pick, also of the same option', async () => {
    const { session, transport, clock } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    await succeed(transport, 0)
    clock.advance(2000)
    session.select('q1', 'TypeScript')
    await succeed(transport, 1)
    clock.advance(2000)
    session.select('q1', 'TypeScript')
    await succeed(transport, 2)
    clock.advance(2499)
    expect(sent(transport)).toEqual(['pending', 'pending', 'pending'])
    clock.advance(1)
    expect(transport.requests[3]?.submission).toMatchObject({
      status: 'completed',
      responses: picked('TypeScript'),
    })
  })

  it.each<[string, (session: ReturnType<typeof openSession>['session']) => void]>([
    ['typing', (session) => session.setFreeText('q1', 'Zig')],
    ['a note', (session) => session.setNotes('q1', 'If it is fast')],
    ['a pick by arrow key', (session) => session.select('q1', 'TypeScript', { autoSubmit: false })],
    ['a skipped question', (session) => session.skip('q1')],
  ])('is not sent after %s', async (_, act) => {
    const { session, transport, clock } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    await succeed(transport, 0)
    act(session)
    expect(session.getSnapshot().sendsAt).toBeNull()
    clock.advance(3000)
    expect(sent(transport)).toEqual(['pending', 'pending'])
  })

  it('is sent as a refusal alone when the person declines meanwhile', async () => {
    const { session, transport, clock } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    await succeed(transport, 0)
    session.decline()
    await succeed(transport, 1)
    clock.advance(3000)
    expect(sent(transport)).toEqual(['pending', 'declined'])
  })

  it.each([{ state: 'sent' }, { state: 'timed-out' }, { state: 'aborted' }] as const)(
    'is not sent after the question is %o',
    async (ending) => {
      const { session, part, transport, clock } = openSession([LANGUAGE])
      const stop = session.start()
      session.select('q1', 'Python')
      await succeed(transport, 0)
      transport.show(viewOfPart(part, { ...ending, revision: 2 }))
      expect(session.getSnapshot().sendsAt).toBeNull()
      clock.advance(3000)
      stop()
      expect(sent(transport)).toEqual(['pending'])
    },
  )

  it('is not sent after the host says that its draft came too late', async () => {
    const { session, transport, clock } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    await failWith(transport, 0, new AskError('GONE', 'Too late'))
    clock.advance(3000)
    expect(sent(transport)).toEqual(['pending'])
    expect(session.getSnapshot().status).toBe('expired')
  })

  it('is not sent when other questions are shown by then', async () => {
    const { session, part, transport, clock } = openSession([LANGUAGE])
    session.start()
    session.select('q1', 'Python')
    await succeed(transport, 0)
    const questions = viewOfPart({ ...part, input: { questions: [LICENCE] } }).questions
    transport.show(viewOfPart(part, { questions, revision: 1, responses: picked('Python') }))
    expect(session.getSnapshot().sendsAt).toBeNull()
    clock.advance(3000)
    expect(sent(transport)).toEqual(['pending'])
  })

  it('is sent when the page is left, without waiting for the draft', () => {
    const { session, transport, clock } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    session.leave()
    expect(sent(transport)).toEqual(['pending', 'completed'])
    expect(clock.pending()).toBe(0)
  })

  it('is sent when the form is taken off the page', () => {
    const { session, transport, clock } = openSession([LANGUAGE])
    const stop = session.start()
    session.select('q1', 'Python')
    stop()
    expect(sent(transport)).toEqual(['pending', 'completed'])
    expect(clock.pending()).toBe(0)
  })
})

describe('a page that is left', () => {
  it('sends no draft that was not completed', () => {
    const { session, transport } = openSession([LANGUAGE, NAME])
    session.select('q1', 'Python')
    session.setFreeText('q2', 'kite')
    session.leave()
    expect(sent(transport)).toEqual(['pending'])
  })

  it('sends nothing that was taken back', () => {
    const { session, transport } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    session.undo()
    session.leave()
    expect(sent(transport)).toEqual(['pending'])
  })

  it('takes the late reply to its draft for no news', async () => {
    const { session, transport } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    session.leave()
    await failWith(transport, 0, new AskError('CONFLICT', 'The answer came first'))
    expect(session.getSnapshot()).toMatchObject({ status: 'sending', error: null })
    await succeed(transport, 1)
    expect(session.getSnapshot()).toMatchObject({ status: 'sent', error: null })
  })
})

describe('`when-complete`', () => {
  const open = (...questions: Question[]) => openSession(questions, { autoSubmit: 'when-complete' })

  it('sends a multiple choice once no click came for a while, and no complete draft before', async () => {
    const { session, transport, clock } = open(FEATURES)
    session.select('q1', 'Tests')
    clock.advance(2000)
    session.select('q1', 'README, with usage')
    clock.advance(2499)
    expect(sent(transport)).toEqual([])
    clock.advance(1)
    expect(sent(transport)).toEqual(['completed'])
    await succeed(transport, 0)
    expect(session.getSnapshot()).toMatchObject({
      status: 'sent',
      responses: picked('Tests', 'README, with usage'),
    })
    expect(clock.pending()).toBe(0)
  })

  it('sends what was typed where a question has no options', () => {
    const { session, transport, clock } = open(NAME)
    session.select('q1', 'Ada')
    clock.advance(2500)
    expect(sent(transport)).toEqual(['completed'])
  })

  it('saves a draft as long as a question has no answer, also one that lost its answer again', async () => {
    const { session, transport, clock } = open(LANGUAGE, FEATURES)
    session.select('q1', 'Python')
    await succeed(transport, 0)
    session.select('q2', 'Tests')
    session.select('q2', 'Tests')
    await succeed(transport, 1)
    clock.advance(10_000)
    expect(sent(transport)).toEqual(['pending', 'pending'])
  })

  it('sends at once when the page is left', () => {
    const { session, transport } = open(FEATURES)
    session.select('q1', 'Tests')
    session.leave()
    expect(sent(transport)).toEqual(['completed'])
  })
})
