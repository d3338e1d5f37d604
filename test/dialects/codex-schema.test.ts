import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type AskedQuestion, type Outcome, parseQuestions, type QuestionResponse } from '@sandagent/core'
import {
  formatDecision,
  formatRequest,
  formatResult,
  formatToolDecision,
  parseAnswer,
  parseCommandApproval,
  parseRequest,
} from '@sandagent/core/dialects/codex'
import { Ajv, type ValidateFunction } from 'ajv'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'

/** The schemas that the installed Codex writes of its own app server. */
const schemas: Record<string, ValidateFunction> = {}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-codex-'))
  const codex = join(root, 'test/node_modules/.bin/codex')
  const env = { ...process.env, CODEX_HOME: folder }
  await promisify(execFile)(
    codex,
    ['app-server', 'generate-json-schema', '--experimental', '--out', folder],
    {
      env,
    },
  )
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const name of [
    'ToolRequestUserInputParams',
    'ToolRequestUserInputResponse',
    'CommandExecutionRequestApprovalParams',
    'CommandExecutionRequestApprovalResponse',
    'FileChangeRequestApprovalResponse',
    'McpServerElicitationRequestResponse',
  ])
    schemas[name] = ajv.compile(JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')))
  await rm(folder, { recursive: true })
})

const fits = (name: string, value: unknown): boolean => schemas[name]?.(value) === true

const word = fc.string()
/** A text that somebody can read: without one there is nothing to ask, or to pick. */
const text = fc.string({ minLength: 1 }).filter((each) => each.trim() !== '')
const option = fc.record({ label: text, description: word })
const question = fc.record({
  id: text,
  header: word,
  question: word,
  isOther: fc.boolean(),
  isSecret: fc.constant(false),
  options: fc.option(fc.array(option, { maxLength: 4 })),
})
const request = fc.record({
  threadId: word,
  turnId: word,
  itemId: word,
  questions: fc.uniqueArray(question, { minLength: 1, maxLength: 5, selector: ({ id }) => id }),
  isBlocking: fc.boolean(),
  autoResolutionMs: fc.option(fc.nat()),
})

/** What a person does with a question: the first option, or some words. */
const givenTo = ({ options: [first] = [] }: AskedQuestion): QuestionResponse =>
  first
    ? { selected: [first.value ?? first.label], source: 'human' }
    : { selected: [], freeText: 'so', source: 'human' }

const outcomeOf = (questions: AskedQuestion[], responses: Outcome['responses']): Outcome => ({
  kind: 'answered',
  toolCallId: 't',
  questions,
  answers: {},
  responses,
  unanswered: [],
  settledAt: '2026-01-01T00:00:00.000Z',
  elapsedMs: 0,
})

describe('each of 1,000 generated requests that the schema of Codex accepts', () => {
  it('is asked, and its answers fit the schema and come back', () => {
    fc.assert(
      fc.property(request, (generated) => {
        const params = JSON.parse(JSON.stringify(generated))
        expect(fits('ToolRequestUserInputParams', params)).toBe(true)
        const questions = parseRequest(params)
        const responses = Object.fromEntries(questions.map((each) => [each.id, givenTo(each)]))
        const result = formatResult(outcomeOf(questions, responses))
        expect(fits('ToolRequestUserInputResponse', result)).toBe(true)
        expect(parseAnswer(questions, result)).toEqual({ status: 'completed', responses })
      }),
      { numRuns: 1000 },
    )
  })

  it('for a command is shown, and its decisions fit the schema', () => {
    const approval = fc.record({
      kind: fc.constantFrom('command', 'humanCommand', 'writeStdin'),
      threadId: word,
      turnId: word,
      itemId: word,
      startedAtMs: fc.nat(),
      environmentId: fc.option(word),
      approvalId: fc.option(word),
      reason: fc.option(word),
      command: fc.option(word),
      cwd: fc.option(word),
      availableDecisions: fc.option(fc.subarray(['accept', 'acceptForSession', 'decline', 'cancel'])),
    })
    fc.assert(
      fc.property(approval, (generated) => {
        const params = JSON.parse(JSON.stringify(generated))
        expect(fits('CommandExecutionRequestApprovalParams', params)).toBe(true)
        const { subject, sessionScope } = parseCommandApproval(params)
        if (params.command !== null) expect(Object.values(subject.input as object)).toContain(params.command)
        expect(sessionScope !== undefined).toBe(
          params.availableDecisions?.includes('acceptForSession') ?? false,
        )
      }),
      { numRuns: 1000 },
    )
    for (const decision of ['allowOnce', 'allowSession', 'deny'] as const) {
      expect(fits('CommandExecutionRequestApprovalResponse', formatDecision(decision))).toBe(true)
      expect(fits('FileChangeRequestApprovalResponse', formatDecision(decision))).toBe(true)
      expect(fits('McpServerElicitationRequestResponse', formatToolDecision(decision))).toBe(true)
    }
  })
})

describe('each of 1,000 generated lists of questions within the limits of Codex', () => {
  it('becomes a request that its schema accepts, and comes back', () => {
    const ours = fc.record(
      {
        question: text,
        header: text,
        options: fc.uniqueArray(fc.record({ label: text, description: text }, { requiredKeys: ['label'] }), {
          minLength: 2,
          maxLength: 3,
          selector: ({ label }) => label,
        }),
      },
      { requiredKeys: ['question'] },
    )
    fc.assert(
      fc.property(fc.array(ours, { minLength: 1, maxLength: 3 }), (generated) => {
        const questions = parseQuestions(generated)
        const params = {
          ...formatRequest(questions),
          ...{ threadId: 't', turnId: 'u', itemId: 'i', isBlocking: true, autoResolutionMs: null },
        }
        expect(fits('ToolRequestUserInputParams', params)).toBe(true)
        const typed = (each: AskedQuestion) => (each.options ? { ...each, allowFreeText: true } : each)
        expect(parseRequest(params)).toEqual(questions.map(typed).map(trimmed))
      }),
      { numRuns: 1000 },
    )
  })
})

/** Space around a question is lost. */
const trimmed = (each: AskedQuestion): AskedQuestion => ({ ...each, question: each.question.trim() })
