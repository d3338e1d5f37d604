import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AskError,
  isComplete,
  parseQuestions,
  type Responses,
  sameResponses,
  unansweredIds,
  validateResponses,
  withDefaults,
} from '../../src/internal.ts'
import { answered } from '../arbitraries.ts'
import { parseResponses } from '../parse-responses.ts'

const asked = parseQuestions([
  {
    id: 'one',
    question: 'One of them?',
    options: [{ label: 'A' }, { label: 'B', value: 'b' }],
    defaultOption: 'b',
  },
  {
    id: 'many',
    question: 'Several?',
    multiSelect: true,
    allowFreeText: false,
    options: [{ label: 'C' }, { label: 'D' }],
  },
  { id: 'words', question: 'In words?', required: false },
])
const human = (selected: string[], freeText?: string): Responses[string] => ({
  selected,
  ...(freeText !== undefined && { freeText }),
  source: 'human',
})

describe('responses in files and requests', () => {
  it('read as they were written', () => {
    fc.assert(
      fc.property(answered, ({ responses }) => {
        expect(parseResponses(JSON.parse(JSON.stringify(responses)))).toEqual(responses)
      }),
    )
  })

  it('are a person’s where they say no source', () => {
    expect(parseResponses({ one: { selected: ['A'] } })).toEqual({ one: human(['A']) })
  })

  it('keep a question id that looks like a prototype key', () => {
    const responses = parseResponses(JSON.parse('{"__proto__": {"selected": ["A"]}}'))
    expect(Object.keys(responses)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(responses)).toBe(Object.prototype)
  })

  it('are refused with every fault', () => {
    expect(() => parseResponses({ a: 1, b: { selected: [2] } })).toThrow(
      expect.objectContaining({ code: 'INVALID_ANSWERS', faults: [expect.anything(), expect.anything()] }),
    )
  })

  it('are refused with a typed error, whatever else they are', () => {
    fc.assert(
      fc.property(fc.anything(), (input) => {
        try {
          parseResponses(input)
        } catch (error) {
          expect(error).toBeInstanceOf(AskError)
        }
      }),
    )
  })
})

describe('validateResponses', () => {
  const paths = (responses: Responses, final = true) =>
    validateResponses(asked, responses, { final }).map(({ path }) => path)

  it('finds nothing wrong with a full answer', () => {
    expect(paths({ one: human(['b']), many: human(['C', 'D']), words: human([], 'hello') })).toEqual([])
  })

  it('finds every fault at once', () => {
    expect(paths({ one: human(['A', 'zzz', 'A']), many: human(['C'], 'typed'), who: human([]) })).toEqual([
      'responses.who',
      'responses.one.selected.1',
      'responses.one.selected',
      'responses.one.selected',
      'responses.many.freeText',
    ])
  })

  it('wants an answer or an explicit skip of what is required, once it is final', () => {
    expect(paths({})).toEqual(['responses.one', 'responses.many'])
    expect(paths({}, false)).toEqual([])
    expect(paths({ one: { skipped: true }, many: { skipped: true } })).toEqual([])
  })

  it('lets a draft keep what was typed before an option was picked, and a submission not', () => {
    expect(paths({ one: human(['A'], 'or maybe') }, false)).toEqual([])
    expect(paths({ one: human(['A'], 'or maybe'), many: human(['C']) })).toEqual(['responses.one'])
  })

  it('names the options in what it expected, and never more than ten', () => {
    const many = parseQuestions([
      { question: 'Which?', options: Array.from({ length: 30 }, (_, n) => ({ label: `option ${n}` })) },
    ])
    const [fault] = validateResponses(many, { q1: human(['nope']) }, { final: true })
    expect(fault?.expected).toMatch(/^one of "option 0", .*"option 9", …$/)
  })
})

describe('the state of responses', () => {
  it('never counts white space, notes or a skip as an answer', () => {
    expect(
      unansweredIds(asked, {
        one: human([], ' \n'),
        many: { selected: [], notes: 'n', source: 'human' },
        words: { skipped: true },
      }),
    ).toEqual(['one', 'many', 'words'])
  })

  it('is complete when every required question has an answer', () => {
    expect(isComplete(asked, { one: human(['A']) })).toBe(false)
    expect(isComplete(asked, { one: human(['A']), many: human(['C']) })).toBe(true)
  })

  it('is the same whatever the order of picks and keys', () => {
    expect(
      sameResponses(
        asked,
        { many: human(['C', 'D']), one: human(['A']) },
        { one: human(['A']), many: human(['D', 'C']) },
      ),
    ).toBe(true)
    expect(sameResponses(asked, { one: human(['A']) }, { one: human(['b']) })).toBe(false)
    expect(sameResponses(asked, { one: human(['A']) }, { one: { selected: ['A'], source: 'default' } })).toBe(
      false,
    )
  })

  it('fills in defaults only where nobody answered, and marks them', () => {
    expect(withDefaults(asked, {})).toEqual({ one: { selected: ['b'], source: 'default' } })
    expect(withDefaults(asked, { one: human(['A']) })).toEqual({ one: human(['A']) })
    expect(withDefaults(asked, { one: { skipped: true } })).toEqual({ one: { skipped: true } })
  })
})
