import { describe, expect, it } from 'vitest'
import { isExpiry } from '../../src/internal.ts'
import { LANGUAGE, NAME, openSession } from '../session/session-fixture.ts'

const over = { __bunny_agent_timeout__: 'Timed out' }

it('the marker of a time-out is known among answers, and nowhere else', () => {
  expect(isExpiry(over)).toBe(true)
  for (const answers of [{}, null, undefined, 'x', { Other: 'Timed out' }, Object.create(over)])
    expect(isExpiry(answers)).toBe(false)
})

describe('a page that shows the output of SandAgent’s successor', () => {
  const endedWith = (answers: object) => {
    const { session, part } = openSession([LANGUAGE, NAME])
    session.setPart({ ...part, state: 'output-available', output: { answers } })
    return session.getSnapshot()
  }

  it('shows a time-out as an expiry, and not as an answer', () => {
    expect(endedWith(over)).toMatchObject({ status: 'expired', outcome: 'timed-out', responses: {} })
  })

  it('shows what the agent got before the time was over', () => {
    expect(endedWith({ [LANGUAGE.question]: 'Python', ...over })).toMatchObject({
      status: 'received',
      outcome: 'partial',
      responses: { q1: { selected: ['Python'] } },
      unanswered: ['q2'],
    })
  })
})
