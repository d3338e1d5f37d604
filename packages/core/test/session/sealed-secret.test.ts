import { describe, expect, it } from 'vitest'
import { openSession, sent, viewOfPart } from './session-fixture.ts'

it('a sealed secret is entered beside a note, and submitted', () => {
  const { session, transport, part } = openSession([{ question: 'The token?', secret: true }])
  session.start()
  transport.show(viewOfPart(part))
  session.setFreeText('q1', 'typed as if it were a plain question')
  session.enter('q1', { sealed: 'AAAA' })
  session.setNotes('q1', 'a new one')
  session.submit()
  expect(sent(transport)).toEqual(['completed'])
  expect(transport.requests.at(-1)?.submission).toMatchObject({
    responses: { q1: { selected: [], sealed: 'AAAA', notes: 'a new one' } },
    answers: {},
  })
})

it('a secret that was taken back is missing again', () => {
  const { session, transport, part } = openSession([{ question: 'The token?', secret: true }])
  session.start()
  transport.show(viewOfPart(part))
  session.enter('q1', { sealed: 'AAAA' })
  expect(session.getSnapshot().states.q1).toBe('answered')
  session.enter('q1', { sealed: undefined })
  expect(session.getSnapshot().states.q1).toBe('empty')
})

describe('while a secret is typed', () => {
  const QUESTIONS = [{ question: 'The token?', secret: true }, { question: 'For which registry?' }]
  const opened = () => {
    const kept: unknown[] = []
    const drafts = { read: () => null, write: (draft: unknown) => void kept.push(draft) }
    const { session, transport, clock, part } = openSession(QUESTIONS, { drafts })
    session.start()
    transport.show(viewOfPart(part))
    return { session, transport, clock, part, kept }
  }

  it('no request leaves the page: not after a key, nor when it is left', async () => {
    const { session, transport, clock } = opened()
    for (let length = 1; length <= 7; length++) {
      session.enter('q1', { sealed: 'A'.repeat(length) })
      await clock.advance(400)
    }
    session.enter('q1', { sealed: undefined })
    session.leave()
    expect(transport.requests).toEqual([])
  })

  it('drafts of what is entered beside it are without it, and it stays for the answer', async () => {
    const { session, transport, clock, part, kept } = opened()
    session.enter('q1', { sealed: 'AAAA' })
    session.setNotes('q1', 'a new one')
    session.setFreeText('q2', 'npm')
    await clock.advance(300)
    session.enter('q1', { sealed: 'BBBB' })
    transport.requests[0]?.resolve({ revision: 1 })
    await clock.advance(5000)
    // Another tab of this person saves a draft.
    const responses = { q2: { selected: [], freeText: 'pypi', source: 'human' as const } }
    transport.show(viewOfPart(part, { revision: 2, responses }))
    await clock.advance(5000)
    expect(sent(transport)).toEqual(['pending'])
    session.submit()
    expect(sent(transport)).toEqual(['pending', 'completed'])
    expect(JSON.stringify([kept, transport.requests[0]])).not.toMatch(/sealed|AAAA|BBBB/)
    expect(transport.requests[0]?.submission.responses).toMatchObject({
      q1: { selected: [], notes: 'a new one' },
      q2: { freeText: 'npm' },
    })
    expect(transport.requests[1]?.submission.responses).toMatchObject({ q1: { sealed: 'BBBB' } })
  })

  it('a decline leaves it out', () => {
    const { session, transport } = opened()
    session.enter('q1', { sealed: 'AAAA' })
    session.decline('not today')
    expect(sent(transport)).toEqual(['declined'])
    expect(JSON.stringify(transport.requests)).not.toContain('AAAA')
  })
})
