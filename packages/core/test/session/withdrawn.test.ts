import { expect, it } from 'vitest'
import { AskError } from '../../src/internal.ts'
import { failWith, NAME, openSession, sent, viewOfPart } from './session-fixture.ts'

/** A page on which a person has typed. */
function typing() {
  const page = openSession([NAME])
  page.session.start()
  page.transport.show(viewOfPart(page.part, { blocking: false }))
  page.session.setFreeText('q1', 'kite')
  const withdrawn = viewOfPart(page.part, { blocking: false, state: 'aborted', revision: 0 })
  return { ...page, withdrawn }
}

it('a question that is withdrawn while a person types says so, and sends nothing more', () => {
  const { session, transport, clock, withdrawn } = typing()
  transport.show(withdrawn)
  expect(session.getSnapshot()).toMatchObject({
    status: 'expired',
    outcome: 'aborted',
    isEditable: false,
    entered: { q1: { freeText: 'kite' } },
  })
  clock.advance(60_000)
  session.submit()
  expect(sent(transport)).toEqual([])
})

it.each(['before', 'after'] as const)(
  'a question that is withdrawn says so to whom has sent an answer, when the page hears it %s the refusal',
  async (order) => {
    const { session, transport, clock, withdrawn } = typing()
    session.submit()
    expect(session.getSnapshot().status).toBe('sending')
    if (order === 'before') transport.show(withdrawn)
    const gone = new AskError('GONE', 'This question ended', { facts: { question: withdrawn } })
    await failWith(transport, 0, gone)
    if (order === 'after') transport.show(withdrawn)
    expect(session.getSnapshot()).toMatchObject({
      status: 'expired',
      outcome: 'aborted',
      entered: { q1: { freeText: 'kite' } },
    })
    clock.advance(60_000)
    expect(sent(transport)).toEqual(['completed'])
  },
)
