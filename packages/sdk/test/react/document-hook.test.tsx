// A page written from the SandAgent document alone: it shows what the hook returns, calls `selectAnswer` on click, and has no
// button that sends.

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Question, ToolPart } from '@sandagent/core'
import { FEATURES, LANGUAGE, partAsking } from '@sandagent/fixtures/question-card.tsx'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createAnswerHandler, LocalSandbox, submitAnswer, toNodeHandler } from '../../src/index.ts'
import { useAskUserQuestion } from '../../src/react.ts'

// What a real server sends comes when it comes, outside of any act().
beforeAll(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false))
afterAll(() => vi.unstubAllGlobals())

const UNDO_MS = 50

function DocumentPage({ part, answerEndpoint }: { part: ToolPart; answerEndpoint: string }) {
  const { questions, isCompleted, isWaitingForInput, selectAnswer, isSelected } = useAskUserQuestion({
    part,
    answerEndpoint,
    undoMs: UNDO_MS,
  })
  return (
    <section>
      {questions.map(({ question, options = [], multiSelect = false }) => (
        <fieldset key={question} disabled={!isWaitingForInput}>
          <legend>{question}</legend>
          {options.map(({ label }) => (
            <button
              type="button"
              key={label}
              aria-pressed={isSelected(question, label, multiSelect)}
              onClick={() => selectAnswer(question, label, multiSelect)}
            >
              {label}
            </button>
          ))}
        </fieldset>
      ))}
      <p role="status">{isCompleted ? 'completed' : 'waiting'}</p>
    </section>
  )
}

type Handle = (sandbox: LocalSandbox) => (request: Request) => Promise<Response>

/** The route of the document: it forwards three fields. */
const documentRoute: Handle = (sandbox) => async (request) => {
  const { toolCallId, questions, answers } = await request.json()
  await submitAnswer(sandbox, { toolCallId, questions, answers })
  return Response.json({ success: true })
}
const ownRoute: Handle = (sandbox) => createAnswerHandler({ sandbox, olderRunners: true }).POST

/** The document knows no stream. */
const noStream = async (): Promise<Response> => Response.json({}, { status: 404 })

const noting =
  (posted: unknown[], route: ReturnType<Handle>) =>
  async (request: Request): Promise<Response> => {
    posted.push(await request.clone().json())
    return route(request)
  }

/** Opens the page beside its route. */
async function openPage(handle: Handle, ...questions: Question[]) {
  const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
  const route = handle(sandbox)
  const posted: { answers: unknown }[] = []
  const server = createServer(toNodeHandler({ GET: noStream, POST: noting(posted, route) }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const part = partAsking(...questions)
  const answerEndpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/answer`
  const page = render(<DocumentPage part={part} answerEndpoint={answerEndpoint} />)
  onTestFinished(async () => {
    page.unmount()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const file = async () =>
    JSON.parse(
      await readFile(join(sandbox.workdir, '.sandagent/approvals', `${part.toolCallId}.json`), 'utf8'),
    )
  return { posted, file, page }
}

const click = (label: string): boolean => fireEvent.click(screen.getByRole('button', { name: label }))
const completed = () => waitFor(() => expect(screen.getByRole('status').textContent).toBe('completed'))

describe.each([
  ['the route of the document', documentRoute],
  ['createAnswerHandler', ownRoute],
])('clicks alone complete a call, through %s', (_, handle) => {
  it('with a lone multiple choice', async () => {
    const { file } = await openPage(handle, FEATURES)
    click('README, with usage')
    click('Tests')
    await completed()
    expect(await file()).toMatchObject({
      status: 'completed',
      answers: { 'Which features?': '"README, with usage", Tests' },
    })
  })

  it('with a single and a multiple choice, and the answers stand in each body', async () => {
    const { file, posted } = await openPage(handle, LANGUAGE, FEATURES)
    click('Python')
    await waitFor(async () =>
      expect(await file()).toMatchObject({ status: 'pending', answers: { 'Which language?': 'Python' } }),
    )
    click('Tests')
    await completed()
    const answers = { 'Which language?': 'Python', 'Which features?': 'Tests' }
    expect(await file()).toMatchObject({ status: 'completed', answers })
    expect(posted.map((body) => body.answers)).toEqual([{ 'Which language?': 'Python' }, answers])
  })
})

it('the file has what the page shows, for random clicks', async () => {
  const labels = [...(LANGUAGE.options ?? []), ...(FEATURES.options ?? [])].map(({ label }) => label)
  const clicks = fc.array(fc.constantFrom(...labels), { minLength: 1, maxLength: 10 })
  for (const sequence of fc.sample(clicks, 20)) {
    const { file, page } = await openPage(documentRoute, LANGUAGE, FEATURES)
    for (const label of sequence) click(label)
    const isPressed = (label: string): boolean =>
      screen.getByRole('button', { name: label }).getAttribute('aria-pressed') === 'true'
    // What is still missing, so that the answer is complete.
    if (!labels.slice(0, 2).some(isPressed)) click('Python')
    await waitFor(() => expect(labels.slice(0, 2).some(isPressed)).toBe(true))
    if (!labels.slice(2).some(isPressed)) click('Tests')
    await completed()
    const { answers, status } = await file()
    const shown = labels.filter(isPressed)
    const stored = labels.filter((label) => Object.values<string>(answers).join(', ').includes(label))
    expect({ status, stored }, JSON.stringify(sequence)).toEqual({ status: 'completed', stored: shown })
    page.unmount()
  }
})
