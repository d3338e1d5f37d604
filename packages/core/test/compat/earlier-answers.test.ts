import { expect, it } from 'vitest'
import {
  type ExcludesEarlier,
  earlierAnswers,
  excluding,
  isEarlier,
} from '../../src/compat/earlier-answers.ts'
import { digestOf } from '../../src/lib/digest.ts'

type Answer = { nonce?: string; answers: object }
const older: Answer = { answers: { 'Which colour?': 'Red' } }
const other: Answer = { answers: { 'Which colour?': 'Blue' } }

const recordOf = (nonce: string): ExcludesEarlier & { nonce: string } => ({ nonce })

it('a record excludes the answers that were there, and those that the record before it excluded', () => {
  const before = excluding(recordOf('m'), earlierAnswers([older], {}))
  const record = excluding(excluding(recordOf('n'), before), earlierAnswers([other], {}))
  expect(record).toEqual({ nonce: 'n', passedOver: [digestOf(older), digestOf(other)] })
  expect([older, other, {}].map((each) => isEarlier(each, record))).toEqual([true, true, false])
})

it('a record stays the same one where there is nothing more to exclude', () => {
  const record = excluding(recordOf('n'), earlierAnswers([older], {}))
  expect(excluding(record, earlierAnswers([older, older], {}))).toBe(record)
  expect(excluding(record, null)).toBe(record)
  const empty = recordOf('n')
  expect(excluding(empty, earlierAnswers([{ ...older, nonce: 'm' }], {}))).toBe(empty)
})

it('every answer without a nonce is excluded where one of them could not be read', () => {
  expect(isEarlier(other, excluding({}, earlierAnswers([older], { isUnread: true })))).toBe(true)
})
