import { describe, expect, it } from 'vitest'
import {
  formatRequest,
  formatResult,
  parseAnswer,
  parseRequest,
} from '../../../src/dialects/harness/index.ts'
import { submitted } from '../pairs.ts'

const input = {
  allowPartialAnswers: true,
  questions: [
    {
      id: 'framework',
      question: 'Which framework?',
      header: 'Framework',
      options: [
        { id: 'react', label: 'React', description: 'Use React.', preview: '<App />' },
        { id: 'vue', label: 'Vue' },
      ],
      allowMultiple: true,
      allowFreeForm: false,
    },
    { id: 'name', question: 'Which name?', allowFreeForm: true },
  ],
}
const asked = parseRequest(input)
const human = { source: 'human' } as const
const refused = (code: string, ...paths: string[]) =>
  expect.objectContaining({ code, faults: paths.map((path) => expect.objectContaining({ path })) })

describe('parseRequest', () => {
  it('keeps the ids of questions and options', () => {
    expect(asked).toEqual([
      {
        id: 'framework',
        question: 'Which framework?',
        header: 'Framework',
        options: [
          { value: 'react', label: 'React', description: 'Use React.', preview: '<App />' },
          { value: 'vue', label: 'Vue' },
        ],
        multiSelect: true,
        allowFreeText: false,
        required: false,
      },
      { id: 'name', question: 'Which name?', allowFreeText: true, required: false },
    ])
    expect(formatRequest(asked)).toEqual(input)
  })

  it('lets answers be typed where there is nothing to pick, and beside options only where that is said', () => {
    const options = [{ id: 'a', label: 'A' }]
    const typed = [{}, { options }, { options, allowFreeForm: { secret: false } }].map(
      (more) => parseRequest({ questions: [{ id: 'q', question: 'Q', ...more }] })[0]?.allowFreeText,
    )
    expect(typed).toEqual([true, false, true])
  })

  const [question] = input.questions
  it.each([
    ['no questions', { questions: [] }, ['questions']],
    ['an empty id', { questions: [{ ...question, id: '' }] }, ['questions.0.id']],
    ['a question without text', { questions: [{ id: 'q' }] }, ['questions.0.question']],
    [
      'an option without id',
      { questions: [{ ...question, options: [{ label: 'A' }] }] },
      ['questions.0.options.0.id'],
    ],
    ['the same id twice', { questions: [question, question] }, ['questions']],
    [
      'a secret, which would be kept as text',
      { questions: [{ ...question, allowFreeForm: { secret: true } }] },
      ['questions.0.allowFreeForm'],
    ],
  ])('refuses %s', (_, wrong, paths) => {
    expect(() => parseRequest(wrong)).toThrow(refused('INVALID_QUESTIONS', ...paths))
  })

  it('says what it expects in place of no questions', () => {
    expect(() => parseRequest({ questions: [] })).toThrow(/at least one question/)
  })
})

describe('formatRequest', () => {
  it('refuses an option that has no id', () => {
    const options = [{ label: 'A', value: '' }, { label: 'B' }]
    expect(() => formatRequest([{ question: 'Q', options }])).toThrow(
      refused('INVALID_QUESTIONS', 'questions.0.options.0.id'),
    )
  })
})

describe('formatResult', () => {
  const framework = { framework: { selected: ['vue'], ...human } }
  it('says whether all was answered, some, or nothing', () => {
    const name = { name: { selected: [], freeText: 'Demo', ...human } }
    expect(formatResult(submitted(asked, { ...framework, ...name }))).toEqual({
      action: 'answered',
      answers: { framework: { optionIds: ['vue'] }, name: { optionIds: [], freeform: 'Demo' } },
    })
    expect(formatResult(submitted(asked, framework))).toEqual({
      action: 'partially-answered',
      answers: { framework: { optionIds: ['vue'] } },
    })
    expect(formatResult(submitted(asked, {}))).toEqual({ action: 'partially-answered', answers: {} })
    expect(formatResult({ ...submitted(asked, {}), kind: 'declined' })).toEqual({ action: 'declined' })
    for (const kind of ['timed-out', 'aborted'] as const)
      expect(formatResult({ ...submitted(asked, {}), kind })).toEqual({ action: 'cancelled' })
  })
})

describe('parseAnswer', () => {
  it('reads declined and cancelled as refusals', () => {
    for (const action of ['declined', 'cancelled'])
      expect(parseAnswer(asked, { action })).toEqual({ status: 'declined' })
  })

  it.each([
    ['an unknown action', { action: 'maybe' }, ['action']],
    ['no answers', { action: 'answered' }, ['answers']],
    ['an unknown question', { action: 'answered', answers: { color: { optionIds: [] } } }, ['answers.color']],
    [
      'an unknown option',
      { action: 'answered', answers: { framework: { optionIds: ['vue', 'svelte'] } } },
      ['answers.framework.optionIds.1'],
    ],
    [
      'an answer that is no list',
      { action: 'answered', answers: { framework: { optionIds: 'vue' } } },
      ['answers.framework.optionIds'],
    ],
  ])('refuses %s', (_, wrong, paths) => {
    expect(() => parseAnswer(asked, wrong)).toThrow(refused('INVALID_ANSWERS', ...paths))
  })
})
