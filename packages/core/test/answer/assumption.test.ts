import { expect, it } from 'vitest'
import { heldIn } from '../../src/answer/assumption.ts'
import { parseQuestions } from '../../src/question/parse-questions.ts'

it.each([
  [{ kind: 'number' }, '10', '10.0', true],
  [{ kind: 'date-time', zone: true }, '2026-01-31T13:30Z', '2026-01-31T14:30+01:00', true],
  [{ kind: 'number' }, '10', '11', false],
  [{ kind: 'date' }, '2026-01-31', '2026-02-01', false],
])('what was assumed of %j, %s, holds for %s: %s', (typed, defaultText, freeText, isHeld) => {
  const questions = parseQuestions([{ question: 'When?', typed, defaultText }])
  expect(heldIn(questions, { q1: { selected: [], freeText, source: 'human' } })).toEqual({ q1: isHeld })
})
