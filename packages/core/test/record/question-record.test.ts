import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AskError,
  isSameQuestion,
  isSettled,
  type OpenRecord,
  parseQuestionRecord,
  parseQuestions,
  questionDigestOf,
  reasonsOf,
  withReceipt,
} from '../../src/internal.ts'
import { deadlineOf } from '../../src/record/timeout.ts'
import { answered } from '../arbitraries.ts'
import { openRecord } from '../records.ts'

const record = openRecord({ timeoutMs: 60_000, deadline: '2025-01-30T12:01:00.000Z' })
const at = (time: string) => Date.parse(`2025-01-30T${time}Z`)

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)

describe('the input of a permission', () => {
  const textWith = (input: string): string => {
    const subject = { toolName: 'Bash', input: 'HERE' }
    return JSON.stringify({ ...record, kind: 'approval', subject }).replace('"HERE"', input)
  }

  it('may be anything that can be written again', () => {
    expect(parseQuestionRecord(textWith(JSON.stringify(nested(500)))).subject?.input).toEqual(nested(500))
    for (const depth of [501, 100_000])
      expect(() => parseQuestionRecord(textWith('['.repeat(depth) + ']'.repeat(depth)))).toThrow(/500 deep/)
  })
})

describe('the reasons of a permission', () => {
  const withReasons = (reasons: unknown): string =>
    JSON.stringify({ ...record, kind: 'approval', subject: { toolName: 'Bash', input: {}, reasons } })
  const reason = { by: 'rule', text: 'It writes' }

  it('are kept, and each changes what is asked', () => {
    const parsed = [[reason], [{ ...reason, by: 'agent' }], [{ ...reason, text: 'It reads' }], []].map(
      (reasons) => parseQuestionRecord(withReasons(reasons)),
    )
    expect(parsed[0]?.subject?.reasons).toEqual([reason])
    expect(new Set(parsed.map(questionDigestOf)).size).toBe(4)
  })

  it.each([
    ['too many', Array(9).fill(reason), /at most 8 reasons/],
    ['one that is too long', [{ by: 'agent', text: 'x'.repeat(2001) }], /at most 2000 characters/],
    ['one of somebody else', [{ by: 'admin', text: 'Allowed' }], /reasons\.0\.by/],
    ['one without words', [{ by: 'agent', text: ' ' }], /text that is not empty/],
  ])('are none for %s', (_, reasons, fault) => {
    expect(() => parseQuestionRecord(withReasons(reasons))).toThrow(fault)
  })

  it('are cut to these limits where a harness gives more', () => {
    const given = reasonsOf({ rule: ['x'.repeat(3000), undefined, ''], agent: Array(9).fill('y') })
    expect(given).toHaveLength(8)
    expect(given[0]?.text).toMatch(/^x{1992} … \(cut\)$/)
    expect(given.map(({ by }) => by)).toEqual(['rule', ...Array(7).fill('agent')])
    expect(parseQuestionRecord(withReasons(given)).subject?.reasons).toEqual(given)
  })
})

describe('parseQuestionRecord', () => {
  it('reads what it wrote, open and settled', () => {
    fc.assert(
      fc.property(answered, ({ questions, responses }) => {
        const open = { ...record, questions }
        const settled = withReceipt(open, {
          state: 'answered',
          settledAt: '2025-01-30T12:00:09.000Z',
          responses,
          answeredBy: 'a',
          revision: 2,
        })
        expect(parseQuestionRecord(JSON.stringify(open), 'toolu_1')).toEqual(open)
        expect(parseQuestionRecord(JSON.stringify(settled), 'toolu_1')).toEqual(settled)
        expect([isSettled(open), isSettled(settled)]).toEqual([false, true])
      }),
    )
  })

  it.each(['answered', 'timed-out', 'aborted'] as const)(
    'reads a question that closes as %s',
    (closingFor) => {
      const closing = { ...record, state: 'closing', closingFor }
      expect(parseQuestionRecord(JSON.stringify(closing))).toEqual(closing)
      const other = JSON.stringify({ ...closing, closingFor: 'declined' })
      expect(() => parseQuestionRecord(other)).toThrow(expect.objectContaining({ code: 'INVALID_FILE' }))
    },
  )

  it('reads what an answer file permits, untouched', () => {
    const input = JSON.parse('{"command":"rm -rf /","__proto__":{"a":[null,1]},"":"\\u0000"}')
    const answerFile = { ...record, kind: 'approval' as const, subject: { toolName: 'Bash', input } }
    expect(JSON.stringify(parseQuestionRecord(JSON.stringify(answerFile)).subject)).toBe(
      JSON.stringify(answerFile.subject),
    )
    for (const subject of ['Bash', { toolName: 'Bash' }, { input }, null])
      expect(() => parseQuestionRecord(JSON.stringify({ ...answerFile, subject }))).toThrow(
        expect.objectContaining({ code: 'INVALID_FILE' }),
      )
  })

  it('refuses another tool call’s file, a later version, an unknown state and questions that cannot be asked', () => {
    for (const [text, id] of [
      [JSON.stringify(record), 'toolu_2'],
      [JSON.stringify({ ...record, version: 2 }), 'toolu_1'],
      [JSON.stringify({ ...record, state: 'done' }), 'toolu_1'],
      [JSON.stringify({ ...record, state: 'answered' }), 'toolu_1'],
      [JSON.stringify({ ...record, questions: [{}] }), 'toolu_1'],
      [JSON.stringify({ ...record, timeoutMs: 1e20 }), 'toolu_1'],
    ] as const)
      expect(() => parseQuestionRecord(text, id)).toThrow(expect.objectContaining({ code: 'INVALID_FILE' }))
  })

  it('says what a wrong traceparent should be', () => {
    expect(() => parseQuestionRecord(JSON.stringify({ ...record, traceparent: '00-1-2-00' }))).toThrow(
      expect.objectContaining({
        faults: [{ path: 'traceparent', expected: 'a traceparent as in W3C Trace Context' }],
      }),
    )
  })

  it('names the call of a record that belongs to another', () => {
    expect(() => parseQuestionRecord(JSON.stringify(record), 'toolu_2')).toThrow(
      expect.objectContaining({ code: 'INVALID_FILE', facts: { toolCallId: 'toolu_1' } }),
    )
  })

  it('never answers anything but a record or a typed error', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.anything().map((questions) => JSON.stringify({ ...record, questions })),
        ),
        (text) => {
          try {
            parseQuestionRecord(text)
          } catch (error) {
            expect(error).toBeInstanceOf(AskError)
          }
        },
      ),
    )
  })
})

describe('deadlineOf', () => {
  it('is never without a time-out', () => {
    expect(
      deadlineOf({ ...record, timeoutMs: 'never', deadline: null }, undefined, at('12:00:30')),
    ).toBeNull()
  })

  it('is never where a record has a time-out or a deadline alone', () => {
    expect(deadlineOf({ ...record, deadline: null }, undefined, at('12:00:30'))).toBeNull()
    expect(deadlineOf({ ...record, timeoutMs: 'never' }, undefined, at('12:00:30'))).toBeNull()
  })

  it('counts from the questionDigest, and from a draft once there is one', () => {
    expect(deadlineOf(record, undefined, at('12:00:30'))).toBe(at('12:01:00'))
    expect(deadlineOf(record, '2025-01-30T12:00:50.000Z', at('12:00:55'))).toBe(at('12:01:50'))
  })

  it('is never moved beyond one full wait from now, nor back', () => {
    expect(deadlineOf(record, '2099-01-01T00:00:00.000Z', at('12:00:55'))).toBe(at('12:01:55'))
    expect(deadlineOf(record, '1999-01-01T00:00:00.000Z', at('12:00:55'))).toBe(at('12:01:00'))
  })
})

describe('isSameQuestion', () => {
  const answerFile = (input: unknown): OpenRecord => ({
    ...record,
    kind: 'approval',
    subject: { toolName: 'Bash', input },
  })

  it('sees through another order of keys', () => {
    const { subject, ...rest } = answerFile({ command: 'ls', cwd: '/' })
    const again = {
      subject: { input: { cwd: '/', command: 'ls' }, toolName: subject?.toolName ?? '' },
      ...rest,
    }
    expect(isSameQuestion(answerFile({ command: 'ls', cwd: '/' }), again)).toBe(true)
  })

  it('sees through a new nonce, a later time and a receipt', () => {
    const again = { ...answerFile({ command: 'ls' }), nonce: 'other', askedAt: '2026-01-01T00:00:00.000Z' }
    const settled = withReceipt(again, { state: 'declined', settledAt: again.askedAt, responses: {} })
    expect(isSameQuestion(answerFile({ command: 'ls' }), settled)).toBe(true)
  })

  it('tells another call, another question and another subject apart', () => {
    const asked = answerFile({ command: 'ls' })
    for (const other of [
      { ...asked, toolCallId: 'toolu_2' },
      { ...asked, questions: parseQuestions([{ question: 'B?' }]) },
      answerFile({ command: 'ls -a' }),
      record,
    ])
      expect(isSameQuestion(asked, other)).toBe(false)
  })
})
