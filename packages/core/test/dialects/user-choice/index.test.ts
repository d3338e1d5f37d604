import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatRequest,
  formatResult,
  parseAnswer,
  parseCallback,
  parseInvocation,
  parseRequest,
  parseUserChoice,
  questionIdOf,
  type UserChoiceMessage,
} from '../../../src/dialects/user-choice/index.ts'
import {
  type AskedQuestion,
  findOption,
  type Outcome,
  type OutcomeKind,
  optionValue,
  type QuestionOption,
} from '../../../src/internal.ts'
import { kept, questionsWithin, sent } from '../pairs.ts'

const message: UserChoiceMessage = {
  type: 'user_choice',
  group_id: 'thread_xyz',
  id: 'call_abc123',
  call_id: null,
  prompt: 'Allow writing to the original directory?',
  choices: ['Yes for session', 'Yes once', 'No'],
  default: 2,
  response_url: 'http://127.0.0.1:4000/user_choice_response',
}
const questions = parseRequest(message)

const outcome = (kind: OutcomeKind, selected: string[] = [], asked = questions): Outcome => ({
  kind,
  toolCallId: message.id,
  questions: asked,
  answers: {},
  responses: selected.length > 0 ? { q1: { selected, source: 'human' } } : {},
  unanswered: selected.length > 0 ? [] : ['q1'],
  settledAt: '2026-01-01T00:00:00.000Z',
  elapsedMs: 1,
})

/** What a call throws. */
const faultsOf = (call: () => unknown) => {
  try {
    call()
  } catch (error) {
    return error as { code: string; faults: { path: string }[] }
  }
  throw new Error('Nothing was thrown')
}

describe('a user_choice message', () => {
  it('is a question with one choice to make, nothing to type, and a default', () => {
    expect(questions).toEqual([
      {
        id: 'q1',
        question: 'Allow writing to the original directory?',
        options: [{ label: 'Yes for session' }, { label: 'Yes once' }, { label: 'No' }],
        allowFreeText: false,
        defaultOption: 'No',
      },
    ])
  })

  it.each<[string, Partial<Record<keyof UserChoiceMessage, unknown>>]>([
    ['type', { type: 'tool_result' }],
    ['group_id', { group_id: undefined }],
    ['group_id', { group_id: ' ' }],
    ['id', { id: 7 }],
    ['call_id', { call_id: 7 }],
    ['prompt', { prompt: '' }],
    ['choices', { choices: [] }],
    ['choices', { choices: 'Yes' }],
    ['choices.1', { choices: ['Yes', ' ', 'No'] }],
    ['choices', { choices: ['Yes', 'No', 'No'] }],
    ['choices', { choices: ['Yes', 'No', ' No '] }],
    ['choices', { choices: ['Yes', 'No', 'N\u200bo'] }],
    ['choices.1', { choices: ['Yes', '\u200b', 'No'] }],
    ['choices.0', { choices: ['Keep \u202eeteled', 'Yes', 'No'] }],
    ['choices.0', { choices: ['Yes\u0000', 'Maybe', 'No'] }],
    ['default', { default: 3 }],
    ['default', { default: -1 }],
    ['default', { default: 0.5 }],
    ['default', { default: '2' }],
    ['response_url', { response_url: 'file:///etc/passwd' }],
    ['response_url', { response_url: '/relative' }],
  ])('is refused for its %s: %j', (path, wrong) => {
    const { code, faults } = faultsOf(() => parseUserChoice({ ...message, ...wrong }))
    expect(code).toBe('INVALID_QUESTIONS')
    expect(faults[0]).toMatchObject({ path })
  })

  it('names every fault at once', () => {
    const { faults } = faultsOf(() => parseUserChoice({ ...message, prompt: '', choices: [], id: null }))
    expect(faults.map(({ path }) => path)).toEqual(['id', 'prompt', 'choices'])
  })
})

describe('the id of a question', () => {
  it('differs for any two calls, whatever their conversations and ids are', () => {
    const name = fc.string({ unit: fc.constantFrom('a', ':', '%', '3', 'A', '2', '5'), minLength: 1 })
    fc.assert(
      fc.property(name, name, name, name, (group_id, id, otherGroup, otherId) => {
        const isSame = group_id === otherGroup && id === otherId
        const other = questionIdOf({ group_id: otherGroup, id: otherId })
        expect(questionIdOf({ group_id, id }) === other).toBe(isSame)
      }),
    )
  })

  it('shows both names, so that people can tell questions apart', () => {
    expect(questionIdOf(message)).toBe('thread_xyz:call_abc123')
  })
})

describe('a selection', () => {
  it('is the index of what a person picked', () => {
    expect(formatResult(outcome('answered', ['Yes once']), message)).toEqual({
      id: 'call_abc123',
      selected: 1,
    })
  })

  it.each<OutcomeKind>(['declined', 'timed-out', 'aborted'])(
    'is the default when the question %s',
    (kind) => {
      expect(formatResult(outcome(kind), message)).toEqual({ id: 'call_abc123', selected: 2 })
    },
  )

  it('is the default, not a draft, when the time runs out over one', () => {
    expect(formatResult(outcome('partial', ['Yes for session']), message).selected).toBe(2)
  })

  it.each([3, -1, 1.5, '1', null, undefined])('is refused when it is %j', (selected) => {
    const { code, faults } = faultsOf(() => parseAnswer(questions, { id: message.id, selected }))
    expect(code).toBe('INVALID_ANSWERS')
    expect(faults).toEqual([{ path: 'selected', expected: 'an index from 0 to 2' }])
  })
})

describe('other messages', () => {
  it('are invocations and results as they were sent, without keys that mean nothing here', () => {
    const invocation = {
      operation: 'write_file',
      arguments: { path: 'a', ['__proto__']: 1 },
      group_id: 'thread_xyz',
      id: 'call_abc123',
      callback_url: 'http://127.0.0.1:3000/callback',
    }
    expect(parseInvocation({ ...invocation, unknown: 1 })).toEqual(invocation)
    const child = { ...invocation, thread_ancestors: ['root', 'parent'] }
    expect(parseInvocation(child)).toEqual(child)
    expect(parseInvocation({ ...invocation, arguments: null, thread_ancestors: null })).toEqual({
      ...invocation,
      arguments: {},
      thread_ancestors: null,
    })
    const result = {
      type: 'tool_result',
      group_id: 'g',
      id: 'i',
      text: 'Done',
      display_as: [{ type: 'text' }],
    }
    expect(parseCallback({ ...result, subscription: false })).toEqual(result)
    const { text, ...silent } = result
    const content = [{ type: 'text', text }]
    expect(parseCallback({ ...silent, content })).toEqual({ ...silent, content })
    expect(parseCallback(message)).toEqual(message)
    for (const type of ['view_update', 'subscription_event', 'oauth'])
      expect(parseCallback({ type, group_id: 'g', content: {} })).toEqual({ type, group_id: 'g' })
  })

  it('are refused when a result says nothing, or when they are of another kind', () => {
    expect(faultsOf(() => parseCallback({ type: 'tool_result', group_id: 'g', id: 'i' })).code).toBe(
      'INVALID_REQUEST',
    )
    expect(faultsOf(() => parseCallback({ type: 'other', group_id: 'g', id: 'i' })).faults).toMatchObject([
      { path: 'type' },
    ])
    expect(faultsOf(() => parseCallback({ type: 'oauth' })).faults).toMatchObject([{ path: 'group_id' }])
    expect(faultsOf(() => parseCallback(null)).code).toBe('INVALID_REQUEST')
    expect(
      faultsOf(() => parseInvocation({ ...message, operation: '' })).faults.map(({ path }) => path),
    ).toEqual(['operation', 'arguments', 'callback_url'])
  })
})

const isReadable = (text: string): boolean =>
  !/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text) && lookOf(text) !== ''
const lookOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/\s+/g, ' ')

const label = fc.oneof(
  fc.constantFrom('Yes, always', '"No"', '__proto__', 'constructor', '你好', '👩‍👩‍👧‍👦, family', ' leading'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => isReadable(text)),
)
const labels = fc.uniqueArray(label, {
  minLength: 1,
  maxLength: 6,
  selector: lookOf,
})
const call = { group_id: 'g', id: message.id, response_url: message.response_url }

describe('without loss', () => {
  it('a choice is a question and the same choice again', () => {
    fc.assert(
      fc.property(label, labels, fc.nat(), (prompt, choices, index) => {
        const asked = { type: 'user_choice', ...call, prompt, choices, default: index % choices.length }
        expect(formatRequest(parseRequest(sent(asked)), call)).toEqual(asked)
      }),
    )
  })

  it('each selection is a response and the same selection again', () => {
    fc.assert(
      fc.property(labels, fc.nat(), fc.nat(), (choices, index, picked) => {
        const choice = {
          type: 'user_choice',
          ...call,
          prompt: 'Which?',
          choices,
          default: index % choices.length,
        }
        const asked = parseRequest(choice)
        const selection = { id: message.id, selected: picked % choices.length }
        const { responses } = parseAnswer(asked, selection)
        expect(formatResult({ ...outcome('answered', [], asked), responses }, message)).toEqual(selection)
      }),
    )
  })
})

describe('with loss', () => {
  const rich: AskedQuestion = {
    id: 'target',
    question: 'Where to?',
    header: 'Target',
    options: [
      { label: 'Staging', value: 'stg', description: 'safe', preview: '# stg' },
      { label: 'Production', value: 'prd' },
    ],
    placeholder: 'Another',
    defaultOption: 'stg',
  }

  /** One question with one choice to make and a default, and labels that people can read. */
  const choosable = questionsWithin({ questions: 1, options: [1, 6], needsOptions: true })
    .map(([question]) => question as AskedQuestion)
    .filter(({ options = [] }) => options.every((option) => isReadable(option.label)))
    .filter(
      ({ options = [] }) => new Set(options.map((option) => lookOf(option.label))).size === options.length,
    )
    .chain((question) =>
      fc.constantFrom(...(question.options ?? [])).map((option): AskedQuestion => {
        const { multiSelect: _, ...single } = question
        return { ...single, defaultOption: optionValue(option) }
      }),
    )

  it('questions lose their id, header, values, descriptions, previews, placeholder, and whether an answer is needed or may be typed', () => {
    fc.assert(
      fc.property(choosable, (question) => {
        const [back] = parseRequest(sent(formatRequest([question], call)))
        const defaultOption = findOption(question, question.defaultOption ?? '')?.label
        expect(back).toEqual({
          ...kept({ ...question, id: 'q1' }, [], []),
          allowFreeText: false,
          defaultOption,
        })
      }),
    )
  })

  it('responses lose their notes, and a dismissal comes back as the default', () => {
    fc.assert(
      fc.property(choosable, fc.nat(), fc.string(), (question, index, notes) => {
        const options = question.options ?? []
        const picked = optionValue(options[index % options.length] as QuestionOption)
        const response = (value: string) => ({
          [question.id]: { selected: [value], source: 'human' as const },
        })
        const given = { [question.id]: { selected: [picked], notes, source: 'human' as const } }
        const back = (ended: Outcome) => parseAnswer([question], sent(formatResult(ended, message))).responses
        expect(back({ ...outcome('answered', [], [question]), responses: given })).toEqual(response(picked))
        expect(back(outcome('declined', [], [question]))).toEqual(response(question.defaultOption ?? ''))
      }),
    )
  })

  it('the values of options come back by index', () => {
    const answer = parseAnswer([rich], { id: 'call', selected: 1 })
    expect(answer).toEqual({
      status: 'completed',
      responses: { target: { selected: ['prd'], source: 'human' } },
    })
  })

  it.each<[string, AskedQuestion[]]>([
    ['questions', [rich, { ...rich, id: 'other' }]],
    ['questions.0.multiSelect', [{ ...rich, multiSelect: true }]],
    ['questions.0.defaultOption', [{ id: 'q1', question: 'Which?', options: [{ label: 'A' }] }]],
    ['questions.0.defaultOption', [{ id: 'q1', question: 'Your name?' }]],
  ])('a question is refused for its %s: User Choice has no place for it', (path, asked) => {
    const { code, faults } = faultsOf(() => formatRequest(asked, call))
    expect(code).toBe('INVALID_QUESTIONS')
    expect(faults).toMatchObject([{ path }])
  })
})
