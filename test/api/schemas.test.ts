import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ASK_TOOL, type QuestionRecord } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createSigningKey, LocalSandbox, parseSigningKeys, submitAnswer } from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { answerFile, questionFile } from '../support/question-files.ts'

const ajv = new Ajv2020({ allErrors: true, strictTypes: false })
ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)) && /^\d{4}-.*Z$/.test(text))

/** The faults that a published schema finds. */
function faultsBy(name: string): (value: unknown) => unknown[] {
  const path = createRequire(import.meta.url).resolve(`@sandagent/core/schemas/${name}.json`)
  const validate = ajv.compile(JSON.parse(readFileSync(path, 'utf8')))
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}

const faultsOfAnswer = faultsBy('answer-file')
const faultsOfRecord = faultsBy('question-record')
const faultsOfInput = faultsBy('ask-user-question-input')

/** A question that the real channel recorded, and what writes its answers. */
async function asked(more: Partial<QuestionRecord> = {}) {
  const workdir = await tempDir()
  const runner = createFileRunnerChannel({ workdir })
  const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  const record = await runner.open(openRecord('toolu_1', more as object))
  const signingKeys = await parseSigningKeys(await createSigningKey())
  return {
    runner,
    record,
    question: () => questionFile(workdir, 'toolu_1'),
    answer: () => answerFile(workdir, 'toolu_1'),
    submit: (request: object) =>
      submitAnswer(sandbox, { toolCallId: 'toolu_1', ...request }, { signingKeys }),
  }
}

const responses = { q1: { selected: ['A'], notes: 'As before', source: 'human' as const } }

describe('the JSON Schema of a question record', () => {
  it('takes the file of each state', async () => {
    const { runner, question } = await asked({ timeoutMs: 60_000, asker: { agent: 'reviewer' } })
    expect(await question()).toMatchObject({ state: 'open' })
    expect(faultsOfRecord(await question())).toEqual([])
    await runner.close('toolu_1', 'timed-out')
    expect(await question()).toMatchObject({ state: 'closing' })
    expect(faultsOfRecord(await question())).toEqual([])
    await runner.settle('toolu_1', {
      state: 'timed-out',
      settledAt: '2026-01-01T00:00:02.000Z',
      responses: {},
    })
    expect(await question()).toMatchObject({ state: 'timed-out' })
    expect(faultsOfRecord(await question())).toEqual([])
  })

  it('takes the file of a permission', async () => {
    const { question } = await asked({
      kind: 'approval',
      subject: { toolName: 'Bash', input: { command: 'ls' } },
    })
    expect(faultsOfRecord(await question())).toEqual([])
  })

  it.each([
    ['no nonce', { nonce: undefined }],
    ['no such state', { state: 'lost' }],
    ['a receipt without its time', { state: 'answered', responses: {} }],
    ['no question', { questions: [] }],
    ['a wait above a year', { timeoutMs: 1e15 }],
  ])('finds the fault of a file with %s', async (_, fault) => {
    const { question } = await asked()
    const broken = JSON.parse(JSON.stringify({ ...(await question()), ...fault }))
    expect(faultsOfRecord(broken)).not.toEqual([])
  })
})

describe('the JSON Schema of an answer file', () => {
  it.each([
    ['a draft', { responses, status: 'pending' }],
    ['an answer', { responses, status: 'completed' }],
    ['an answer that can be replaced', { answers: { 'Which language?': 'A' } }],
    ['a refusal', { status: 'declined', reason: 'No time' }],
  ])('takes the file of %s', async (_, request) => {
    const { submit, answer } = await asked()
    await submit(request)
    expect(await answer()).toMatchObject({ toolCallId: 'toolu_1', signature: expect.any(String) })
    expect(faultsOfAnswer(await answer())).toEqual([])
  })

  it('takes the four keys that every SandAgent runner reads', () => {
    const file = {
      questions: [{ question: 'Which language?', options: [{ label: 'A' }] }],
      answers: { 'Which language?': 'A' },
      status: 'completed',
      timestamp: '2026-01-01T00:00:00.000Z',
    }
    expect(faultsOfAnswer(file)).toEqual([])
    for (const key of Object.keys(file)) expect(faultsOfAnswer({ ...file, [key]: 7 })).not.toEqual([])
  })
})

describe('the JSON Schema of the tool’s input', () => {
  it('takes what the tool tells the model to send', () => {
    const questions = [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }], multiSelect: true }]
    expect(new Ajv2020({ strict: false }).validate(ASK_TOOL.inputSchema, { questions })).toBe(true)
    expect(faultsOfInput({ questions })).toEqual([])
  })

  it.each([
    {},
    { questions: [] },
    { questions: [{ question: ' ' }] },
    { questions: [{ question: 'Which?', options: ['A'] }] },
  ])('finds the fault of %j', (input) => {
    expect(faultsOfInput(input)).not.toEqual([])
  })
})
