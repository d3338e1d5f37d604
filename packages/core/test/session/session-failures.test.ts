import { describe, expect, it } from 'vitest'
import { AskError, type QuestionView } from '../../src/internal.ts'
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

describe('a failed request', () => {
  it('shows the error, keeps the entries and sends them again on retry', async () => {
    const { session, transport } = openSession([LANGUAGE])
    const error = new AskError('FORBIDDEN', 'Not yours')
    session.select('q1', 'Python')
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
    await failWith(transport, 1, offline)
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

  it('saves a draft by itself once the host is there again, and leaves an answer to whoever sent it', async () => {
    const { session, part, transport, clock } = openSession([NAME])
    const stop = session.start()
    session.setFreeText('q1', 'kit')
    clock.advance(300)
    await failWith(transport, 0, new AskError('UNREACHABLE', 'offline'))
    transport.show(viewOfPart(part))
    await succeed(transport, 1)
    expect(session.getSnapshot()).toMatchObject({ status: 'waiting', error: null })
    session.submit()
    await failWith(transport, 2, new AskError('UNREACHABLE', 'offline'))
    transport.show(viewOfPart(part, { revision: 2 }))
    expect(sent(transport)).toEqual(['pending', 'pending', 'completed'])
    expect(session.getSnapshot().status).toBe('failed')
    stop()
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
    session.select('q1', 'Python')
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

  it('knows its own answer whose reply was lost, and tells what was changed since apart', async () => {
    const { session, part, transport } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    await failWith(transport, 0, new AskError('UNREACHABLE', 'the reply broke off'))
    session.select('q1', 'TypeScript')
    const responses = { q1: { selected: ['Python'], source: 'human' as const } }
    const question = viewOfPart(part, { state: 'sent', revision: 1, responses })
    await failWith(transport, 1, new AskError('CONFLICT', 'Answered already', { facts: { question } }))
    expect(session.getSnapshot()).toMatchObject({
      status: 'sent',
      error: null,
      responses,
      entered: { q1: { selected: ['TypeScript'] } },
    })
  })

  it('knows the answer that was sent before a reload, which overtook the draft that was saved after it', async () => {
    const { session, part, transport } = openSession([LANGUAGE])
    session.select('q1', 'Python', { autoSubmit: false })
    const responses = { q1: { selected: ['Python'], source: 'human' as const } }
    const question = viewOfPart(part, { state: 'sent', revision: 1, responses })
    await failWith(transport, 0, new AskError('CONFLICT', 'Answered already', { facts: { question } }))
    expect(transport.requests[0]?.submission.status).toBe('pending')
    expect(session.getSnapshot()).toMatchObject({ status: 'sent', error: null, responses })
  })

  it('knows its own refusal, too, and takes an answer of somebody else for none of its own', async () => {
    const { session, part, transport } = openSession([LANGUAGE])
    session.decline()
    await failWith(transport, 0, new AskError('UNREACHABLE', 'the reply broke off'))
    session.select('q1', 'Python')
    const conflictWith = (view: Partial<QuestionView>) => {
      const question = viewOfPart(part, { state: 'sent', revision: 1, ...view })
      return new AskError('CONFLICT', 'Answered already', { facts: { question } })
    }
    await failWith(transport, 1, conflictWith({ declined: true }))
    expect(session.getSnapshot()).toMatchObject({ status: 'sent', declined: true })

    const other = openSession([LANGUAGE])
    other.session.decline()
    await failWith(other.transport, 0, new AskError('UNREACHABLE', 'the reply broke off'))
    other.session.select('q1', 'Python')
    await failWith(
      other.transport,
      1,
      conflictWith({ responses: { q1: { selected: ['TypeScript'], source: 'human' } } }),
    )
    expect(other.session.getSnapshot().status).toBe('superseded')
  })

  it('is expired when the host says that it came too late', async () => {
    const { session, transport } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    await failWith(transport, 0, new AskError('GONE', 'Too late'))
    expect(session.getSnapshot()).toMatchObject({ status: 'expired', isEditable: false })
  })

  it('believes the runner when it took the answer after all', async () => {
    const { session, transport, part } = openSession([LANGUAGE])
    session.select('q1', 'Python')
    await failWith(transport, 0, new AskError('GONE', 'Too late'))
    session.setPart({
      ...part,
      state: 'output-available',
      output: { answers: { [LANGUAGE.question]: 'Python' } },
    })
    expect(session.getSnapshot().status).toBe('received')
  })
})
