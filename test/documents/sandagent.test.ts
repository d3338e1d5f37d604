// SandAgent's document, sentence by sentence. `older-runners.slow.test.ts` drives the runners on npm, `older-page.test.ts` its
// page, `packed-samples.test.ts` its own code.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAskUserQuestionPart, type Outcome, type Question } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { passTime } from '@sandagent/fixtures/pass-time.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type AskOptions, askUser, toolResultOf } from '@sandagent/runner'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createOlderPage } from '../support/older/older-page.ts'

const language: Question = {
  question: 'What is your preferred language?',
  options: [{ label: 'TypeScript' }, { label: 'Python' }],
}
const extras: Question = {
  question: 'Which extras?',
  multiSelect: true,
  options: [{ label: 'Tests' }, { label: 'Docs' }],
}
const toolCallId = 'toolu_1'

/** The document's route, a page that posts to it, and a runner in the same workdir. */
async function chat(questions: Question[], given: Partial<AskOptions> = {}) {
  const workdir = await tempDir()
  const route = async (body: string): Promise<Response> => {
    const { toolCallId, questions, answers } = JSON.parse(body)
    const sandbox = new LocalSandbox({ workdir, isolation: 'none' })
    await submitAnswer(sandbox, { toolCallId, questions, answers }, { signingKeys: null })
    return Response.json({ success: true })
  }
  const onAsked = vi.fn()
  const options = { onAsked, quietMs: 200, ...given }
  const request = { toolCallId, runId: 'run', questions }
  const outcome: Promise<Outcome> = askUser(createFileRunnerChannel({ workdir }), request, options)
  await vi.waitFor(() => expect(onAsked).toHaveBeenCalled())
  const page = createOlderPage({ toolCallId, questions }, route)
  onTestFinished(async () => void (await page.replies()))
  const folder = join(workdir, '.sandagent/approvals')
  return {
    outcome,
    page,
    route,
    files: async () => (await readdir(folder)).filter((name) => !name.startsWith('.')),
    file: async () => JSON.parse(await readFile(join(folder, `${toolCallId}.json`), 'utf8')),
  }
}

describe('the runner', () => {
  it('waits for an answer file, and goes on once its status is completed', async () => {
    const { outcome, page, file } = await chat([language, extras])
    page.selectAnswer(language.question, 'Python')
    await page.replies()
    expect(await file()).toMatchObject({ status: 'pending' })
    page.selectAnswer(extras.question, 'Docs', true)
    expect(await outcome).toMatchObject({ kind: 'answered' })
    expect(await file()).toMatchObject({ status: 'completed' })
  })

  it('only reads the answer file: it makes none, and leaves the one that is there', async () => {
    const { outcome, page, files } = await chat([language])
    expect(await files()).toEqual([])
    page.selectAnswer(language.question, 'Python')
    await outcome
    expect(await files()).toEqual([`${toolCallId}.json`])
  })

  it('goes on with partial answers when the time is over, and says which are missing', async () => {
    const clock = createFakeClock()
    const { outcome, page } = await chat([language, extras], { timeoutMs: 60_000, clock })
    page.selectAnswer(language.question, 'Python')
    await page.replies()
    const { kind, unanswered } = await passTime(clock, 60_000, outcome)
    expect({ kind, unanswered }).toEqual({ kind: 'partial', unanswered: ['q2'] })
  })
})

describe('the answer API', () => {
  it('takes toolCallId, questions and answers, and replies with success', async () => {
    const { outcome, route } = await chat([language])
    const answers = { [language.question]: 'TypeScript' }
    const response = await route(JSON.stringify({ toolCallId, questions: [language], answers }))
    expect(await response.json()).toEqual({ success: true })
    expect(await outcome).toMatchObject({ kind: 'answered' })
  })

  it('overwrites the file on every update, as long as the runner has not taken the answer', async () => {
    const { outcome, page, file } = await chat([language, extras])
    const seen: unknown[] = []
    for (const [question, label] of [
      [language, 'TypeScript'],
      [language, 'Python'],
      [extras, 'Docs'],
    ] as const) {
      page.selectAnswer(question.question, label, question.multiSelect)
      await page.replies()
      seen.push((await file()).answers)
    }
    expect(seen).toEqual([
      { [language.question]: 'TypeScript' },
      { [language.question]: 'Python' },
      { [language.question]: 'Python', [extras.question]: 'Docs' },
    ])
    await outcome
  })

  it('writes the file at the place and with the keys of the document', async () => {
    const { outcome, page, file } = await chat([language])
    page.selectAnswer(language.question, 'TypeScript')
    await outcome
    const content = await file()
    expect(Object.keys(content).slice(0, 4)).toEqual(['questions', 'answers', 'status', 'timestamp'])
    expect(content).toMatchObject({
      questions: [language],
      answers: { [language.question]: 'TypeScript' },
      status: 'completed',
    })
    expect(new Date(content.timestamp).toISOString()).toBe(content.timestamp)
  })

  it('takes the recorded questions, and not the ones that a page sends', async () => {
    const { outcome, route, file } = await chat([language])
    const answers = { [language.question]: 'Python' }
    const questions = [{ ...language, options: [{ label: 'Cobol' }] }]
    await route(JSON.stringify({ toolCallId, questions, answers }))
    await outcome
    expect((await file()).questions).toEqual([language])
  })

  it('refuses answers to what is no question', async () => {
    const { outcome, page, route } = await chat([language])
    const body = JSON.stringify({ toolCallId, questions: [language], answers: { 'Which one?': 'x' } })
    await expect(route(body)).rejects.toMatchObject({ code: 'INVALID_ANSWERS' })
    page.selectAnswer(language.question, 'Python')
    await outcome
  })
})

describe('the page', () => {
  it('knows the tool by the name AskUserQuestion of a dynamic part', () => {
    expect(isAskUserQuestionPart({ type: 'dynamic-tool', toolName: 'AskUserQuestion' })).toBe(true)
    expect(isAskUserQuestionPart({ type: 'dynamic-tool', toolName: 'Bash' })).toBe(false)
  })
})

describe('the data', () => {
  it('needs of a question its text alone: header, options, descriptions and multiSelect may be missing', async () => {
    const questions = [{ question: 'Name?' }]
    const { outcome, route } = await chat(questions)
    await route(JSON.stringify({ toolCallId, questions, answers: { 'Name?': 'Ada' } }))
    expect(await outcome).toMatchObject({ kind: 'answered', responses: { q1: { freeText: 'Ada' } } })
  })

  it('has in the output the questions, and the answers as text, several of one question separated by commas', async () => {
    const clock = createFakeClock()
    const { outcome, page } = await chat([extras], { clock })
    page.selectAnswer(extras.question, 'Tests', true)
    page.selectAnswer(extras.question, 'Docs', true)
    await page.replies()
    expect(toolResultOf(await passTime(clock, 200, outcome))).toMatchObject({
      output: { questions: [extras], answers: { [extras.question]: 'Tests, Docs' } },
    })
  })
})
