import fc from 'fast-check'
import { type AskedQuestion, parseQuestions, type Question, type Responses } from '../src/internal.ts'

const NASTY = [
  'TypeScript',
  'Yes, always',
  'a,b',
  'Say "hi"',
  'Say "hi", now',
  '"quoted"',
  '__proto__',
  'constructor',
  'toString',
  'line\nbreak, and more',
  '\\',
  '\\"',
  ',',
  ' ,',
  'ends with,',
  ' leading',
  'trailing ',
  '👩‍👩‍👧‍👦, family',
  '\ud800',
  '\u0000',
  'x'.repeat(10_000),
]

/** Text with something to read in it, often hostile to quoting, to object keys and to line-based formats. */
export const text: fc.Arbitrary<string> = fc
  .oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), fc.string())
  .filter((candidate) => candidate.trim() !== '')

const question: fc.Arbitrary<Question> = fc.record(
  {
    question: fc.oneof(text, fc.constantFrom('Same text?', '__proto__')),
    header: fc.string(),
    options: fc.uniqueArray(
      fc.record(
        { label: text, description: fc.string(), preview: fc.string(), recommended: fc.boolean() },
        { requiredKeys: ['label'] },
      ),
      { selector: ({ label }) => label, minLength: 1, maxLength: 5 },
    ),
    textFormat: fc.constantFrom('markdown', 'plain'),
    multiSelect: fc.boolean(),
    placeholder: fc.string(),
    required: fc.boolean(),
  },
  { requiredKeys: ['question'] },
)

export const questions: fc.Arbitrary<AskedQuestion[]> = fc
  .array(question, { minLength: 1, maxLength: 4 })
  .map((list) => parseQuestions(list))

/** Questions with an answer to some of them: options, typed words, or both where both may be. */
export const answered: fc.Arbitrary<{ questions: AskedQuestion[]; responses: Responses }> = questions.chain(
  (asked) =>
    fc.record({
      questions: fc.constant(asked),
      responses: fc.tuple(...asked.map(response)).map(toResponses),
    }),
)

type Entry = [string, Responses[string]] | null

const toResponses = (entries: Entry[]): Responses =>
  Object.fromEntries(entries.filter((entry) => entry !== null))

function response(asked: AskedQuestion): fc.Arbitrary<Entry> {
  const labels = (asked.options ?? []).map(({ label }) => label)
  // A person who types a label has chosen it: in text the two cannot be told apart, nor need they be.
  const typed = text.filter(
    (words) => !labels.includes(words) && !labels.some((label) => JSON.stringify(label) === words),
  )
  const entry = (selected: string[], freeText?: string): Entry => [
    asked.id,
    { selected, ...(freeText !== undefined && { freeText }), source: 'human' },
  ]
  const arms: fc.Arbitrary<Entry>[] = [fc.constant(null), typed.map((words) => entry([], words))]
  if (labels.length > 0) {
    const picked = fc.subarray(labels, { minLength: 1, maxLength: asked.multiSelect ? labels.length : 1 })
    arms.push(picked.map((selected) => entry(selected)))
    if (asked.multiSelect)
      arms.push(fc.tuple(picked, typed).map(([selected, words]) => entry(selected, words)))
  }
  return fc.oneof(...arms)
}
