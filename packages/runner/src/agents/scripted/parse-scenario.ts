import { invalid, parseWith, type Question, timeoutSchema } from '@sandagent/core/internal'
import * as v from 'valibot'
import type { Scenario, Step } from './scenario.ts'
import { referenceFaults } from './scenario-references.ts'

const steps: v.GenericSchema<unknown, Step[]> = v.array(v.lazy((input) => stepSchema(input)))

const questions = v.custom<Question[]>(Array.isArray, 'a list of questions')
const ways = { do: steps, else: v.optional(steps) }
const conditions = {
  equals: v.strictObject({ answer: v.string(), equals: v.string(), ...ways }),
  includes: v.strictObject({ answer: v.string(), includes: v.string(), ...ways }),
  is: v.strictObject({
    outcome: v.string(),
    is: v.array(v.picklist(['answered', 'partial', 'declined', 'timed-out', 'aborted'])),
    ...ways,
  }),
}

const STEPS = {
  say: v.strictObject({ say: v.string() }),
  ask: v.strictObject({
    ask: v.strictObject({
      as: v.optional(v.string()),
      questions,
      timeoutMs: v.optional(timeoutSchema),
      timeoutPolicy: v.optional(v.picklist(['partial', 'defaults', 'decline'])),
      ifUnanswered: v.optional(v.picklist(['stop', 'continue'])),
      explain: v.optional(v.string()),
    }),
  }),
  write: v.strictObject({
    write: v.strictObject({ path: v.string(), content: v.union([v.string(), v.array(v.string())]) }),
  }),
  run: v.strictObject({
    run: v.strictObject({
      command: v.string(),
      args: v.optional(v.array(v.string())),
      needsApproval: v.optional(v.boolean()),
      reason: v.optional(v.string()),
      explain: v.optional(v.string()),
    }),
  }),
  when: v.strictObject({ when: v.lazy((input) => choose(conditions, input)) }),
}

// The key tells which step was meant. A union could only report that no member fits.
const stepSchema = (input: unknown) => choose(STEPS, input)

function choose<S>(schemas: Record<string, S>, input: unknown) {
  const keys = typeof input === 'object' && input !== null ? Object.keys(input) : []
  const key = Object.keys(schemas).find((known) => keys.includes(known))
  return key === undefined
    ? v.custom<never>(() => false, `an object with one of the keys ${Object.keys(schemas).join(', ')}`)
    : (schemas[key] as S)
}

const scenarioSchema = v.strictObject({ title: v.optional(v.string()), steps })

/**
 * Reads the parsed JSON of a scenario.
 *
 * @throws AskError `INVALID_FILE` with every fault. Invalid questions and unknown names are found once the form is right.
 */
export function parseScenario(input: unknown): Scenario {
  const what = 'This is no scenario'
  const scenario = parseWith(scenarioSchema, input, 'INVALID_FILE', what)
  const faults = referenceFaults(scenario)
  if (faults.length > 0) throw invalid('INVALID_FILE', what, faults)
  return scenario
}
