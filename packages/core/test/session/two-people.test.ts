import { describe, expect, it } from 'vitest'
import { AskError, type QuestionView } from '../../src/internal.ts'
import { FEATURES, failWith, LANGUAGE, NAME, openSession, succeed, viewOfPart } from './session-fixture.ts'

const picked = (...selected: string[]) => ({ selected, source: 'human' as const })
const QUESTIONS = [LANGUAGE, FEATURES, NAME]

/** Ada's draft, as Ben's page sees it. */
const adas = (responses: QuestionView['responses'], revision = 1): Partial<QuestionView> => ({
  otherDrafts: [{ id: 'ada', name: 'Ada', revision, at: '2026-01-01T00:00:00Z', responses }],
})

function open() {
  const { session, part, transport, clock } = openSession(QUESTIONS, { autoSubmit: false })
  session.start()
  const show = (view: Partial<QuestionView>): void => transport.show(viewOfPart(part, view))
  show({})
  return { session, transport, clock, show }
}

describe('the draft of somebody else', () => {
  it('is shown beside the own entries, and changes none of them', async () => {
    const { session, transport, show } = open()
    session.select('q1', 'Python')
    await succeed(transport, 0)
    show({
      revision: 1,
      responses: { q1: picked('Python') },
      ...adas({ q1: picked('TypeScript'), q2: picked('Tests') }, 2),
    })
    const { responses, entered, others, status } = session.getSnapshot()
    expect(responses).toEqual({ q1: picked('Python') })
    expect(entered).toEqual(responses)
    expect(others).toMatchObject([
      { name: 'Ada', isHere: false, responses: { q1: picked('TypeScript'), q2: picked('Tests') } },
    ])
    expect(status).toBe('waiting')
    expect(transport.requests).toHaveLength(1)
  })

  it('is not in the answer', () => {
    const { session, transport, show } = open()
    show(adas({ q1: picked('TypeScript'), q2: picked('Tests') }))
    session.setFreeText('q3', 'hello')
    session.submit({ partial: true })
    expect(transport.requests.at(-1)?.submission.responses).toMatchObject({
      q1: { skipped: true },
      q2: { skipped: true },
      q3: { freeText: 'hello' },
    })
  })

  it('is taken over by one click, stays a draft, and is the own one from then on', async () => {
    const { session, transport, show } = open()
    session.select('q1', 'Python')
    session.setFreeText('q3', 'mine')
    await succeed(transport, 0)
    show({ revision: 1, responses: { q1: picked('Python') }, ...adas({ q1: picked('TypeScript') }, 2) })
    session.takeOver('ada')
    expect(session.getSnapshot().entered).toMatchObject({
      q1: picked('TypeScript'),
      q3: { freeText: 'mine' },
    })
    expect(transport.requests.at(-1)?.submission.status).toBe('pending')
    show(adas({ q1: picked('Rust') }, 4))
    expect(session.getSnapshot().entered).toMatchObject({ q1: picked('TypeScript') })
  })

  it('is never sent by taking it over, even if it completes the answer', () => {
    const { session, part, transport } = openSession([LANGUAGE])
    session.start()
    transport.show(viewOfPart(part, adas({ q1: picked('TypeScript') })))
    session.takeOver('ada')
    expect(transport.requests.map(({ submission }) => submission.status)).toEqual(['pending'])
  })

  it('cannot be taken over by an unknown id, without entries, or after the end', () => {
    const { session, transport, show } = open()
    show(adas({ q1: picked() }))
    session.takeOver('ada')
    session.takeOver('nobody')
    expect(session.getSnapshot().others).toMatchObject([{ name: 'Ada', responses: {} }])
    show({ state: 'sent', byOther: true, answeredBy: 'Ada', responses: { q1: picked('Rust') } })
    session.takeOver('ada')
    expect(session.getSnapshot().others).toEqual([])
    expect(transport.requests).toEqual([])
  })

  it('is the page’s own if its number is that of the page’s last write', async () => {
    const { session, transport, show } = open()
    session.select('q1', 'Python')
    await succeed(transport, 0)
    show(adas({ q1: picked('Python') }, 1))
    expect(session.getSnapshot().others).toEqual([])
    expect(session.getSnapshot().entered).toEqual({ q1: picked('Python') })
  })

  it('stays beside what this person enters on another device', () => {
    const { session, show } = open()
    show({ revision: 3, responses: { q1: picked('Python') }, ...adas({ q1: picked('Rust') }, 2) })
    expect(session.getSnapshot().entered).toEqual({ q1: picked('Python') })
    expect(session.getSnapshot().others).toHaveLength(1)
  })
})

describe('the people who have a question open', () => {
  it('come with views, and change between views', () => {
    const { session, transport, show } = open()
    show({ people: [{ id: 'ada', name: 'Ada', isTyping: false }] })
    expect(session.getSnapshot().others).toEqual([
      { id: 'ada', name: 'Ada', isHere: true, isTyping: false, responses: {} },
    ])
    transport.meet([
      { id: 'ada', name: 'Ada', isTyping: true },
      { id: 'somebody', isTyping: false },
    ])
    expect(session.getSnapshot().others).toMatchObject([{ isTyping: true }, { id: 'somebody' }])
    show({})
    expect(session.getSnapshot().others).toEqual([])
  })

  it('are one with their draft', () => {
    const { session, show } = open()
    show({ ...adas({ q1: picked('Rust') }), people: [{ id: 'ada', name: 'Ada', isTyping: true }] })
    expect(session.getSnapshot().others).toEqual([
      { id: 'ada', name: 'Ada', isHere: true, isTyping: true, responses: { q1: picked('Rust') } },
    ])
  })
})

describe('somebody else’s answer', () => {
  const theirs: Partial<QuestionView> = {
    state: 'sent',
    byOther: true,
    answeredBy: 'Ada',
    answeredAt: '2026-01-01T10:42:00Z',
    responses: { q1: picked('TypeScript') },
    revision: 2,
  }

  it('is never shown as sent from here, nor as received', () => {
    const { session, show } = open()
    session.setFreeText('q3', 'my own words')
    show(theirs)
    expect(session.getSnapshot()).toMatchObject({
      status: 'superseded',
      answeredBy: 'Ada',
      responses: theirs.responses,
      entered: { q3: { freeText: 'my own words' } },
    })
    show({ ...theirs, state: 'answered' })
    expect(session.getSnapshot().status).toBe('superseded')
  })

  it('is shown to the person who sends later, and that person keeps their entries', async () => {
    const { session, part, transport } = openSession(QUESTIONS)
    session.start()
    session.setFreeText('q3', 'my own words')
    session.submit({ partial: true })
    const question = viewOfPart(part, theirs)
    await failWith(
      transport,
      0,
      new AskError('CONFLICT', 'Another answer came first', { facts: { question } }),
    )
    expect(session.getSnapshot()).toMatchObject({
      status: 'superseded',
      answeredBy: 'Ada',
      entered: { q3: { freeText: 'my own words' } },
    })
  })

  it('is somebody else’s also if it says the same', async () => {
    const { session, part, transport } = openSession([LANGUAGE], { autoSubmit: false })
    session.start()
    session.select('q1', 'TypeScript')
    await failWith(transport, 0, new AskError('UNREACHABLE', 'gone'))
    session.submit()
    await failWith(transport, 1, new AskError('UNREACHABLE', 'gone'))
    session.retry()
    const question = viewOfPart(part, theirs)
    await failWith(
      transport,
      2,
      new AskError('CONFLICT', 'Another answer came first', { facts: { question } }),
    )
    expect(session.getSnapshot().status).toBe('superseded')
  })

  it('is no reason to call a question superseded that nobody answered in time', () => {
    const { session, show } = open()
    show({ ...theirs, state: 'timed-out' })
    expect(session.getSnapshot().status).toBe('expired')
  })
})
