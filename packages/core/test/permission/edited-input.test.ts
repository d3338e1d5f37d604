import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GivenResponse, QuestionResponse } from '../../src/answer/response.ts'
import { sameJson } from '../../src/lib/digest.ts'
import { approvalIn, approvalQuestion } from '../../src/permission/approval.ts'
import { editText, inputChanges, inputFaults, isJson } from '../../src/permission/edited-input.ts'
import { parseQuestions } from '../../src/question/parse-questions.ts'
import { outcomeOf } from '../../src/record/outcome/outcome.ts'
import { type SettledRecord, withReceipt } from '../../src/record/question-record.ts'
import { openRecord } from '../records.ts'

const subject = { toolName: 'Bash', input: { command: 'rm -rf build' }, editable: true as const }
const edited = { command: 'rm -rf build/tmp' }
const allowed = (more: object = {}): QuestionResponse => ({
  selected: ['allow-once'],
  source: 'human',
  input: edited,
  ...more,
})
const faults = (permission: QuestionResponse, record: object = {}, final = true): string[] =>
  inputFaults({ kind: 'approval', subject, ...record }, { permission }, { final }).map(
    ({ path, expected }) => `${path}: ${expected}`,
  )

describe('an edited input', () => {
  it('fits an approval whose call may be edited, with "Allow once"', () => {
    expect(faults(allowed())).toEqual([])
    expect(faults({ selected: ['allow-once'], source: 'human' }, { subject: undefined })).toEqual([])
  })

  it.each<[string, QuestionResponse, object, boolean]>([
    ['a denial', allowed({ selected: ['deny'] }), {}, true],
    ['the draft of a denial', allowed({ selected: ['deny'] }), {}, false],
    ['"Allow for this session"', allowed({ selected: ['allow-session'] }), {}, true],
    ['no decision', allowed({ selected: [] }), {}, true],
    ['a call that may not be edited', allowed(), { subject: { ...subject, editable: undefined } }, true],
    ['no call at all', allowed(), { subject: undefined }, true],
    ['a question', allowed(), { kind: 'question' }, true],
    ['a list in the place of an object', allowed({ input: ['ls'] }), {}, true],
    ['null in the place of an object', allowed({ input: null }), {}, true],
    ['a number that JSON has not', allowed({ input: { n: Number.POSITIVE_INFINITY } }), {}, true],
    ['a function', allowed({ input: { f: () => {} } }), {}, true],
    ['the input of the agent', allowed({ input: { ...subject.input } }), {}, true],
  ])('does not fit %s', (_, response, record, final) => {
    expect(faults(response, record, final)).toEqual([
      expect.stringMatching(/^responses\.permission\.input: /),
    ])
  })

  it('fits a draft without a decision', () => {
    expect(faults(allowed({ selected: [] }), {}, false)).toEqual([])
  })

  it('may be any JSON where the input of the agent is no object', () => {
    expect(faults(allowed({ input: ['ls'] }), { subject: { ...subject, input: 'ls' } })).toEqual([])
  })
})

describe('the changes of an input', () => {
  it('are told value by value, and none where only the order differs', () => {
    const asked = { a: 1, b: [1], c: { x: 1, y: 2 }, __proto__: null }
    expect(inputChanges(asked, { b: [2], c: { y: 2, x: 1 }, d: null })).toEqual([
      { name: 'a', before: 1 },
      { name: 'b', before: [1], after: [2] },
      { name: 'd', after: null },
    ])
    expect(inputChanges(asked, { c: { y: 2, x: 1 }, b: [1], a: 1 })).toEqual([])
  })

  it('are those of the whole where one of both is no object', () => {
    expect(inputChanges('ls', 'pwd')).toEqual([{ name: null, before: 'ls', after: 'pwd' }])
    expect(inputChanges(null, { a: 1 })).toEqual([{ name: null, before: null, after: { a: 1 } }])
    expect(inputChanges([1], [1])).toEqual([])
  })

  it('tell of names that a prototype has', () => {
    const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":3}')
    expect(inputChanges({}, hostile).map(({ name }) => name)).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ])
    expect(inputChanges(hostile, {}).map(({ name }) => name)).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ])
  })

  it('are all of them: made in the input of the agent, they give the edited one', () => {
    const inputs = fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.jsonValue())
    fc.assert(
      fc.property(inputs, inputs, (asked, given) => {
        const rebuilt = new Map<string, unknown>(Object.entries(asked))
        for (const change of inputChanges(asked, given)) {
          if ('after' in change) rebuilt.set(change.name as string, change.after)
          else rebuilt.delete(change.name as string)
        }
        expect(sameJson(Object.fromEntries(rebuilt), given)).toBe(true)
      }),
    )
  })

  it('are told to the model, quoted, with what ran', () => {
    expect(editText({ ...subject, input: { a: 'x"\n', b: 1 } }, { a: 'y', c: true }, 'Not "all"')).toBe(
      `The user changed the input of Bash before allowing it, saying "Not \\"all\\"". It ran with the changed input, not with yours:
- "a" was "x\\"\\n", and ran as "y"
- "b" was removed. It was 1
- "c" was added: true
This was what the user wanted. Do not change it back.`,
    )
    expect(editText({ toolName: 'Say', input: 'a' }, 'b')).toContain('The input was "a", and ran as "b"')
  })

  it('are cut for the model where they are long', () => {
    expect(editText(subject, { command: 'x'.repeat(100_000) }).length).toBeLessThan(33_000)
  })
})

describe('what counts as JSON', () => {
  it('is all that JSON can say', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => isJson(value)))
    for (const value of [undefined, Number.NaN, 1n, Symbol('a'), [undefined], { a: { b: () => {} } }])
      expect(isJson(value)).toBe(false)
  })
})

describe('the outcome of an approval', () => {
  const questions = parseQuestions([approvalQuestion('Bash')])
  const settled = (
    response: Partial<GivenResponse>,
    { state = 'answered', ...more }: Partial<Pick<SettledRecord, 'state' | 'subject'>> = {},
  ): SettledRecord =>
    withReceipt(openRecord({ kind: 'approval', subject, questions, ...more }), {
      state,
      settledAt: '2025-01-30T12:01:00.000Z',
      responses: { permission: { selected: [], source: 'human', input: edited, ...response } },
    })

  it('has the edited input of a call that was allowed once', () => {
    expect(approvalIn(outcomeOf(settled({ selected: ['allow-once'] })))).toEqual({
      decision: 'allowOnce',
      input: edited,
    })
  })

  it.each<[string, Partial<GivenResponse>, Parameters<typeof settled>[1]]>([
    ['was denied', { selected: ['deny'] }, {}],
    ['was allowed for the session', { selected: ['allow-session'] }, {}],
    ['was not decided', { selected: [] }, {}],
    ['was decided by a default', { selected: ['allow-once'], source: 'default' }, {}],
    ['was entered until the time ran out', { selected: ['allow-once'] }, { state: 'partial' }],
    [
      'may not be edited',
      { selected: ['allow-once'] },
      { subject: { toolName: 'Bash', input: subject.input } },
    ],
  ])('has no input where the call %s', (_, response, more) => {
    expect(approvalIn(outcomeOf(settled(response, more)))).not.toHaveProperty('input')
  })
})
