import * as v from 'valibot'
import { filledText } from '../../lib/schema.ts'
import type { PolicyRule } from './policy-rule.ts'

const names = v.pipe(v.array(filledText), v.minLength(1, 'at least one name'))

/** The answer file holds each vote. */
const MOST_VOTES = 20

const kinds = v.pipe(v.array(v.picklist(['question', 'approval'])), v.minLength(1, 'at least one kind'))
const questions = { kinds: v.exactOptional(kinds), tools: v.exactOptional(names) }

const rule = {
  roles: v.exactOptional(names),
  owner: v.exactOptional(v.literal(true)),
  people: v.exactOptional(names),
  votes: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer('a whole number'),
      v.minValue(1, 'a number from 1 on'),
      v.maxValue(MOST_VOTES, `at most ${MOST_VOTES}`),
    ),
  ),
  passkey: v.exactOptional(v.literal(true)),
}

/** The shape of a rule as people write it. A misspelt key would let others answer than were meant. */
export const policyRuleSchema: v.GenericSchema<unknown, PolicyRule> = v.strictObject({
  for: v.exactOptional(v.strictObject(questions)),
  ...rule,
})

/** The shape of `AnswerFile.rule`. A later host may know more keys, and take more votes. */
export const storedRuleSchema: v.GenericSchema<unknown, PolicyRule> = v.object({
  for: v.exactOptional(v.object(questions)),
  ...rule,
  votes: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
})
