import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { AskedQuestion, Attachment, Outcome, QuestionView } from '@sandagent/core'
import { type AskRequest, askUser } from '@sandagent/runner'
import {
  createAnswerHandler,
  listQuestions,
  type RunSandbox,
  submitAnswer,
  toNodeHandler,
} from '@sandagent/sdk'
import { storeAttachment } from '@sandagent/sdk/internal'
import { afterEach, expect, vi } from 'vitest'
import { createSignedWorkspace } from '../workspace.ts'

/** An image of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

/** A host that serves the answer API to this machine, and a runner of its own. */
export async function createPlace(files: object = {}, more: object = {}) {
  const { sandbox, signingKeys, runner } = await createSignedWorkspace()
  const handler = createAnswerHandler({ sandbox, signingKeys })
  const server = createServer(toNodeHandler(handler))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endings.push(() => server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/answer`
  const channel = runner()
  const request = (toolCallId: string): AskRequest => ({
    toolCallId,
    runId: 'run-1',
    questions: [{ id: 'q', question: 'What do you see?', files, ...more }],
  })
  const ask = (toolCallId = 'c1', on = channel) =>
    new Promise<{ outcome: Promise<Outcome> }>((resolve, reject) => {
      const outcome = askUser(on, request(toolCallId), { onAsked: () => resolve({ outcome }) })
      outcome.then(() => resolve({ outcome }), reject)
    })
  const upload = async (bytes: Uint8Array, type = 'image/png', toolCallId = 'c1') => {
    const query = new URLSearchParams({ toolCallId, question: 'q', type })
    const response = await fetch(`${url}?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from(bytes),
    })
    const reply = (await response.json()) as { file: Omit<Attachment, 'name'>; error?: { code: string } }
    return { status: response.status, ...reply }
  }
  const answer = (of: Attachment[], toolCallId = 'c1', status: 'completed' | 'pending' = 'completed') =>
    submitAnswer(
      sandbox,
      { toolCallId, status, responses: { q: { selected: [], files: of, source: 'human' } } },
      { signingKeys },
    )
  const view = async (toolCallId = 'c1'): Promise<QuestionView> =>
    (await (await fetch(`${url}?toolCallId=${toolCallId}`)).json()) as QuestionView
  const { workdir } = sandbox
  const folder = join(workdir, '.sandagent/attachments')
  const names = async (): Promise<string[]> =>
    existsSync(folder) ? (await readdir(folder)).filter((name) => !name.includes('~')) : []
  return { sandbox, signingKeys, runner, url, ask, upload, answer, view, workdir, folder, names }
}

/** Answers the first question of a call with a file alone, once it is open. Returns the file as the answer names it. */
export async function answerWithFile(
  sandbox: RunSandbox,
  toolCallId: string,
  bytes: Uint8Array = PNG,
  name = 'screen.png',
): Promise<Attachment> {
  const question = await vi.waitFor(async () => {
    const view = (await listQuestions(sandbox)).find((each) => each.toolCallId === toolCallId)
    expect(view).toBeDefined()
    return view?.questions[0] as AskedQuestion
  })
  const stored = await storeAttachment(sandbox, {
    toolCallId,
    question,
    mediaType: 'image/png',
    bytes: [bytes],
  })
  const file = { ...stored, name }
  const response = { selected: [], files: [file], source: 'human' as const }
  await submitAnswer(sandbox, { toolCallId, responses: { [question.id]: response } })
  return file
}
