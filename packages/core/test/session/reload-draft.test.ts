import { describe, expect, it } from 'vitest'
import { AskError, type DraftKeeper, type Question, type QuestionView } from '../../src/internal.ts'
import { readKept } from '../../src/session/reload-draft.ts'
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

/** A page that may be reloaded: what it keeps is all that the next one has. */
function page(kept: { text?: string | undefined } = {}) {
  const drafts: DraftKeeper = {
    read: () => (kept.text === undefined ? undefined : JSON.parse(kept.text)),
    write: (draft) => {
      kept.text = draft ? JSON.stringify(draft) : undefined
    },
  }
  return {
    kept,
    open(...questions: Question[]) {
      const opened = openSession(questions, { drafts })
      return { ...opened, stop: opened.session.start() }
    },
  }
}

const typed = (freeText: string) => ({ q1: { selected: [], freeText, source: 'human' as const } })

describe('a reload', () => {
  it('finds what was typed last, and saves it once the host has said what it knows', async () => {
    const { open } = page()
    open(NAME).session.setFreeText('q1', 'kite')

    const { session, part, transport } = open(NAME)
    expect(session.getSnapshot()).toMatchObject({ status: 'waiting', responses: typed('kite') })
    expect(transport.requests).toEqual([])
    transport.show(viewOfPart(part))
    expect(transport.requests[0]?.submission).toMatchObject({ status: 'pending', responses: typed('kite') })
  })

  it('finds what the host has stored where the host does not tell', async () => {
    const { open } = page()
    const before = open(NAME)
    before.session.setFreeText('q1', 'kite')
    before.clock.advance(300)
    await succeed(before.transport, 0)

    const { session, part, transport } = open(NAME)
    expect(session.getSnapshot().responses).toEqual(typed('kite'))
    transport.show(viewOfPart(part, { revision: 1, responses: typed('kite') }))
    expect(transport.requests).toEqual([])
  })

  it('finds a submission that failed, for the person to send again', async () => {
    const { open } = page()
    const before = open(LANGUAGE)
    before.session.select('q1', 'Python')
    await failWith(before.transport, 0, new AskError('UNREACHABLE', 'offline'))

    const { session, part, transport } = open(LANGUAGE)
    transport.show(viewOfPart(part))
    expect(sent(transport)).toEqual(['pending'])
    expect(session.getSnapshot().responses).toMatchObject({ q1: { selected: ['Python'] } })
  })

  it('keeps the last words when the host has got only those before', async () => {
    const { open } = page()
    const before = open(NAME)
    before.session.setFreeText('q1', 'kit')
    before.clock.advance(300)
    before.session.setFreeText('q1', 'kite')

    const { session, part, transport } = open(NAME)
    transport.show(viewOfPart(part, { revision: 1, responses: typed('kit') }))
    expect(session.getSnapshot().responses).toEqual(typed('kite'))
    expect(transport.requests[0]?.submission.responses).toEqual(typed('kite'))
  })

  it('goes on from there: what is entered next is kept and sent with it', () => {
    const { open, kept } = page()
    open(FEATURES).session.select('q1', 'Tests')
    const { session, transport } = open(FEATURES)
    session.select('q1', 'README, with usage')
    expect(transport.requests[0]?.submission.responses).toMatchObject({
      q1: { selected: ['Tests', 'README, with usage'] },
    })
    expect(kept.text).toContain('README')
  })
})

describe('a draft that was kept', () => {
  const shown = (view: Partial<QuestionView>) => {
    const { open } = page()
    open(NAME).session.setFreeText('q1', 'old')
    const { session, part, transport } = open(NAME)
    transport.show(viewOfPart(part, view))
    return { ...session.getSnapshot(), requests: transport.requests }
  }

  it('gives way to a newer one of the host', () => {
    const { responses, requests } = shown({ revision: 1, responses: typed('new') })
    expect(responses).toEqual(typed('new'))
    expect(requests).toEqual([])
  })

  it('keeps beside it what it says of questions that nobody has answered since', () => {
    const { open } = page()
    open(FEATURES, NAME).session.setFreeText('q2', 'kite')
    const { session, part, transport } = open(FEATURES, NAME)
    const theirs = { q1: { selected: ['Tests'], source: 'human' as const } }
    transport.show(viewOfPart(part, { revision: 1, responses: theirs }))
    const both = { ...theirs, q2: typed('kite').q1 }
    expect(session.getSnapshot().responses).toEqual(both)
    expect(transport.requests[0]?.submission).toMatchObject({ status: 'pending', responses: both })
  })

  it('gives way to the answer', () => {
    expect(shown({ state: 'sent', revision: 1, responses: typed('new') })).toMatchObject({
      status: 'sent',
      responses: typed('new'),
      requests: [],
    })
  })

  it('counts for no other questions', () => {
    const { open } = page()
    open(NAME).session.setFreeText('q1', 'old')
    expect(open(LANGUAGE, NAME).session.getSnapshot().responses).toEqual({})
  })

  it('counts no more when the same is asked again under the same id', () => {
    const { open } = page()
    const before = open(NAME)
    before.transport.show(viewOfPart(before.part, { askedAt: '2026-01-01T00:00:00.000Z', revision: 3 }))
    before.session.setFreeText('q1', 'old')

    const { session, part, transport } = open(NAME)
    transport.show(viewOfPart(part, { askedAt: '2026-01-02T00:00:00.000Z' }))
    expect(session.getSnapshot().responses).toEqual({})
    expect(transport.requests).toEqual([])
    transport.show(
      viewOfPart(part, { askedAt: '2026-01-02T00:00:00.000Z', revision: 1, responses: typed('x') }),
    )
    expect(session.getSnapshot().responses).toEqual(typed('x'))
  })

  it('is read leniently, because anybody may have written it', () => {
    for (const text of ['7', '{}', '{"asked":1}', 'null']) {
      expect(page({ text }).open(NAME).session.getSnapshot().responses).toEqual({})
    }
    const { open, kept } = page()
    open(NAME).session.setFreeText('q1', 'old')
    kept.text = JSON.stringify({
      asked: JSON.parse(kept.text ?? '').asked,
      draft: { q1: 5, q2: typed('x').q1 },
    })
    expect(open(NAME).session.getSnapshot().responses).toEqual({ q2: typed('x').q1 })
  })

  it.each(['sent', 'declined', 'superseded'] as const)(
    'is forgotten once the question is %s',
    async (status) => {
      const { open, kept } = page()
      const { session, part, transport } = open(NAME)
      session.setFreeText('q1', 'kite')
      expect(kept.text).toContain('kite')
      if (status === 'superseded') {
        session.submit()
        await failWith(transport, 0, new AskError('CONFLICT', 'Somebody was faster'))
        expect(session.getSnapshot().entered).toEqual(typed('kite'))
      } else if (status === 'sent') {
        session.submit()
        await succeed(transport, 0)
      } else session.setPart({ ...part, state: 'output-denied' })
      expect(session.getSnapshot().status).toBe(status)
      expect(kept.text).toBeUndefined()
    },
  )

  it('is left to the session that comes next, also by a request that ends later', async () => {
    const { open, kept } = page()
    const before = open(NAME)
    before.session.setFreeText('q1', 'stale')
    before.stop()
    open(NAME).session.setFreeText('q1', 'fresh')
    await succeed(before.transport, 0)
    expect(kept.text).toContain('fresh')
    expect(kept.text).not.toContain('stale')
  })

  it('is not even written where a question has no entries and none come', () => {
    const { open, kept } = page()
    open(NAME)
    expect(kept.text).toBeUndefined()
  })
})

describe('a page that may be about to go', () => {
  it('saves what was just typed without waiting for a pause', () => {
    const { session, transport, clock } = openSession([NAME])
    session.save()
    expect(transport.requests).toEqual([])
    session.setFreeText('q1', 'kite')
    session.save()
    expect(sent(transport)).toEqual(['pending'])
    expect(clock.pending()).toBe(0)
  })
})

it.each([null, '2', [3], { toString: 1 }])(
  'a kept draft with the revision %j counts as the first',
  (revision) => {
    expect(readKept({ asked: 'a', draft: {}, revision }, 'a')).toMatchObject({ revision: 0 })
  },
)
