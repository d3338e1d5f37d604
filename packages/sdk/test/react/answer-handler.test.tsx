import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type OpenRecord,
  type Receipt,
  readQuestions,
  type ToolPart,
  withReceipt,
} from '@sandagent/core/internal'
import { FEATURES, LANGUAGE, partAsking, questionCard } from '@sandagent/fixtures/question-card.tsx'
import { useAskUserQuestion } from '@sandagent/react'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createAnswerHandler, LocalSandbox, submitAnswer, toNodeHandler } from '../../src/index.ts'

const QuestionCard = questionCard(useAskUserQuestion)

let sandbox: LocalSandbox
let server: Server
let answerEndpoint: string

// What a real server sends comes when it comes, outside of any act().
beforeAll(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false))
afterAll(() => vi.unstubAllGlobals())

beforeEach(async () => {
  sandbox = new LocalSandbox({ workdir: await mkdtemp(join(tmpdir(), 'sandagent-react-')) })
  server = createServer(toNodeHandler(createAnswerHandler({ sandbox })))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  answerEndpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/answer`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  // Whoever reads an answer that is just being stored may finish storing it.
  await rm(sandbox.workdir, { recursive: true, maxRetries: 10 })
})

const status = (text: string) => waitFor(() => expect(screen.getByRole('status').textContent).toBe(text))

/** Writes the question file of a part, as its runner would. */
async function record(part: ToolPart, receipt?: Receipt): Promise<void> {
  const open: OpenRecord = {
    version: 1,
    toolCallId: part.toolCallId,
    toolName: 'AskUserQuestion',
    kind: 'question',
    questions: readQuestions(part.input),
    askedAt: '2026-01-01T00:00:00.000Z',
    timeoutMs: 'never',
    deadline: null,
    nonce: 'nonce-1',
    runId: 'run-1',
    state: 'open',
  }
  const text = JSON.stringify(receipt ? withReceipt(open, receipt) : open)
  await sandbox.files.writeAtomic(`.sandagent/questions/${part.toolCallId}.json`, text)
}

it('saves a draft, finds it again after a reload, sends it, and shows the receipt of the agent', async () => {
  const part = partAsking(LANGUAGE, FEATURES)
  await record(part)
  const before = render(<QuestionCard part={part} answerEndpoint={answerEndpoint} />)
  await userEvent.click(screen.getByLabelText('Python'))
  await status('waiting')
  before.unmount()

  render(<QuestionCard part={part} answerEndpoint={answerEndpoint} />)
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Python').checked).toBe(true))
  await userEvent.click(screen.getByLabelText('README, with usage'))
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
  await status('sent')

  const answerFile = JSON.parse(
    (await sandbox.files.read(`.sandagent/approvals/${part.toolCallId}.json`)) ?? '',
  )
  expect(answerFile).toMatchObject({
    answers: { 'Which language?': 'Python', 'Which features?': '"README, with usage"' },
    status: 'completed',
    nonce: 'nonce-1',
  })
  const { responses, revision } = answerFile
  await record(part, { state: 'answered', settledAt: new Date().toISOString(), responses, revision })
  await status('received')
})

it('shows who was faster when another answer is stored already', async () => {
  const part = partAsking(LANGUAGE)
  await record(part)
  const { toolCallId } = part
  await submitAnswer(
    sandbox,
    { toolCallId, answers: { 'Which language?': 'TypeScript' } },
    { answeredBy: 'ada' },
  )
  render(<QuestionCard part={part} answerEndpoint={answerEndpoint} fetch={withoutStreams} />)
  await userEvent.click(screen.getByLabelText('Python'))
  await status('superseded')
  expect(screen.getByTestId('by').textContent).toBe('ada')
  expect(screen.getByLabelText<HTMLInputElement>('TypeScript').checked).toBe(true)
})

it('is answered in one tab, and the other tab shows it', async () => {
  const part = partAsking(LANGUAGE)
  await record(part)
  render(<QuestionCard part={part} answerEndpoint={answerEndpoint} />)
  const { toolCallId } = part
  await submitAnswer(sandbox, { toolCallId, answers: { 'Which language?': 'TypeScript' } })
  await status('sent')
  expect(screen.getByLabelText<HTMLInputElement>('TypeScript').checked).toBe(true)
})

/** A page that could not follow the question, and so knows nothing of the other answer. */
const withoutStreams: typeof fetch = (url, init) =>
  init?.method === 'POST' ? fetch(url, init) : Promise.resolve(new Response(null, { status: 405 }))
