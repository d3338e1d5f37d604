import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  type AnswerRequest,
  type LocalSandbox,
  listQuestions,
  type SubmitOptions,
  submitAnswer,
} from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { post } from '../support/servers/serve.ts'
import { createWorkspace } from '../support/workspace.ts'

/** Runs an example until the test is over; those of dialects print one JSON value per line. */
function start(name: string, { workdir }: LocalSandbox, input?: unknown) {
  const path = join(root, 'examples', `${name}.mjs`)
  const child = spawn(process.execPath, [path, workdir], { env: { ...process.env, PORT: '0' } })
  const closed = once(child, 'close')
  const kill = async () => {
    child.kill('SIGKILL')
    await closed
  }
  onTestFinished(kill)
  child.stdin.end(input === undefined ? '' : JSON.stringify(input))
  const printed = { text: '' }
  child.stdout.on('data', (piece) => {
    printed.text += piece
  })
  const errors = text(child.stderr)
  const lines = () =>
    printed.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  /** What it printed in the end. */
  const ended = async () => {
    const [exitCode] = await closed
    expect({ exitCode, errors: await errors }).toEqual({ exitCode: 0, errors: '' })
    return lines().at(-1)
  }
  return { text: () => printed.text, lines, ended, kill }
}

const asked = (sandbox: LocalSandbox, count = 1) =>
  vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(count))

const answer = async (sandbox: LocalSandbox, request: AnswerRequest, options?: SubmitOptions) => {
  await asked(sandbox)
  await submitAnswer(sandbox, request, options)
}

describe('examples/dialects/claude.mjs', () => {
  it('gives the tool’s output', async () => {
    const { sandbox } = await createWorkspace()
    const options = ['Yes, always', 'No'].map((label) => ({ label, description: `About ${label}` }))
    const question = { question: 'May I?', header: 'Permit', options, multiSelect: true }
    const { ended } = start('dialects/claude', sandbox, {
      questions: [question],
      answers: { 'May I?': 'No' },
    })
    await answer(sandbox, {
      toolCallId: 'toolu_1',
      responses: { q1: { selected: ['Yes, always', 'No'], notes: 'both', source: 'human' } },
    })
    expect(await ended()).toEqual({
      questions: [question],
      answers: { 'May I?': '"Yes, always", No' },
      annotations: { 'May I?': { notes: 'both' } },
    })
  })
})

describe('examples/dialects/harness.mjs', () => {
  it('gives the tool’s output', async () => {
    const { sandbox } = await createWorkspace()
    const input = {
      allowPartialAnswers: true,
      questions: [
        { id: 'color', question: 'Which color?', options: [{ id: 'b', label: 'Blue' }], allowFreeForm: true },
        { id: 'size', question: 'Which size?' },
      ],
    }
    const { ended } = start('dialects/harness', sandbox, input)
    await answer(sandbox, { toolCallId: 'call_1', status: 'completed', answers: { 'Which color?': 'Blue' } })
    expect(await ended()).toEqual({ action: 'partially-answered', answers: { color: { optionIds: ['b'] } } })
  })
})

describe('examples/dialects/agentrail.mjs', () => {
  it('takes the answers of AgentRail’s pages', async () => {
    const { sandbox } = await createWorkspace()
    const { lines, ended } = start('dialects/agentrail', sandbox)
    const waiting = await vi.waitFor(() => {
      const events = lines().filter(({ type }) => type === 'waiting_for_user_input')
      expect(events).toHaveLength(2)
      return events
    })
    const { port } = await vi.waitFor(() => {
      const line = lines().find(({ type }) => type === 'listening')
      expect(line).toBeDefined()
      return line
    })
    for (const { toolCallId, options } of waiting) {
      const body = { kind: 'question', answer: options ? 'Jest' : 'Azure', toolCallId }
      const response = await post(`http://127.0.0.1:${port}/api/sessions/session-1/respond`, body)
      expect(await response.json()).toEqual({ ok: true })
    }
    expect(await ended()).toEqual({
      type: 'results',
      results: [
        { question: 'Which testing framework should I use?', answer: 'Jest' },
        { question: 'Where will it run?', answer: 'Azure' },
      ],
    })
  })
})

describe('examples/dialects/cognipeer.mjs', () => {
  it('goes on in another process with the answer that was given while there was none', async () => {
    const { sandbox } = await createWorkspace()
    const first = start('dialects/cognipeer', sandbox)
    await vi.waitFor(() => expect(first.lines()).toMatchObject([{ status: 'pending', id: 'uq_1' }]))
    await first.kill()
    const answers = { 'Which framework should we scaffold with?': 'Svelte', 'What is it called?': 'Demo' }
    await answer(sandbox, { toolCallId: 'call_1', answers }, { answeredBy: 'ada@team' })
    const second = start('dialects/cognipeer', sandbox)
    const message = await second.ended()
    expect({ ...message, content: JSON.parse(message.content) }).toEqual({
      role: 'tool',
      name: 'ask_user_question',
      tool_call_id: 'call_1',
      content: {
        status: 'answered',
        answers: [
          {
            question: 'Which framework should we scaffold with?',
            header: 'Framework',
            values: ['svelte'],
          },
          { question: 'What is it called?', header: 'Name', values: [], freeText: 'Demo' },
        ],
      },
    })
    expect(second.lines()).toContainEqual(
      expect.objectContaining({ type: 'user_question', status: 'answered', answeredBy: 'ada@team' }),
    )
  })
})

describe('examples/answers.mjs', () => {
  it('lists what a folder asks, and answers it', async () => {
    const { sandbox } = await createWorkspace()
    const { ended } = start('dialects/harness', sandbox, {
      allowPartialAnswers: false,
      questions: [{ id: 'name', question: 'Which name?' }],
    })
    const { text } = start('answers', sandbox)
    await asked(sandbox)
    const [, port] = await vi.waitFor(() => /port: (\d+)/.exec(text()) ?? expect.fail('It does not listen'))
    const address = `http://127.0.0.1:${port}/api/answer`
    expect(await (await fetch(address)).json()).toMatchObject({ questions: [{ toolCallId: 'call_1' }] })
    expect((await post(address, { toolCallId: 'call_1', answers: { 'Which name?': 'Ada' } })).status).toBe(
      200,
    )
    expect(await ended()).toEqual({
      action: 'answered',
      answers: { name: { optionIds: [], freeform: 'Ada' } },
    })
  })
})
