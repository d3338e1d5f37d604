import acp from '@agentclientprotocol/sdk/schema/v1/schema.json' with { type: 'json' }
import { AskError, type AskedQuestion, type Outcome, type Responses } from '@sandagent/core'
import {
  dialect,
  formatPermission,
  formatRequest,
  formatResult,
  parsePermission,
  parseRequest,
} from '@sandagent/core/dialects/acp'
import { parseQuestions } from '@sandagent/core/internal'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromSchema } from '../support/schema-arbitrary.ts'
import { type LimitedField, takesNothing } from '../support/takes-nothing.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(acp, 'acp')
const isValid = (name: string, value: unknown): boolean =>
  ajv.getSchema(`acp#/$defs/${name}`)?.(value) === true
const validOf = (name: string): fc.Arbitrary<Record<string, unknown>> =>
  fromSchema(acp.$defs as never, name).filter((value): value is Record<string, unknown> =>
    isValid(name, value),
  )

/** The losses by which a request may be refused. A name that the dialect does not list fails the test. */
const listed = (name: string): string => {
  expect(Object.keys(dialect.losses.request ?? {})).toContain(name)
  return name
}

const seen: Record<string, number> = {}

/** What is read, or the loss by which it is refused. */
function read<T>(request: unknown, parse: () => T, lossOf: () => string | undefined): T | null {
  try {
    const value = parse()
    seen.read = (seen.read ?? 0) + 1
    return value
  } catch (error) {
    const loss = error instanceof AskError && error.code === 'INVALID_QUESTIONS' ? lossOf() : undefined
    if (loss === undefined) throw new Error(`refused: ${JSON.stringify(request)}`, { cause: error })
    seen[listed(loss)] = (seen[loss] ?? 0) + 1
    return null
  }
}

const outcomeOf = (
  questions: AskedQuestion[],
  kind: Outcome['kind'],
  responses: Responses = {},
): Outcome => ({
  kind,
  toolCallId: 't',
  questions,
  answers: {},
  responses,
  unanswered: [],
  settledAt: '2026-01-01T00:00:00.000Z',
  elapsedMs: 0,
})

type Field = LimitedField & { enum?: string[] | null; oneOf?: unknown[] | null }

function elicitationLoss(params: Record<string, unknown>): string | undefined {
  if (params.mode === 'url')
    return /^https?:/i.test(String(params.url)) ? undefined : 'pages that are not on the web'
  if (params.mode !== 'form') return 'modes that ACP does not name'
  const { properties = {} } = params.requestedSchema as { properties?: Record<string, Field> }
  const fields = Object.values(properties)
  if (
    fields.some(
      ({ type, items }) =>
        !/^(string|number|integer|boolean|array)$/.test(type) || (items && !items.enum && !items.anyOf),
    )
  )
    return 'fields of a type that ACP does not name'
  const choices = fields.flatMap(({ enum: values, oneOf, items }) => [
    values,
    oneOf,
    items?.enum,
    items?.anyOf,
  ])
  return choices.some((list) => list?.length === 0) || fields.some(takesNothing)
    ? 'choices of nothing, and limits that nothing fits'
    : undefined
}

it('an elicitation that the schema of ACP accepts is read, but for listed losses; what comes back fits it too', () => {
  fc.assert(
    fc.property(validOf('CreateElicitationRequest'), (params) => {
      const questions = read(
        params,
        () => parseRequest(params),
        () => elicitationLoss(params),
      )
      if (!questions) return
      for (const kind of ['answered', 'declined', 'timed-out', 'aborted'] as const) {
        const first = questions[0]?.options?.[0]
        const responses: Responses = first
          ? { [questions[0]?.id as string]: { selected: [first.value ?? first.label], source: 'human' } }
          : {}
        const result = formatResult(outcomeOf(questions, kind, kind === 'answered' ? responses : {}), params)
        if (!('faults' in result)) expect(isValid('CreateElicitationResponse', result)).toBe(true)
      }
    }),
    { numRuns: 1000 },
  )
})

it('a permission that the schema of ACP accepts is read, but for listed losses; what comes back fits it too', () => {
  fc.assert(
    fc.property(validOf('RequestPermissionRequest'), (params) => {
      const options = params.options as { optionId: string; kind: string }[]
      const ids = new Set(options.map(({ optionId }) => optionId))
      const isLost = options.length === 0 || ids.size < options.length
      const loss = 'a permission without options, or with two of one id'
      const permission = read(
        params,
        () => parsePermission(params),
        () => (isLost ? loss : undefined),
      )
      if (!permission) return
      const questions = parseQuestions([permission.question])
      const picks = questions[0]?.options?.map(({ value = '' }) => value) ?? []
      expect(picks).toHaveLength(options.length)
      const told = picks.map((value) => {
        const responses: Responses = { permission: { selected: [value], source: 'human' } }
        const result = formatPermission(outcomeOf(questions, 'answered', responses), params)
        expect(isValid('RequestPermissionResponse', result)).toBe(true)
        return 'optionId' in result.outcome && result.outcome.optionId
      })
      expect(new Set(told)).toEqual(ids)
      for (const kind of ['declined', 'timed-out', 'aborted', 'partial'] as const) {
        const responses: Responses = { permission: { selected: [picks[0] as string], source: 'default' } }
        const { outcome } = formatPermission(outcomeOf(questions, kind, responses), params)
        const chosen = options.find(({ optionId }) => 'optionId' in outcome && outcome.optionId === optionId)
        expect(chosen?.kind ?? 'cancelled').toMatch(/reject_once|cancelled/)
      }
    }),
    { numRuns: 1000 },
  )
})

it('our questions are an elicitation that the schema of ACP accepts', () => {
  const option = fc.record(
    { label: fc.string({ minLength: 1 }), description: fc.string(), preview: fc.string() },
    { requiredKeys: ['label'] },
  )
  const options = fc.uniqueArray(option, { selector: ({ label }) => label, minLength: 1, maxLength: 4 })
  const question = fc.record(
    { question: fc.string({ minLength: 1 }), options, multiSelect: fc.boolean(), required: fc.boolean() },
    { requiredKeys: ['question'] },
  )
  fc.assert(
    fc.property(fc.array(question, { minLength: 1, maxLength: 4 }), (questions) => {
      const params = formatRequest(questions, { sessionId: 's', toolCallId: 't' })
      expect(isValid('CreateElicitationRequest', params)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

it('most of what is generated is read, and each loss is seen', () => {
  const { read: count = 0, ...losses } = seen
  expect(count).toBeGreaterThan(500)
  expect(Object.keys(losses).length).toBeGreaterThan(3)
})
