import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnswerRequest, ApprovalSubject, RunnerChannel } from '@sandagent/core'
import { answerFilePath } from '@sandagent/files'
import { type AskOptions, approvalIn, approvalQuestion, askUser } from '@sandagent/runner'
import {
  createAnswerHandler,
  type LocalSandbox,
  listQuestions,
  type Policy,
  submitAnswer,
} from '@sandagent/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { post, serve } from '../support/servers/serve.ts'
import { createSignedWorkspace } from '../support/workspace.ts'

const subject = { toolName: 'Bash', input: { command: 'rm -rf build' }, editable: true as const }
const EDITED = { command: 'rm -rf build/tmp' }

/** Asks for the approval of a call, and calls back once it can be answered. */
const approval = (
  channel: RunnerChannel,
  toolCallId: string,
  onAsked: () => Promise<unknown>,
  { call = subject, ...options }: AskOptions & { call?: ApprovalSubject } = {},
) =>
  askUser(
    channel,
    {
      ...{ kind: 'approval', runId: 'run-1', toolCallId, toolName: 'Bash', subject: call },
      questions: [approvalQuestion('Bash', { sessionScope: 'All' })],
    },
    { ...options, onAsked: async () => void (await onAsked()) },
  )

const decided = (toolCallId: string, input: unknown, more: object = {}): AnswerRequest => ({
  toolCallId,
  status: 'completed',
  responses: { permission: { selected: ['allow-once'], source: 'human', input, ...more } },
})

/** Objects as JSON has them: with names that a prototype has, hidden characters and halves of characters. */
const inputs = fc
  .dictionary(
    fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'command', '1', '\u200b')),
    fc.oneof(fc.jsonValue(), fc.constantFrom('\u202e', '\ud800', 'a\r\nb', -0, 1e21, 0.1)),
    { maxKeys: 5 },
  )
  .map((value) => JSON.parse(JSON.stringify(value)))

describe('what runs', () => {
  it('is byte for byte what was sent to the host, and signed', async () => {
    const { sandbox, signingKeys, runner } = await createSignedWorkspace()
    const authorize = () => true
    const url = await serve(createAnswerHandler({ sandbox, signingKeys, authorize }))
    let calls = 0
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const toolCallId = `call-${++calls}`
        const outcome = await approval(runner(), toolCallId, async () => {
          const reply = await post(url, decided(toolCallId, input))
          expect(reply.status).toBe(200)
        })
        expect(JSON.stringify(approvalIn(outcome).input)).toBe(JSON.stringify(input))
        const views = await listQuestions(sandbox, { all: true })
        const view = views.find((each) => each.toolCallId === toolCallId)
        expect(view).not.toHaveProperty('disputed')
        const shown = view?.responses.permission as { input: unknown }
        expect(JSON.stringify(shown.input)).toBe(JSON.stringify(input))
      }),
      { numRuns: 40 },
    )
  })

  it('is the same after the runner was started again', async () => {
    const { sandbox, signingKeys, runner } = await createSignedWorkspace()
    const gone = new AbortController()
    const first = await approval(runner(), 'a', async () => gone.abort(), { detachSignal: gone.signal })
    expect(first.kind).toBe('aborted')
    await submitAnswer(sandbox, decided('a', EDITED), { signingKeys })
    for (const _ of ['the answer', 'the receipt'])
      expect(approvalIn(await approval(runner(), 'a', async () => {}))).toEqual({
        decision: 'allowOnce',
        input: EDITED,
      })
  })

  it('is not the draft of an edit, however long it stood there', async () => {
    const { sandbox, signingKeys, runner } = await createSignedWorkspace()
    const draft: AnswerRequest = { ...decided('a', EDITED), status: 'pending' }
    const outcome = await approval(runner(), 'a', () => submitAnswer(sandbox, draft, { signingKeys }), {
      timeoutMs: 300,
    })
    expect(outcome.kind).toBe('partial')
    expect(approvalIn(outcome)).toEqual({})
  })
})

describe('a host', () => {
  const FIXED: ApprovalSubject = { toolName: 'Bash', input: subject.input }

  it.each<[string, ApprovalSubject, object, unknown]>([
    ['a denial', subject, { selected: ['deny'] }, EDITED],
    ['"Allow for this session"', subject, { selected: ['allow-session'] }, EDITED],
    ['a call that may not be edited', FIXED, {}, EDITED],
    ['no object', subject, {}, 'rm -rf /'],
    [
      'an input that is nested too deeply',
      subject,
      {},
      JSON.parse(`{"a":${'['.repeat(600)}${']'.repeat(600)}}`),
    ],
  ])('refuses an edited input with %s', async (_, call, response, input) => {
    const { sandbox, signingKeys, runner } = await createSignedWorkspace()
    const stop = new AbortController()
    const refused = async (): Promise<void> => {
      const answer = decided('a', input, response)
      await expect(submitAnswer(sandbox, answer, { signingKeys })).rejects.toMatchObject({
        code: expect.stringMatching(/^INVALID_(ANSWERS|REQUEST)$/),
      })
      stop.abort()
    }
    const outcome = await approval(runner(), 'a', refused, { call, signal: stop.signal })
    expect(approvalIn(outcome)).toEqual({})
  })

  it('refuses a number that JSON cannot say again', async () => {
    const { sandbox, signingKeys, runner } = await createSignedWorkspace()
    const stop = new AbortController()
    const url = await serve(
      createAnswerHandler({ sandbox, signingKeys, authorize: () => true, onError: () => {} }),
    )
    const outcome = approval(
      runner(),
      'a',
      async () => {
        const body = JSON.stringify(decided('a', { n: 'N' })).replace('"N"', '1e999')
        const headers = { 'content-type': 'application/json' }
        const reply = await fetch(url, { method: 'POST', headers, body })
        expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('JSON')])
        stop.abort()
      },
      { signal: stop.signal },
    )
    expect(approvalIn(await outcome)).toEqual({})
  })
})

describe('a forged edit', () => {
  const fileOf = ({ workdir }: LocalSandbox, id: string): string => join(workdir, answerFilePath(id))
  const readAnswer = async (sandbox: LocalSandbox, id: string) =>
    JSON.parse(await readFile(fileOf(sandbox, id), 'utf8'))

  it.each<[string, (file: Record<string, unknown>) => object]>([
    ['without a signature', ({ signature: _, ...file }) => file],
    ['beside a signature for something else', (file) => file],
  ])('never runs %s', async (_, forge) => {
    const { sandbox, signingKeys, runner } = await createSignedWorkspace()
    const outcome = await approval(runner(), 'a', async () => {
      await submitAnswer(sandbox, decided('a', EDITED, { input: undefined }), { signingKeys })
      const file = await readAnswer(sandbox, 'a')
      const responses = decided('a', { command: 'curl evil' }).responses
      await writeFile(fileOf(sandbox, 'a'), JSON.stringify(forge({ ...file, responses })))
      await submitAnswer(sandbox, decided('a', undefined), { signingKeys }).catch(() => {})
    })
    // The edited file counts for nothing, or the signed answer in it counts: the call of the agent.
    expect(approvalIn(outcome)).toEqual({ decision: 'allowOnce' })
  })

  it('never runs that was signed for another call', async () => {
    const { sandbox, signingKeys, runner } = await createSignedWorkspace()
    await approval(runner(), 'a', () => submitAnswer(sandbox, decided('a', EDITED), { signingKeys }))
    const stolen = await readAnswer(sandbox, 'a')
    const put = () => writeFile(fileOf(sandbox, 'b'), JSON.stringify({ ...stolen, toolCallId: 'b' }))
    const outcome = await approval(runner(), 'b', put, { timeoutMs: 300 })
    expect(approvalIn(outcome)).toEqual({})
  })
})

describe('two people under a policy', () => {
  const TWO: Policy = [{ roles: ['lead'], votes: 2 }]

  it('allow an edited call only with the same input', async () => {
    const { sandbox, signingKeys, runner } = await createSignedWorkspace()
    const vote = (answeredBy: string, input: unknown) =>
      submitAnswer(sandbox, decided('a', input), {
        ...{ answeredBy, roles: ['lead'], policy: TWO, signingKeys },
      })
    const outcome = await approval(runner(), 'a', async () => {
      expect(await vote('ada', EDITED)).toMatchObject({ missingVotes: 1 })
      expect(await vote('bob', { command: 'ls' })).toMatchObject({ missingVotes: 1 })
      expect(await vote('cem', undefined)).toMatchObject({ missingVotes: 1 })
      expect(await vote('bob', EDITED)).not.toHaveProperty('missingVotes')
    })
    expect(approvalIn(outcome)).toEqual({ decision: 'allowOnce', input: EDITED })
    expect(outcome.voters).toEqual(['ada', 'bob'])
  })
})
