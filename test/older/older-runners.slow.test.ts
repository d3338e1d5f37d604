import { answerFilePath } from '@sandagent/files'
import { createAnswerHandler, type LocalSandbox } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { call, text } from '../support/models/messages-api.ts'
import { OLDER_RUNNERS, type OlderRunner, startOlderRunner } from '../support/older/older-runners.ts'

const questions = [
  {
    question: 'Which language?',
    header: 'Language',
    multiSelect: false,
    options: [
      { label: 'TypeScript', description: 'Types' },
      { label: 'Python', description: 'No types' },
    ],
  },
]

/** Waits until the runner polls for an answer: it makes a pending file first. Claude Code starts slowly on a busy machine. */
const pending = (sandbox: LocalSandbox, toolCallId: string) =>
  vi.waitFor(async () => {
    const file = await sandbox.files.read(answerFilePath(toolCallId, sandbox))
    expect(JSON.parse(file ?? '{}')).toMatchObject({ status: 'pending' })
  }, 90_000)

/** The answer API of a host that serves older runners. */
const apiOf = (sandbox: LocalSandbox) =>
  createAnswerHandler({ sandbox, signingKeys: null, olderRunners: true, authorize: () => true })

const post = (sandbox: LocalSandbox, body: object): Promise<Response> =>
  apiOf(sandbox).POST(
    new Request('http://localhost/api/answer', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

describe.each(Object.keys(OLDER_RUNNERS) as OlderRunner[])('%s', (name) => {
  it('goes on with the answer that this host stores', async () => {
    const ask = call('AskUserQuestion', { questions })
    const { sandbox, api, chunks } = await startOlderRunner(name, [[ask], [text('Done.')]])
    await pending(sandbox, ask.id)
    const answers = { 'Which language?': 'Python' }
    const response = await post(sandbox, { toolCallId: ask.id, questions, answers })
    expect(await response.json()).toMatchObject({ success: true, status: 'completed' })
    const output = (await chunks).find(
      ({ type, toolCallId }) => type === 'tool-output-available' && toolCallId === ask.id,
    )
    expect(JSON.stringify(output)).toContain('Python')
    expect(api.resultOf(ask.id)?.text).toContain('Python')
  })

  it('shows its question in the list of this host, and its model gets a refusal as one, at once', async () => {
    const ask = call('AskUserQuestion', { questions })
    const { sandbox, api, chunks } = await startOlderRunner(name, [[ask], [text('Done.')]])
    await pending(sandbox, ask.id)
    const list = await apiOf(sandbox).GET(new Request('http://localhost/api/answer'))
    expect(await list.json()).toMatchObject({
      questions: [{ toolCallId: ask.id, state: 'open', questions: [{ question: 'Which language?' }] }],
    })
    const response = await post(sandbox, { toolCallId: ask.id, status: 'declined', reason: 'not now' })
    expect(await response.json()).toMatchObject({ success: true, status: 'declined' })
    await chunks
    const told = api.resultOf(ask.id)?.text ?? ''
    expect(told.replaceAll('\\', '')).toContain('The user declined to answer, saying "not now"')
    expect(told).not.toMatch(/TypeScript|Python|[Tt]imeout/)
  })
})
