import { describe, expect, it } from 'vitest'
import {
  findQuestion,
  noteInDraft,
  selectInDraft,
  skipInDraft,
  submittedResponses,
  typeInDraft,
} from '../../src/answer/draft.ts'
import { type AskedQuestion, parseQuestions } from '../../src/internal.ts'

const [single, multi, closed] = parseQuestions([
  { question: 'Which language?', options: [{ label: 'TypeScript', value: 'ts' }, { label: 'Python' }] },
  { question: 'Which features?', options: [{ label: 'Tests' }, { label: 'Docs' }], multiSelect: true },
  { question: 'Go on?', options: [{ label: 'Yes' }, { label: 'No' }], allowFreeText: false },
]) as [AskedQuestion, AskedQuestion, AskedQuestion]

describe('selectInDraft', () => {
  it('replaces a single choice and never takes it back', () => {
    const draft = selectInDraft(selectInDraft({}, single, 'ts'), single, 'Python')
    expect(draft).toEqual({ q1: { selected: ['Python'], source: 'human' } })
    expect(selectInDraft(draft, single, 'Python')).toEqual(draft)
  })

  it('toggles a multiple choice', () => {
    const both = selectInDraft(selectInDraft({}, multi, 'Tests'), multi, 'Docs')
    expect(both).toMatchObject({ q2: { selected: ['Tests', 'Docs'] } })
    expect(selectInDraft(both, multi, 'Tests')).toMatchObject({ q2: { selected: ['Docs'] } })
  })

  it('knows an option by its label as well as by its value', () => {
    expect(selectInDraft({}, single, 'TypeScript')).toEqual(selectInDraft({}, single, 'ts'))
  })

  it('takes other text for a typed answer where one is allowed', () => {
    expect(selectInDraft({}, single, 'Zig')).toMatchObject({ q1: { selected: [], freeText: 'Zig' } })
    const draft = {}
    expect(selectInDraft(draft, closed, 'Maybe')).toBe(draft)
  })

  it('takes back a skip and keeps its note', () => {
    const skipped = skipInDraft(noteInDraft({}, single, 'unsure'), single)
    expect(selectInDraft(skipped, single, 'ts')).toEqual({
      q1: { selected: ['ts'], notes: 'unsure', source: 'human' },
    })
  })
})

describe('typeInDraft', () => {
  it('takes the place of a single choice, and stands beside a multiple one', () => {
    expect(typeInDraft(selectInDraft({}, single, 'ts'), single, ' Zig ')).toMatchObject({
      q1: { selected: [], freeText: ' Zig ' },
    })
    expect(typeInDraft(selectInDraft({}, multi, 'Tests'), multi, 'Logo')).toMatchObject({
      q2: { selected: ['Tests'], freeText: 'Logo' },
    })
  })

  it('is kept beside an option picked afterwards, but not submitted with it', () => {
    const draft = selectInDraft(typeInDraft({}, single, 'Zig'), single, 'ts')
    expect(draft).toMatchObject({ q1: { selected: ['ts'], freeText: 'Zig' } })
    expect(submittedResponses([single], draft)).toEqual({ q1: { selected: ['ts'], source: 'human' } })
  })
})

describe('noteInDraft', () => {
  it('stands beside what was picked, typed or skipped', () => {
    for (const draft of [
      selectInDraft({}, multi, 'Tests'),
      typeInDraft({}, multi, 'Logo'),
      skipInDraft({}, multi),
    ])
      expect(noteInDraft(draft, multi, 'please')).toEqual({ q2: { ...draft.q2, notes: 'please' } })
    expect(noteInDraft({}, multi, 'please')).toEqual({
      q2: { selected: [], notes: 'please', source: 'human' },
    })
  })
})

describe('submittedResponses', () => {
  it('leaves out empty texts, notes alone and questions without an entry', () => {
    const draft = noteInDraft(typeInDraft({}, single, '  '), multi, 'note')
    expect(submittedResponses([single, multi, closed], draft)).toEqual({})
  })

  it('keeps typed text beside several choices, skips, and notes', () => {
    const picked = typeInDraft(selectInDraft({}, multi, 'Tests'), multi, 'Logo')
    const draft = skipInDraft(noteInDraft(picked, single, 'later'), single)
    expect(submittedResponses([single, multi], draft)).toEqual({
      q1: { skipped: true, notes: 'later' },
      q2: { selected: ['Tests'], freeText: 'Logo', source: 'human' },
    })
  })
})

describe('findQuestion', () => {
  const twins = parseQuestions([{ question: 'Same?' }, { question: 'Same?' }, { question: 'q1' }])

  it('goes by the text of the answer, which tells twins apart, then by id', () => {
    expect(findQuestion(twins, 'Same?')?.id).toBe('q1')
    expect(findQuestion(twins, 'Same? (2)')?.id).toBe('q2')
    expect(findQuestion(twins, 'q2')?.id).toBe('q2')
    expect(findQuestion(twins, 'q1')?.id).toBe('q3')
    expect(findQuestion(twins, 'toString')).toBeUndefined()
  })
})
