import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AskedQuestion,
  assumptionOf,
  loadTypedFault,
  missingIn,
  parseQuestions,
  readQuestions,
  submittedResponses,
  typedFault,
  typedText,
  validateResponses,
} from '../../src/internal.ts'

const asked = (typed: object): AskedQuestion[] => parseQuestions([{ question: 'How many?', typed }])
const typed = (freeText: string) => ({ q1: { selected: [], freeText, source: 'human' as const } })
const faultsOf = (kind: object, text: string, final = true) =>
  validateResponses(asked(kind), typed(text), { final }).map(({ expected }) => expected)

describe('a question for a number', () => {
  const number = (limits: object) => ({ kind: 'number', ...limits })

  it.each(['1', '10', '2.5', '1.250'])('takes %j within its bounds', (text) => {
    expect(faultsOf(number({ min: 1, max: 10 }), text)).toEqual([])
  })

  it.each(['0', '11', 'ten', '0x5', 'Infinity', '1 2', '1_0', '10 ms', ''].filter(Boolean))(
    'refuses %j, and says what fits',
    (text) => {
      expect(faultsOf(number({ min: 1, max: 10 }), text)).toEqual(['a number, at least 1 and at most 10'])
    },
  )

  it('takes every number as JavaScript writes it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(faultsOf(number({}), `${value}`)).toEqual([])
      }),
    )
  })

  it('may have one bound or none', () => {
    expect(faultsOf(number({ min: 0 }), '-1')).toEqual(['a number, at least 0'])
    expect(faultsOf(number({ max: 0 }), '1')).toEqual(['a number, at most 0'])
    expect(faultsOf(number({}), 'x')).toEqual(['a number'])
    expect(faultsOf(number({}), '-1000')).toEqual([])
  })

  it('takes every step from its min, however numbers are rounded, and nothing between two of them', () => {
    const step = fc.constantFrom(0.1, 0.01, 0.25, 0.3, 1, 5, 1e-6)
    fc.assert(
      fc.property(
        step,
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: -50, max: 50 }),
        (by, at, from) => {
          const digits = 7
          const text = (steps: number) => (from + steps * by).toFixed(digits)
          const kind = number({ min: from, step: by })
          expect(faultsOf(kind, text(at))).toEqual([])
          expect(faultsOf(kind, text(at + 0.5))).not.toEqual([])
        },
      ),
    )
  })

  it('names its steps', () => {
    expect(faultsOf(number({ step: 1 }), '1.5')).toEqual(['a whole number'])
    expect(faultsOf(number({ step: 0.5, max: 3 }), '1.2')).toEqual(['a number, at most 3, in steps of 0.5'])
    expect(faultsOf(number({ min: 0.5, max: 3, step: 1 }), '1')).toEqual([
      'a number, at least 0.5 and at most 3, in steps of 1',
    ])
  })

  it('may be two: from and to', () => {
    const kind = number({ min: 0, max: 10, range: true })
    expect(faultsOf(kind, '1/10')).toEqual([])
    expect(faultsOf(kind, '2.5/2.5')).toEqual([])
    const expected = 'a number, from and to with only a slash between, at least 0 and at most 10'
    for (const text of ['2.5 / 2.5', '1/11', '/11', '1/2/3', '1-2', '/'])
      expect(faultsOf(kind, text)).toEqual([expected])
    for (const text of ['1', '1/', '1/ '])
      expect(faultsOf(kind, text)).toEqual([`${expected}: the second is missing`])
    expect(faultsOf(kind, '/1')).toEqual([`${expected}: the first is missing`])
    expect(faultsOf(kind, '2/1')).toEqual([`${expected}: the first must not be above the second, as in 1/2`])
  })

  it('is a slider or a rating where both are whole', () => {
    const rating = number({ min: 1, max: 5, show: 'rating' })
    expect(['1', '5'].flatMap((text) => faultsOf(rating, text))).toEqual([])
    expect(faultsOf(rating, '1.5')).toEqual(['a whole number, at least 1 and at most 5'])
    expect(faultsOf(number({ min: 0, max: 1, step: 0.1, show: 'slider' }), '0.3')).toEqual([])
  })
})

describe('a question for a date or a time', () => {
  it.each([
    ['date', '2026-01-31'],
    ['date', '2024-02-29'],
    ['time', '00:00'],
    ['time', '23:59:59.5'],
    ['date-time', '2026-01-31T14:30'],
    ['date-time', '2026-01-31T14:30:15'],
    ['email', 'a.person@example.com'],
    ['uri', 'https://example.com/a?b#c'],
  ])('of the kind %j takes %j', (kind, text) => {
    expect(faultsOf({ kind }, text)).toEqual([])
  })

  it.each([
    ['date', '2026-02-29', 'a date such as 2026-01-31: 2026-02-29 is not in the calendar'],
    ['date', '31.1.2026', 'a date such as 2026-01-31'],
    ['date', '1/31/2026', 'a date such as 2026-01-31'],
    ['date', '12026-01-31', 'a date such as 2026-01-31'],
    ['date', '2026-01-31T00:00', 'a date such as 2026-01-31'],
    ['time', '24:00', 'a time such as 14:30: 24:00 is not on the clock'],
    ['time', '2:30 pm', 'a time such as 14:30'],
    ['date-time', '2026-01-31', 'a date and time such as 2026-01-31T14:30'],
    ['date-time', '2026-01-31T14:30Z', 'a date and time such as 2026-01-31T14:30'],
    ['email', 'somebody', 'an e-mail address'],
    ['uri', 'example.com', 'an address such as https://example.com'],
    ['uri', 'https://', 'an address such as https://example.com'],
    ['uri', 'https://[::1', 'an address such as https://example.com'],
    ['uri', 'http://999.999.999.999', 'an address such as https://example.com'],
    [
      'uri',
      'https://example.com/\u202Egpj',
      'an address such as https://example.com, without the character that nobody sees',
    ],
    ['email', 'ada\u200B@example.com', 'an e-mail address, without the character that nobody sees'],
    [
      'date-time',
      '2026-04-31T10:00',
      'a date and time such as 2026-01-31T14:30: 2026-04-31 is not in the calendar',
    ],
    ['date-time', '2026-04-30T25:00', 'a date and time such as 2026-01-31T14:30: 25:00 is not on the clock'],
  ])('of the kind %j refuses %j', (kind, text, expected) => {
    expect(faultsOf({ kind }, text)).toEqual([expected])
  })

  it('of a moment needs an offset, and compares moments', () => {
    const kind = { kind: 'date-time', zone: true, earliest: '2026-01-31T12:00Z' }
    expect(faultsOf(kind, '2026-01-31T13:00+01:00')).toEqual([])
    for (const text of ['2026-01-31t12:00:00z', '2026-01-31T12:59+01:00', '2026-01-31T13:00'])
      expect(faultsOf(kind, text)).toEqual([
        'a date and time such as 2026-01-31T14:30+01:00, not before 2026-01-31T12:00Z',
      ])
  })

  it('of a range goes on, but for times, which may pass midnight', () => {
    const dates = { kind: 'date', latest: '2026-12-31', range: true }
    expect(faultsOf(dates, '2026-01-31/2026-02-01')).toEqual([])
    expect(faultsOf(dates, '2026-02-01/2026-01-31')).toEqual([
      'a date such as 2026-01-31, from and to with only a slash between, not after 2026-12-31: the first must not be after the second, as in 2026-01-31/2026-02-01',
    ])
    expect(faultsOf({ kind: 'time', range: true }, '22:00/06:00')).toEqual([])
  })

  it('of times with limits holds every minute of it within them', () => {
    const minute = fc.integer({ min: 0, max: 24 * 60 - 1 })
    const clock = (at: number) =>
      [Math.floor(at / 60), at % 60].map((part) => `${part}`.padStart(2, '0')).join(':')
    const bound = fc.option(minute, { nil: undefined })
    fc.assert(
      fc.property(bound, bound, minute, minute, (one, other, from, to) => {
        const [least, most] =
          one !== undefined && other !== undefined && one > other ? [other, one] : [one, other]
        fc.pre(least !== undefined || most !== undefined)
        const isWithin = (at: number) => at >= (least ?? 0) && at <= (most ?? 24 * 60)
        // The minute before midnight and the one after are in each range that goes over it.
        const held = [from, to, ...(from > to ? [24 * 60 - 1, 0] : [])]
        const limits = {
          ...(least !== undefined && { earliest: clock(least) }),
          ...(most !== undefined && { latest: clock(most) }),
        }
        const faults = faultsOf({ kind: 'time', range: true, ...limits }, `${clock(from)}/${clock(to)}`)
        if (!held.every(isWithin)) expect(faults).toHaveLength(1)
        else if (from <= to) expect(faults).toEqual([])
      }),
    )
    expect(
      faultsOf({ kind: 'time', range: true, earliest: '06:00', latest: '22:00' }, '22:00/06:00'),
    ).toEqual([
      'a time such as 14:30, from and to with only a slash between, not before 06:00 and not after 22:00: the first must not be after the second, as in 06:00/22:00',
    ])
  })

  it('takes a day if, and only if, it is in the calendar and within its limits', () => {
    const part = fc.integer({ min: 0, max: 40 })
    const text = fc
      .tuple(fc.integer({ min: 1900, max: 2100 }), part, part)
      .map(([year, month, day]) => [year, month, day].map((each) => `${each}`.padStart(2, '0')).join('-'))
    fc.assert(
      fc.property(text, (day) => {
        const [year, month, date] = day.split('-').map(Number) as [number, number, number]
        const isDay = month >= 1 && month <= 12 && date >= 1 && date <= new Date(year, month, 0).getDate()
        const isFit = isDay && day >= '1950-01-01' && day <= '2050-12-31'
        const faults = faultsOf({ kind: 'date', earliest: '1950-01-01', latest: '2050-12-31' }, day)
        expect(faults.length === 0).toBe(isFit)
      }),
    )
  })
})

describe('a typed answer', () => {
  const number = { kind: 'number', min: 1 }

  it.each([
    [{ kind: 'date' }, ' 2026-01-31 '],
    [{ kind: 'date' }, '\n2026-01-31\n'],
    [{ kind: 'date', range: true }, '2026-01-31 / 2026-02-02'],
    [{ kind: 'number' }, ' 5'],
    [{ kind: 'email' }, ' a@b.c '],
    [{ kind: 'uri' }, 'https://x.y\n'],
  ])('of %j is refused as %j: a program reads it as it is', (kind, text) => {
    expect(faultsOf(kind, text)).toHaveLength(1)
  })

  it('loses the blanks around it when a person submits it, as words do not', async () => {
    await loadTypedFault()
    const [question] = asked(number) as [AskedQuestion]
    const draft = typed(' 10\n')
    expect(missingIn([question], draft)).toEqual([])
    expect(submittedResponses([question], draft)).toMatchObject({ q1: { freeText: '10' } })
    expect(submittedResponses([{ ...question, typed: undefined }], draft)).toMatchObject(draft)
  })

  it.each([
    [{ kind: 'number' }, ' 1 /\t5 ', '1/5'],
    [{ kind: 'date' }, '2026-01-31 / 2026-02-02', '2026-01-31/2026-02-02'],
  ])('of a range, %j, loses the blanks around its slash too, as in %j', async (kind, text, sent) => {
    await loadTypedFault()
    const questions = asked({ ...kind, range: true })
    expect(missingIn(questions, typed(text))).toEqual([])
    expect(submittedResponses(questions, typed(text))).toMatchObject({ q1: { freeText: sent } })
    expect(typedText(questions[0] as AskedQuestion, text)).toBe(sent.replace('/', ' to '))
  })

  it('keeps the blanks around a slash where it is no range', () => {
    const questions = asked({ kind: 'uri' })
    expect(submittedResponses(questions, typed(' a / b '))).toMatchObject({ q1: { freeText: 'a / b' } })
  })

  it('that is assumed has its unit, and none has no text', () => {
    const typed = { kind: 'number', unit: 'pods' }
    const [question] = parseQuestions([{ question: 'How many?', typed, defaultText: '7' }])
    expect(assumptionOf(question as AskedQuestion)).toBe('7 pods')
    expect(typedText(question as AskedQuestion, ' ')).toBeNull()
  })

  it('is any text while it is a draft', () => {
    expect(faultsOf(number, 'te', false)).toEqual([])
  })

  it('is not ready to be submitted with another text, even where it is optional', async () => {
    await loadTypedFault()
    const [question] = asked(number) as [AskedQuestion]
    const optional = [{ ...question, required: false }]
    expect(missingIn(optional, typed('ten'))).toEqual(optional)
    expect(missingIn(optional, typed('10'))).toEqual([])
  })

  it('is checked without a failure, whatever a page has read', () => {
    fc.assert(
      fc.property(fc.object(), fc.string(), (kind, text) => {
        const [question] = readQuestions({ questions: [{ question: 'Q', typed: kind }] }) as [AskedQuestion]
        expect([null, 'string']).toContain(typedFault(question, text) === null ? null : 'string')
      }),
    )
  })

  it.each([
    ['options beside it', { typed: { kind: 'number' }, options: [{ label: 'A' }] }, 'no options'],
    ['no typed answers', { typed: { kind: 'number' }, allowFreeText: false }, 'because typed answers'],
    ['no kind', { typed: {} }, 'typed'],
    [
      'an unknown kind',
      { typed: { kind: 'colour' } },
      'questions.0.typed.kind: expected number, date, time, date-time, email, uri',
    ],
    ['a key of another kind', { typed: { kind: 'date', min: 1 } }, 'no such key'],
    [
      'a min above its max',
      { typed: { kind: 'number', min: 2, max: 1 } },
      'questions.0.typed.min: expected a value that is not above the max, 1',
    ],
    ['bounds that are none', { typed: { kind: 'number', min: '1' } }, 'typed.min'],
    [
      'an earliest after its latest',
      { typed: { kind: 'time', earliest: '10:00', latest: '09:00' } },
      'questions.0.typed.earliest: expected a value that is not after the latest, 09:00',
    ],
    [
      'a default outside its limits',
      { typed: { kind: 'number', min: 1, max: 5 }, defaultText: '9' },
      'questions.0.defaultText: expected a number, at least 1 and at most 5',
    ],
    [
      'a default of a secret',
      { secret: true, defaultText: 'x' },
      'questions.0.defaultText: expected no default',
    ],
    ['endless bounds', { typed: { kind: 'number', max: Number.POSITIVE_INFINITY } }, 'a number'],
    ['a step that leads nowhere', { typed: { kind: 'number', step: 0 } }, 'above 0'],
    [
      'a limit that is no date',
      { typed: { kind: 'date', latest: 'soon' } },
      'questions.0.typed.latest: expected a date such as 2026-01-31',
    ],
    ['a slider without an end', { typed: { kind: 'number', min: 1, show: 'slider' } }, 'a min and a max'],
    [
      'a slider of one place',
      { typed: { kind: 'number', min: 0, max: 1, step: 2, show: 'slider' } },
      'a step',
    ],
    [
      'a rating of a range',
      { typed: { kind: 'number', min: 0, max: 1, range: true, show: 'rating' } },
      'no range',
    ],
    ['a rating of many', { typed: { kind: 'number', min: 0, max: 100, show: 'rating' } }, 'at most 11'],
  ])('is refused with %s', (_, question, fault) => {
    expect(() => parseQuestions([{ question: 'Q', ...question }])).toThrow(
      expect.objectContaining({ code: 'INVALID_QUESTIONS', message: expect.stringContaining(fault) }),
    )
  })

  it('has keys that are null, as models write them', () => {
    expect(asked({ kind: 'number', min: null, max: 3, unit: null })).toMatchObject([
      { typed: { kind: 'number', max: 3 } },
    ])
  })

  it('is read by pages as it was parsed', () => {
    const whole = fc.integer()
    const kind = fc.oneof(
      fc.record(
        {
          kind: fc.constant('number'),
          min: whole,
          step: fc.integer({ min: 1 }),
          range: fc.boolean(),
          unit: fc.constant('ms'),
        },
        { requiredKeys: ['kind'] },
      ),
      fc.record(
        { kind: fc.constant('date-time'), zone: fc.constant(false), latest: fc.constant('2026-01-31T14:30') },
        { requiredKeys: ['kind'] },
      ),
    )
    fc.assert(
      fc.property(kind, (each) => {
        const questions = asked(each)
        expect(readQuestions({ questions })).toEqual(questions)
      }),
    )
  })
})
