import type { InboxQuestion } from '@sandagent/inbox'
import { describe, expect, it } from 'vitest'
import { checkRules } from '../../src/rules/check-rules.ts'
import type { NoticeRule, NoticeRules, QuestionFilter } from '../../src/rules/notice-rules.ts'
import { planOf } from '../../src/rules/plan.ts'
import { isQuiet } from '../../src/rules/quiet-hours.ts'

const asked: InboxQuestion = {
  sandboxId: '/srv/shop',
  sandboxName: '~/shop',
  question: {
    toolCallId: 'toolu_1',
    kind: 'approval',
    state: 'open',
    questions: [{ id: 'q1', question: 'Which one?' }],
    asker: { agent: 'code-reviewer' },
    responses: {},
    revision: 0,
    declined: false,
    deadline: null,
    remainingMs: null,
  },
}

describe('a plan', () => {
  const people = {
    Ada: { addresses: { mail: 'ada@example.com', desktop: true as const } },
    Ben: { addresses: { mail: { to: 'ben@example.com', showText: true } } },
  }
  const planned = (rules?: NoticeRule[]) =>
    planOf(asked, { people, rules }).map(
      ({ person, sink, afterMs }) => `${person.name} ${sink} ${afterMs / 60_000}`,
    )

  it('has everybody by every sink at once without rules', () => {
    expect(planned()).toEqual(['Ada mail 0', 'Ada desktop 0', 'Ben mail 0'])
    expect(planOf(asked, { people })).toMatchObject([
      { person: { name: 'Ada', address: 'ada@example.com' }, isTextAllowed: false },
      { person: { name: 'Ada' }, isTextAllowed: false },
      { person: { name: 'Ben', address: 'ben@example.com' }, isTextAllowed: true },
    ])
  })

  it('has the steps of the first rule that fits, each person once by each sink', () => {
    const rules = [
      { for: { kinds: ['question' as const] }, tell: [{}] },
      { tell: [{ afterMinutes: 5 }, { people: ['Ada'], by: ['desktop'] }] },
      { tell: [{}] },
    ]
    expect(planned(rules)).toEqual(['Ada desktop 0', 'Ada mail 5', 'Ben mail 5'])
  })

  it('is empty if no rule fits, or if the rule tells nobody', () => {
    expect(planned([])).toEqual([])
    expect(planned([{ for: { agents: ['writer'] }, tell: [{}] }])).toEqual([])
    expect(planned([{ tell: [] }, { tell: [{}] }])).toEqual([])
  })

  it.each<[QuestionFilter, boolean]>([
    [{}, true],
    [{ sandboxes: ['/srv/shop'] }, true],
    [{ sandboxes: ['~/*'] }, true],
    [{ sandboxes: ['~/sho'] }, false],
    [{ kinds: ['approval'] }, true],
    [{ kinds: ['question'] }, false],
    [{ agents: ['code-*'] }, true],
    [{ agents: ['writer'], kinds: ['approval'] }, false],
  ])('of the filter %j fits: %s', (filter, fits) => {
    expect(planned([{ for: filter, tell: [{ by: ['desktop'] }] }])).toHaveLength(fits ? 1 : 0)
  })
})

describe('quiet hours', () => {
  const berlin = { timeZone: 'Europe/Berlin' }

  it.each([
    ['22:00', '07:00', '2026-01-01T20:59:00Z', false],
    ['22:00', '07:00', '2026-01-01T21:00:00Z', true],
    ['22:00', '07:00', '2026-01-02T05:59:59Z', true],
    ['22:00', '07:00', '2026-01-02T06:00:00Z', false],
    ['12:00', '13:00', '2026-01-01T11:30:00Z', true],
    ['00:00', '06:00', '2025-12-31T23:00:00Z', true],
    // Summer time begins: 01:59 is followed by 03:00.
    ['22:00', '07:00', '2026-03-29T04:59:00Z', true],
    ['22:00', '07:00', '2026-03-29T05:00:00Z', false],
    ['01:00', '02:30', '2026-03-29T00:59:00Z', true],
    ['01:00', '02:30', '2026-03-29T01:00:00Z', false],
    // It ends: 02:00 to 03:00 comes twice.
    ['22:00', '07:00', '2026-10-25T05:59:00Z', true],
    ['22:00', '07:00', '2026-10-25T06:00:00Z', false],
  ])('from %s to %s in Berlin have %s: %s', (from, to, moment, quiet) => {
    expect(isQuiet({ from, to, ...berlin }, Date.parse(moment))).toBe(quiet)
  })
})

it.each<[object, string]>([
  [{ people: { Ada: {} } }, 'people.Ada.addresses: expected a value'],
  [{ people: { Ada: { addresses: { chat: 3 } } } }, 'people.Ada.addresses.chat: expected true, an address'],
  [{ rules: [{ tell: [{ afterMinutes: -1 }] }] }, 'rules.0.tell.0.afterMinutes: expected a number from 0'],
  [{ rules: [{ for: { kinds: ['wish'] }, tell: [] }] }, 'rules.0.for.kinds.0: expected question or approval'],
  [{ rules: [{ when: {}, tell: [] }] }, 'rules.0.when: expected no such key'],
  [quietFrom('25:00'), 'people.Ada.quietHours.from: expected a time such as 22:00'],
  [quietFrom('07:00'), 'people.Ada.quietHours: expected two different times'],
  [quietFrom('22:00', 'Berlin'), 'quietHours.timeZone: expected a time zone such as Europe/Berlin'],
])('the rules %j are refused', (rules, fault) => {
  const given = { people: {}, ...rules } as NoticeRules
  expect(() => checkRules(given, ['chat'], 'These are no rules')).toThrow(fault)
})

function quietFrom(from: string, timeZone = 'Europe/Berlin') {
  return { people: { Ada: { addresses: {}, quietHours: { from, to: '07:00', timeZone } } } }
}
