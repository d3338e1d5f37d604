import { withIds } from '@sandagent/core/internal'
import { describe, expect, it } from 'vitest'
import { allResponsesTo, responsesTo } from '../src/said-answers.ts'

const asked = withIds([
  {
    question: '# Which colour?\nIt is for the door.',
    header: 'Colour',
    options: [{ label: '**Blue** (Recommended)', value: 'b' }, { label: 'Red' }],
  },
  { question: 'Why?', id: 'why', required: false },
])
const human = (selected: string[], freeText?: string) => ({
  selected,
  ...(freeText !== undefined && { freeText }),
  source: 'human',
})

describe('what a scripted person says', () => {
  it.each(['# Which colour?\nIt is for the door.', 'Which colour?', 'Colour', 'q1'])(
    'is for the question that is named %j',
    (name) => {
      expect(responsesTo(asked, { [name]: 'Red' })).toEqual({ q1: human(['Red']) })
    },
  )

  it.each(['**Blue** (Recommended)', 'Blue', 'b'])('means an option by %j', (said) => {
    expect(responsesTo(asked, { Colour: said })).toEqual({ q1: human(['b']) })
  })

  it('may be several options, and own words', () => {
    expect(responsesTo(asked, { Colour: ['Red', 'or green', 'b', 'or none'] })).toEqual({
      q1: human(['Red', 'b'], 'or green, or none'),
    })
    expect(responsesTo(asked, { why: 'so' })).toEqual({ why: human([], 'so') })
  })

  it('has no effect on other questions', () => {
    expect(responsesTo(asked, { Size: 'L', constructor: 'x' })).toEqual({})
  })

  it('must have an answer to each question that needs one', () => {
    expect(allResponsesTo(asked, { Colour: 'Red' })).toEqual({ q1: human(['Red']) })
    const failing = (said: Record<string, string>) => () => allResponsesTo(asked, said)
    expect(failing({})).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        message: expect.stringMatching(/no answer to "Which colour\?"\. They have answers to: nothing\./),
      }),
    )
    expect(failing({ why: 'so', Size: 'L' })).toThrow('They have answers to: "why", "Size".')
  })
})
