import { describe, expect, it } from 'vitest'
import { AskError, type QuestionView } from '../../src/internal.ts'
import { failWith, LANGUAGE, openSession, viewOfPart } from './session-fixture.ts'

const picked = (...selected: string[]) => ({ selected, source: 'human' as const })
const rule = { roles: ['lead'], votes: 2 }
const vote = (name: string, label: string, revision: number, isOwn?: true) => ({
  id: name,
  name,
  responses: { q1: picked(label) },
  revision,
  at: '2026-01-01T00:00:00Z',
  ...(isOwn && { isOwn }),
})
const mine = (label: string, revision: number): Partial<QuestionView> => ({
  votes: [vote('Ada', label, revision, true)],
  responses: { q1: picked(label) },
  revision,
})

function open() {
  const { session, part, transport, clock } = openSession([LANGUAGE], { autoSubmit: false })
  session.start()
  const show = (view: Partial<QuestionView>): void =>
    transport.show(viewOfPart(part, { rule, mayAnswer: true, ...view }))
  show({})
  const send = (label: string): void => {
    session.select('q1', label)
    session.submit()
  }
  /** Lets the host take the last request as a vote. */
  const voted = async (revision: number): Promise<void> => {
    for (const { resolve } of transport.requests.slice(0, -1)) resolve()
    await Promise.resolve()
    transport.requests.at(-1)?.resolve({ revision, missingVotes: 1 })
    await expect.poll(() => session.getSnapshot().status).toBe('voted')
  }
  return { session, transport, clock, show, send, voted, status: () => session.getSnapshot().status }
}

describe('an answer that the host takes as a vote', () => {
  it('is stored, and sent again only after the person has changed it', async () => {
    const { session, transport, show, send, voted, status } = open()
    send('TypeScript')
    await expect.poll(() => transport.requests.length).toBeGreaterThan(0)
    transport.requests[0]?.resolve({ revision: 1 })
    await expect.poll(() => transport.requests.at(-1)?.submission.status).toBe('completed')
    await voted(2)
    expect(session.getSnapshot()).toMatchObject({
      isEditable: false,
      responses: { q1: picked('TypeScript') },
    })
    show(mine('TypeScript', 2))
    expect(status()).toBe('voted')
    session.select('q1', 'Python')
    expect(session.getSnapshot().entered).toMatchObject({ q1: picked('TypeScript') })
    session.undo()
    expect(session.getSnapshot()).toMatchObject({ status: 'waiting', isEditable: true })
    show(mine('TypeScript', 2))
    expect(status()).toBe('waiting')
  })

  it('is final for this person when somebody else has completed it, and superseded by another answer', async () => {
    for (const byOther of [false, true]) {
      const { show, status } = open()
      show(mine('TypeScript', 1))
      expect(status()).toBe('voted')
      show({
        state: 'sent',
        byOther,
        answeredBy: 'Ben',
        votes: [vote('Ada', 'A', 1, true), vote('Ben', 'A', 2)],
      })
      expect(status()).toBe(byOther ? 'superseded' : 'sent')
    }
  })

  it('is sent again if the reply was lost, although the host already shows the vote', async () => {
    const { transport, show, send, status, clock, session } = open()
    send('TypeScript')
    await expect.poll(() => transport.requests.length).toBe(1)
    transport.requests[0]?.resolve({ revision: 1 })
    await expect.poll(() => transport.requests.length).toBe(2)
    await failWith(transport, 1, new AskError('UNREACHABLE', 'The network is down'))
    await expect.poll(status).toBe('retrying')
    show(mine('TypeScript', 2))
    expect(status()).toBe('retrying')
    clock.advance(2_000)
    await expect.poll(() => transport.requests.length).toBe(3)
    transport.requests[2]?.resolve({ revision: 3, missingVotes: 1 })
    await expect.poll(status).toBe('voted')
    expect(session.getSnapshot().votes).toHaveLength(1)
  })
})

describe('the page of a person who may not answer', () => {
  it('takes no entries, and counts the votes without their people', () => {
    const { session, transport, show, status } = open()
    show({ mayAnswer: false, votes: [{ ...vote('', 'Python', 1), responses: {} }] })
    expect(status()).toBe('not-allowed')
    session.select('q1', 'Python')
    session.submit()
    session.decline()
    expect(transport.requests).toEqual([])
    expect(session.getSnapshot().votes).toHaveLength(1)
    expect(session.getSnapshot().others).toEqual([])
    show({ mayAnswer: true })
    expect(status()).toBe('waiting')
  })
})
