import { expect, it } from 'vitest'
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
