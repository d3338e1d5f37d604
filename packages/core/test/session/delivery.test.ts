import { describe, expect, it, vi } from 'vitest'
import { AskError, type AskErrorCode, type DraftKeeper, type Question } from '../../src/internal.ts'
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

const offline = new AskError('UNREACHABLE', 'offline')

/** A page whose answer could not be sent once. */
async function failedPage(error: AskError = offline, options: Parameters<typeof openSession>[1] = {}) {
  const page = openSession([NAME], { random: () => 1, ...options })
  const stop = page.session.start()
  page.session.setFreeText('q1', 'kite')
  page.session.submit()
  await failWith(page.transport, 0, error)
  return { ...page, stop }
}

/** Tabs that are opened one after the other, as after a reload: each finds what the one before kept. */
function tab() {
  let kept: string | undefined
  const drafts: DraftKeeper = {
    read: () => (kept === undefined ? undefined : JSON.parse(kept)),
    write(draft) {
      kept = draft ? JSON.stringify(draft) : undefined
    },
  }
  return {
    kept: () => kept,
    open(question: Question) {
      const page = openSession([question], { drafts, random: () => 1 })
      return { ...page, stop: page.session.start() }
    },
  }
}

describe('a request', () => {
  it('says which question the person saw, and in which trace', async () => {
    const { session, part, transport } = openSession([NAME])
    session.start()
    const seen = { questionDigest: 'digest', askedAt: '2026-01-01T00:00:00.000Z', traceparent: 'trace' }
    transport.show(viewOfPart(part, seen))
    session.setFreeText('q1', 'kite')
    session.save()
    expect(transport.requests[0]?.submission).toMatchObject({ status: 'pending', ...seen })
    await succeed(transport, 0)
    session.submit()
    expect(transport.requests[1]?.submission).toMatchObject({ status: 'completed', ...seen })
  })

  it('that was stored makes older views no news', async () => {
    const { session, part, transport } = openSession([NAME])
    session.start()
    session.setFreeText('q1', 'kite')
    session.save()
    transport.requests[0]?.resolve({ revision: 7 })
    await expect.poll(() => session.getSnapshot().status).toBe('waiting')
    const older = { q1: { selected: [], freeText: 'older', source: 'human' as const } }
    transport.show(viewOfPart(part, { revision: 6, responses: older }))
    expect(session.getSnapshot().responses).toMatchObject({ q1: { freeText: 'kite' } })
    transport.show(viewOfPart(part, { revision: 8, responses: older }))
    expect(session.getSnapshot().responses).toMatchObject({ q1: { freeText: 'older' } })
  })

  it('that the host stored without a number leaves the last one', async () => {
    const { session, part, transport } = openSession([NAME])
    session.start()
    transport.show(viewOfPart(part, { revision: 3 }))
    session.setFreeText('q1', 'kite')
    session.save()
    transport.requests[0]?.resolve({})
    await expect.poll(() => session.getSnapshot().status).toBe('waiting')
    const older = { q1: { selected: [], freeText: 'older', source: 'human' as const } }
    transport.show(viewOfPart(part, { revision: 3, responses: older }))
    expect(session.getSnapshot().responses).toMatchObject({ q1: { freeText: 'kite' } })
  })

  it('that fails with no error of ours is one to try again, with its cause', async () => {
    const cause = new TypeError('network')
    const { session, transport } = openSession([NAME])
    session.start()
    session.setFreeText('q1', 'kite')
    session.submit()
    await failWith(transport, 0, cause)
    expect(session.getSnapshot()).toMatchObject({ status: 'retrying', error: { code: 'UNREACHABLE', cause } })
  })
})

describe('an answer that could not be sent', () => {
  it('is sent again by itself, after pauses that double, up to half a minute', async () => {
    const { session, transport, clock } = await failedPage()
    for (const [index, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      expect(session.getSnapshot()).toMatchObject({
        status: 'retrying',
        isEditable: false,
        retryAt: clock.now() + seconds * 1000,
        error: offline,
      })
      clock.advance(seconds * 1000 - 1)
      expect(transport.requests).toHaveLength(index + 1)
      clock.advance(1)
      expect(transport.requests).toHaveLength(index + 2)
      expect(session.getSnapshot()).toMatchObject({ status: 'retrying', retryAt: null })
      await failWith(transport, index + 1, offline)
    }
    clock.advance(30_000)
    await succeed(transport, 8)
    expect(session.getSnapshot()).toMatchObject({
      status: 'sent',
      error: null,
      responses: { q1: { freeText: 'kite' } },
    })
    expect(clock.pending()).toBe(0)
    expect(new Set(transport.requests.map(({ submission }) => JSON.stringify(submission))).size).toBe(1)
  })

  it('comes back at another time than other pages', async () => {
    const { session, clock } = await failedPage(offline, { random: () => 0 })
    expect(session.getSnapshot().retryAt).toBe(clock.now() + 500)
  })

  it.each<[string, (page: Awaited<ReturnType<typeof failedPage>>) => void]>([
    ['the network or the person is back', ({ session }) => session.hasten()],
    ['the host shows the question', ({ transport, part }) => transport.show(viewOfPart(part))],
  ])('is sent again when %s', async (_, act) => {
    const page = await failedPage()
    const { transport, clock } = page
    clock.advance(1000)
    await failWith(transport, 1, offline)
    clock.advance(1500)
    expect(transport.requests).toHaveLength(2)
    act(page)
    expect(transport.requests).toHaveLength(3)
  })

  it('is sent at most once a second by that', async () => {
    const { session, transport, clock } = await failedPage()
    clock.advance(1000)
    await failWith(transport, 1, offline)
    session.hasten()
    session.hasten()
    expect(transport.requests).toHaveLength(2)
    clock.advance(1000)
    expect(transport.requests).toHaveLength(3)
  })

  it('waits as long as the host wants, unless the person tries now', async () => {
    const { session, part, transport, clock } = await failedPage(
      new AskError('RATE_LIMITED', 'Too many', { facts: { status: 429, retryAfterMs: 60_000 } }),
    )
    expect(session.getSnapshot().retryAt).toBe(clock.now() + 60_000)
    clock.advance(30_000)
    session.hasten()
    transport.show(viewOfPart(part))
    clock.advance(29_999)
    expect(transport.requests).toHaveLength(1)
    session.retry()
    expect(transport.requests).toHaveLength(2)
    expect(session.getSnapshot().status).toBe('sending')
    await succeed(transport, 1)
    clock.advance(60_000)
    expect(transport.requests).toHaveLength(2)
  })

  it('becomes a draft when the person stops it', async () => {
    const { session, transport, clock } = await failedPage()
    session.undo()
    expect(session.getSnapshot()).toMatchObject({ isEditable: true, error: null, retryAt: null })
    expect(sent(transport)).toEqual(['completed', 'pending'])
    await succeed(transport, 1)
    clock.advance(60_000)
    session.hasten()
    expect(transport.requests).toHaveLength(2)
    expect(session.getSnapshot()).toMatchObject({
      status: 'waiting',
      responses: { q1: { freeText: 'kite' } },
    })
  })

  it('counts if it was on its way when the person stopped it', async () => {
    const { session, transport, clock } = await failedPage()
    clock.advance(1000)
    session.undo()
    session.setFreeText('q1', 'glider')
    await succeed(transport, 1)
    expect(session.getSnapshot()).toMatchObject({ status: 'sent', isEditable: false })
    clock.advance(300)
    expect(sent(transport)).toEqual(['completed', 'completed'])
  })

  it('is nobody else’s if its reply was lost and the person stopped it', async () => {
    const { session, part, transport } = await failedPage()
    session.undo()
    const responses = session.getSnapshot().entered
    const question = viewOfPart(part, { state: 'sent', revision: 1, byOther: false, responses })
    await failWith(transport, 1, new AskError('CONFLICT', 'Answered already', { facts: { question } }))
    expect(session.getSnapshot()).toMatchObject({ status: 'sent', error: null, responses })
  })

  it.each<[AskErrorCode, number | undefined, boolean]>([
    ['UNREACHABLE', undefined, true],
    ['UNREACHABLE', 408, true],
    ['UNREACHABLE', 500, true],
    ['UNREACHABLE', 503, true],
    ['RATE_LIMITED', 429, true],
    ['UNREACHABLE', 405, false],
    ['INVALID_ANSWERS', 400, false],
    ['FORBIDDEN', 403, false],
    ['LINK_EXPIRED', 401, false],
    ['NOT_FOUND', 404, false],
    ['CHANGED', 409, false],
    ['TOO_LARGE', 413, false],
    ['CANNOT_DECLINE', undefined, false],
  ])('for %s with status %s is sent again: %s', async (code, status, isAgain) => {
    const { session, transport, clock } = await failedPage(new AskError(code, 'No', { facts: { status } }))
    expect(session.getSnapshot()).toMatchObject({
      status: isAgain ? 'retrying' : 'failed',
      isEditable: !isAgain,
      unsaved: false,
      error: { code },
    })
    clock.advance(60_000)
    expect(transport.requests).toHaveLength(isAgain ? 2 : 1)
    if (isAgain) return
    session.retry()
    expect(sent(transport)).toEqual(['completed', 'completed'])
  })

  it('waits for the person to sign in, and is sent when the host shows them the question', async () => {
    const { session, part, transport, clock } = await failedPage(new AskError('UNAUTHENTICATED', 'Sign in'))
    expect(session.getSnapshot()).toMatchObject({ status: 'retrying', unauthorized: true, retryAt: null })
    clock.advance(600_000)
    session.hasten()
    expect(transport.requests).toHaveLength(1)
    transport.show(viewOfPart(part))
    expect(sent(transport)).toEqual(['completed', 'completed'])
  })

  it.each<['submit' | 'decline', string]>([
    ['submit', 'completed'],
    ['decline', 'declined'],
  ])('is sent again as it was, after %s, when the person submits once more', async (means, status) => {
    const { session, transport } = openSession([NAME])
    session.start()
    session.setFreeText('q1', 'kite')
    session[means]()
    await failWith(transport, 0, new AskError('UNAUTHENTICATED', 'Sign in'))
    session.submit()
    expect(session.getSnapshot()).toMatchObject({ status: 'sending', error: null })
    session.submit()
    expect(sent(transport)).toEqual([status, status])
    await succeed(transport, 1)
    session.submit()
    expect(transport.requests).toHaveLength(2)
  })

  it('says what somebody else answered meanwhile', async () => {
    const { session, part, transport, clock } = await failedPage()
    const question = viewOfPart(part, { state: 'answered', revision: 1, answeredBy: 'ada', byOther: true })
    clock.advance(1000)
    transport.show(question)
    expect(session.getSnapshot()).toMatchObject({ status: 'superseded', answeredBy: 'ada' })
    await failWith(transport, 1, new AskError('CONFLICT', 'Answered already', { facts: { question } }))
    expect(session.getSnapshot()).toMatchObject({ status: 'superseded', answeredBy: 'ada' })
    expect(clock.pending()).toBe(0)
  })

  it('is shown as sent when the host shows it, while its reply is still missing', async () => {
    const { session, part, transport, clock } = await failedPage()
    clock.advance(1000)
    const responses = session.getSnapshot().entered
    transport.show(viewOfPart(part, { state: 'sent', revision: 1, byOther: false, responses }))
    expect(session.getSnapshot()).toMatchObject({ status: 'sent', responses })
  })

  it('calls the page back once, when it is stored', async () => {
    const onAnswer = vi.fn()
    const { transport, clock } = await failedPage(offline, { onAnswer })
    clock.advance(1000)
    expect(onAnswer).not.toHaveBeenCalled()
    await succeed(transport, 1)
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status: 'completed' }))
  })

  it('leaves no timer when the form is taken off the page', async () => {
    const { session, transport, clock, stop } = await failedPage()
    clock.advance(1000)
    stop()
    await failWith(transport, 1, offline)
    expect(clock.pending()).toBe(0)
    session.start()
    expect(transport.requests).toHaveLength(3)
  })

  it('is all that counts once it is stored, also if a draft before it fails later', async () => {
    const { session, transport, clock } = openSession([FEATURES])
    session.select('q1', 'Tests')
    session.submit()
    session.leave()
    expect(sent(transport)).toEqual(['pending', 'completed'])
    await succeed(transport, 1)
    await failWith(transport, 0, offline)
    expect(session.getSnapshot()).toMatchObject({ status: 'sent', error: null })
    clock.advance(60_000)
    expect(sent(transport)).toEqual(['pending', 'completed'])
  })

  it('waits for no pause of its draft', async () => {
    const { session, transport, clock } = openSession([FEATURES])
    session.select('q1', 'Tests')
    await failWith(transport, 0, new AskError('RATE_LIMITED', 'Too many', { facts: { retryAfterMs: 5000 } }))
    session.select('q1', 'README, with usage')
    expect(transport.requests).toHaveLength(1)
    expect(session.getSnapshot()).toMatchObject({ status: 'failed', unsaved: true })
    clock.advance(4999)
    expect(transport.requests).toHaveLength(1)
    session.submit()
    expect(sent(transport)).toEqual(['pending', 'completed'])
  })
})

describe('after a reload', () => {
  it('an answer is sent again, the same, whether or not the host has it', async () => {
    const { open, kept } = tab()
    const before = open(LANGUAGE)
    before.session.select('q1', 'Python', { autoSubmit: 'immediately' })

    const { session, part, transport } = open(LANGUAGE)
    expect(session.getSnapshot()).toMatchObject({ status: 'sending', isEditable: false })
    expect(transport.requests[0]?.submission).toEqual(before.transport.requests[0]?.submission)
    transport.show(viewOfPart(part))
    expect(transport.requests).toHaveLength(1)
    await succeed(transport, 0)
    expect(session.getSnapshot()).toMatchObject({
      status: 'sent',
      responses: { q1: { selected: ['Python'] } },
    })
    expect(kept()).toBeUndefined()
  })

  it('a refusal is sent again with its reason', async () => {
    const { open } = tab()
    const before = open(LANGUAGE)
    before.session.decline('Not now')
    await failWith(before.transport, 0, offline)
    before.stop()

    const { session, transport } = open(LANGUAGE)
    expect(transport.requests[0]?.submission).toMatchObject({ status: 'declined', reason: 'Not now' })
    await failWith(transport, 0, offline)
    expect(session.getSnapshot().status).toBe('retrying')
    session.undo()
    expect(session.getSnapshot().isEditable).toBe(true)
  })

  it('an answer that the person stopped is a draft', async () => {
    const { open } = tab()
    const before = open(LANGUAGE)
    before.session.select('q1', 'Python', { autoSubmit: 'immediately' })
    await failWith(before.transport, 0, offline)
    before.session.undo()

    const { session, part, transport } = open(LANGUAGE)
    expect(transport.requests).toEqual([])
    transport.show(viewOfPart(part))
    expect(sent(transport)).toEqual(['pending'])
    expect(session.getSnapshot().responses).toMatchObject({ q1: { selected: ['Python'] } })
  })

  it('an answer that still counted down is a draft', () => {
    const { open } = tab()
    open(LANGUAGE).session.select('q1', 'Python')
    const { session, transport, clock } = open(LANGUAGE)
    clock.advance(10_000)
    expect(session.getSnapshot().sendsAt).toBeNull()
    expect(transport.requests).toEqual([])
  })

  it('an answer counts only for the question that was asked then', async () => {
    const { open } = tab()
    const before = open(LANGUAGE)
    before.transport.show(
      viewOfPart(before.part, { askedAt: '2026-01-01T00:00:00.000Z', questionDigest: 'one' }),
    )
    before.session.select('q1', 'Python', { autoSubmit: 'immediately' })

    const { session, part, transport } = open(LANGUAGE)
    expect(transport.requests[0]?.submission).toMatchObject({
      askedAt: '2026-01-01T00:00:00.000Z',
      questionDigest: 'one',
    })
    const question = viewOfPart(part, { askedAt: '2026-01-02T00:00:00.000Z', questionDigest: 'one' })
    transport.show(question)
    await failWith(transport, 0, new AskError('CHANGED', 'Asked again', { facts: { question } }))
    expect(session.getSnapshot()).toMatchObject({ status: 'waiting', responses: {} })
    expect(transport.requests).toHaveLength(1)
  })

  it('nothing is sent for a person whom the host does not know', async () => {
    const { open, kept } = tab()
    open(LANGUAGE).session.select('q1', 'Python', { autoSubmit: 'immediately' })
    const { session, transport, clock } = open(LANGUAGE)
    await failWith(transport, 0, new AskError('UNAUTHENTICATED', 'Sign in'))
    expect(session.getSnapshot()).toMatchObject({ status: 'waiting', responses: {} })
    expect(kept()).toBeUndefined()
    clock.advance(60_000)
    expect(transport.requests).toHaveLength(1)
  })
})
