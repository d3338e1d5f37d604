import { describe, expect, it } from 'vitest'
import { AskError } from '../../src/internal.ts'
import {
  FEATURES,
  failWith,
  LANGUAGE,
  NAME,
  openSession,
  sent,
  succeed,
  viewOfPart,
} from './session-fixture.ts'

const AT_ONCE = { autoSubmit: 'immediately' } as const

describe('a failed request', () => {
  it('shows the error, keeps the entries and sends them again on retry', async () => {
    const { session, transport } = openSession([LANGUAGE])
    const error = new AskError('FORBIDDEN', 'Not yours')
    session.select('q1', 'Python', AT_ONCE)
    await failWith(transport, 0, error)
    expect(session.getSnapshot()).toMatchObject({
      status: 'failed',
      error,
      isEditable: true,
      responses: { q1: { selected: ['Python'] } },
    })

    session.retry()
    expect(session.getSnapshot()).toMatchObject({ status: 'sending', error: null })
    await succeed(transport, 1)
    expect(sent(transport)).toEqual(['completed', 'completed'])
    expect(session.getSnapshot().status).toBe('sent')
  })

  it('tells a draft that is not saved from an answer that is not sent', async () => {
    const { session, transport } = openSession([FEATURES])
    const offline = new AskError('UNREACHABLE', 'offline')
    session.select('q1', 'Tests')
    await failWith(transport, 0, offline)
    expect(session.getSnapshot()).toMatchObject({ status: 'failed', unsaved: true })
    session.submit()
    expect(session.getSnapshot()).toMatchObject({ status: 'sending', unsaved: false })
    await failWith(transport, 1, new AskError('FORBIDDEN', 'Not yours'))
    expect(session.getSnapshot()).toMatchObject({ status: 'failed', unsaved: false })
  })

  it('calls whatever else a transport throws unreachable', async () => {
    const { session, transport } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    await failWith(transport, 0, new TypeError('boom'))
    expect(session.getSnapshot().error).toMatchObject({ code: 'UNREACHABLE' })
  })

  it('sends an answer submitted while a draft was failing', async () => {
    const { session, transport } = openSession([FEATURES])
    session.select('q1', 'Tests')
    session.submit()
    await failWith(transport, 0, new AskError('UNREACHABLE', 'offline'))
    expect(sent(transport)).toEqual(['pending', 'completed'])
    expect(session.getSnapshot()).toMatchObject({ status: 'sending', error: null })
    await succeed(transport, 1)
    expect(session.getSnapshot()).toMatchObject({ status: 'sent', error: null })
  })

  it('does not fall back to a draft when the newest entries failed', async () => {
    const { session, transport } = openSession([FEATURES])
    session.select('q1', 'Tests')
    session.select('q1', 'README, with usage')
    await failWith(transport, 0, new AskError('UNREACHABLE', 'offline'))
    expect(transport.requests).toHaveLength(1)
    expect(session.getSnapshot().status).toBe('failed')
    session.retry()
    expect(transport.requests[1]?.submission.responses).toMatchObject({
      q1: { selected: ['Tests', 'README, with usage'] },
    })
  })

  it('saves a draft by itself once the host is there again', async () => {
    const { session, part, transport, clock } = openSession([NAME])
    const stop = session.start()
    session.setFreeText('q1', 'kit')
    clock.advance(300)
    await failWith(transport, 0, new AskError('UNREACHABLE', 'offline'))
    transport.show(viewOfPart(part))
    clock.advance(1000)
    expect(session.getSnapshot()).toMatchObject({ status: 'failed', unsaved: true })
    await succeed(transport, 1)
    expect(sent(transport)).toEqual(['pending', 'pending'])
    expect(session.getSnapshot()).toMatchObject({ status: 'waiting', error: null })
    stop()
    expect(clock.pending()).toBe(0)
  })

  it('is not sent once more by a retry while it is on its way again', async () => {
    const { session, transport, clock } = openSession([NAME], { random: () => 1 })
    const stop = session.start()
    session.setFreeText('q1', 'kite')
    clock.advance(300)
    await failWith(transport, 0, new AskError('UNREACHABLE', 'offline'))
    clock.advance(1000)
    session.retry()
    expect(session.getSnapshot().error).toBeNull()
    await succeed(transport, 1)
    expect(sent(transport)).toEqual(['pending', 'pending'])
    stop()
  })

  it('cannot be sent again where another answer counts', async () => {
    const { session, part, transport } = openSession([LANGUAGE])
    session.select('q1', 'Python', AT_ONCE)
    const question = viewOfPart(part, { state: 'sent', revision: 3, byOther: true })
    await failWith(transport, 0, new AskError('CONFLICT', 'Answered already', { facts: { question } }))
    const before = session.getSnapshot()
    expect(before.error).not.toBeNull()
    session.retry()
    expect(session.getSnapshot()).toBe(before)
    expect(transport.requests).toHaveLength(1)
  })

  it('forgets the failure when text typed meanwhile is saved', async () => {
    const { session, transport, clock } = openSession([NAME])
    session.setFreeText('q1', 'k')
    clock.advance(300)
    session.setFreeText('q1', 'ki')
    await failWith(transport, 0, new AskError('UNREACHABLE', 'offline'))
    clock.advance(300)
    await succeed(transport, 1)
    expect(session.getSnapshot()).toMatchObject({ status: 'waiting', error: null })
  })

  it('tells who was faster', async () => {
    const { session, part, transport } = openSession([LANGUAGE])
    const question = viewOfPart(part, {
      state: 'sent',
      revision: 3,
      answeredBy: 'ada',
      responses: { q1: { selected: ['TypeScript'], source: 'human' } },
    })
    session.select('q1', 'Python', AT_ONCE)
    await failWith(transport, 0, new AskError('CONFLICT', 'Answered already', { facts: { question } }))
    expect(session.getSnapshot()).toMatchObject({
      status: 'superseded',
      answeredBy: 'ada',
      isEditable: false,
      responses: { q1: { selected: ['TypeScript'] } },
    })
    session.retry()
    expect(transport.requests).toHaveLength(1)
  })

  it('says that another tab of the same person was faster, with what counts', async () => {
    const { session, part, transport } = openSession([LANGUAGE])
    session.start()
    session.select('q1', 'Python', AT_ONCE)
    const question = viewOfPart(part, {
      state: 'sent',
      revision: 3,
      byOther: false,
      responses: { q1: { selected: ['TypeScript'], source: 'human' } },
    })
    transport.show(question)
    expect(session.getSnapshot().status).toBe('sending')
    await failWith(transport, 0, new AskError('CONFLICT', 'Answered already', { facts: { question } }))
    expect(session.getSnapshot()).toMatchObject({
      status: 'superseded',
      responses: { q1: { selected: ['TypeScript'] } },
      entered: { q1: { selected: ['Python'] } },
    })
  })

  it('takes its own answer, stored by a request whose reply was lost, for sent', async () => {
    const { session, part, transport } = openSession([LANGUAGE])
    session.select('q1', 'Python', AT_ONCE)
    const { entered: responses } = session.getSnapshot()
    const question = viewOfPart(part, { state: 'sent', revision: 3, byOther: false, responses })
    await failWith(transport, 0, new AskError('CONFLICT', 'Answered already', { facts: { question } }))
    expect(session.getSnapshot()).toMatchObject({ status: 'sent', error: null, responses })
  })

  it('takes an answer of somebody else for none of its own', async () => {
    const { session, part, transport } = openSession([LANGUAGE])
    session.decline()
    await failWith(transport, 0, new AskError('UNREACHABLE', 'the reply broke off'))
    session.retry()
    const question = viewOfPart(part, { state: 'sent', revision: 1, byOther: true, declined: true })
    await failWith(transport, 1, new AskError('CONFLICT', 'Answered already', { facts: { question } }))
    expect(session.getSnapshot().status).toBe('superseded')
  })

  it('is expired when the host says that it came too late', async () => {
    const { session, transport } = openSession([LANGUAGE])
    session.select('q1', 'Python', AT_ONCE)
    await failWith(transport, 0, new AskError('GONE', 'Too late'))
    expect(session.getSnapshot()).toMatchObject({ status: 'expired', isEditable: false })
  })

  it('believes the runner when it took the answer after all', async () => {
    const { session, transport, part } = openSession([LANGUAGE])
    session.select('q1', 'Python', AT_ONCE)
    await failWith(transport, 0, new AskError('GONE', 'Too late'))
    session.setPart({
      ...part,
      state: 'output-available',
      output: { answers: { [LANGUAGE.question]: 'Python' } },
    })
    expect(session.getSnapshot().status).toBe('received')
  })
})
