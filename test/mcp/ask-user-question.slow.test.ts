import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CallToolResult, Client, Transport } from '@modelcontextprotocol/client'
import { createFileRunnerChannel } from '@sandagent/files'
import { declineQuestion, type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import {
  asked,
  channelOf,
  connect,
  type Era,
  overHttp,
  recordOf,
  sandagent,
  startProgram,
  tempSandbox,
} from '../support/mcp.ts'

const COLOUR = { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
const FORMS = { elicitation: { form: {} } }
const ask = (client: Client, questions: unknown = [COLOUR], options = {}) =>
  client.callTool({ name: 'ask_user_question', arguments: { questions } }, options) as Promise<CallToolResult>

/** The same server as a process of its own, and over HTTP. */
const ways: Record<
  string,
  (options: { sandbox?: LocalSandbox; via?: 'channel' | 'client' | 'auto' }) => Transport | Promise<Transport>
> = {
  'sandagent mcp': ({ sandbox, via }) =>
    startProgram(
      ...[sandagent, 'mcp'],
      ...(sandbox ? ['--workdir', sandbox.workdir] : []),
      ...(via ? ['--via', via] : []),
    ),
  createAskMcpServer: ({ sandbox, via }) =>
    overHttp({ ...(sandbox && { channel: channelOf(sandbox) }), ...(via && { via }), progressMs: 50 }),
}
const cases = Object.keys(ways).flatMap((way) => ([2025, 2026] as Era[]).map((era) => ({ way, era })))

describe.each(cases)('$way for a client of $era', ({ way, era }) => {
  const transport = ways[way] as (typeof ways)[string]

  it('offers the tool, asks in the folder, and returns the answer as text and as data', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(await transport({ sandbox }), { era })
    const { tools } = await client.listTools()
    expect(tools).toMatchObject([{ name: 'ask_user_question', annotations: { readOnlyHint: true } }])
    const result = ask(client)
    const { toolCallId } = await asked(sandbox)
    await submitAnswer(sandbox, { toolCallId, answers: { 'Which colour?': 'Blue' } })
    const text = 'The user answered:\n- "Which colour?": "Blue"'
    expect(await result).toMatchObject({
      content: [{ type: 'text', text }],
      structuredContent: { kind: 'answered', text, answers: { 'Which colour?': 'Blue' } },
    })
    expect((await result).isError).toBeUndefined()
    expect(await recordOf(sandbox, toolCallId)).toMatchObject({
      state: 'answered',
      toolName: 'ask_user_question',
    })
  })

  it('answers two calls at once, each with its own answer', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(await transport({ sandbox }), { era })
    const results = ['First?', 'Second?'].map((question) => ask(client, [{ question }]))
    const questions = await asked(sandbox, 2)
    for (const { toolCallId, questions: asking } of questions) {
      const text = asking[0]?.question as string
      await submitAnswer(sandbox, { toolCallId, answers: { [text]: `my answer to ${text}` } })
    }
    expect(await Promise.all(results)).toMatchObject([
      { structuredContent: { answers: { 'First?': 'my answer to First?' } } },
      { structuredContent: { answers: { 'Second?': 'my answer to Second?' } } },
    ])
  })

  it('makes an error of a refusal, which says what to do', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(await transport({ sandbox }), { era })
    const result = ask(client)
    const { toolCallId } = await asked(sandbox)
    await declineQuestion(sandbox, { toolCallId, reason: 'paint it yourself' })
    expect(await result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('paint it yourself') }],
      structuredContent: { kind: 'declined' },
    })
  })

  it('tells the model what is wrong with its questions, and asks nobody', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(await transport({ sandbox }), { era })
    expect(await ask(client, [{ question: '' }, 3])).toMatchObject({
      isError: true,
      content: [
        {
          text: expect.stringMatching(
            /questions\.0\.question: expected text .*questions\.1: expected an object/s,
          ),
        },
      ],
    })
    expect(await client.callTool({ name: 'ask_user_question' })).toMatchObject({ isError: true })
    const typo = { ...COLOUR, multiselect: true, options: [{ label: 'Red', hint: 'warm' }] }
    expect(await ask(client, [typo])).toMatchObject({
      isError: true,
      content: [
        {
          text: expect.stringMatching(
            /questions\.0\.options\.0\.hint.*questions\.0\.multiselect|multiselect.*hint/,
          ),
        },
      ],
    })
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('refuses an unknown tool with the protocol’s own error', async () => {
    const client = await connect(await transport({ sandbox: await tempSandbox() }), { era })
    await expect(client.callTool({ name: 'ask_nobody', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    })
  })

  it('withdraws the question when the client cancels its call', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(await transport({ sandbox }), { era })
    const stop = new AbortController()
    const result = ask(client, [COLOUR], { signal: stop.signal })
    result.catch(() => {})
    const { toolCallId } = await asked(sandbox)
    stop.abort()
    await expect(result).rejects.toThrow()
    await vi.waitFor(async () =>
      expect(await recordOf(sandbox, toolCallId)).toMatchObject({ state: 'aborted' }),
    )
  })

  it('is not offered where nobody could answer, and is unknown then', async () => {
    const client = await connect(await transport({}), { era, capabilities: { elicitation: { url: {} } } })
    expect((await client.listTools()).tools).toEqual([])
    await expect(ask(client)).rejects.toMatchObject({ code: -32602 })
  })

  describe('through the form of the client', () => {
    /** A client whose forms come back with these answers, the last one for ever. */
    const answering = async (answers: object | object[], options: Parameters<typeof transport>[0] = {}) => {
      const forms: unknown[] = []
      let queue = [answers].flat()
      const client = await connect(await transport(options), { era, capabilities: FORMS }, (client) =>
        client.setRequestHandler('elicitation/create', ({ params }) => {
          forms.push(params)
          const [next, ...later] = queue
          if (later.length > 0) queue = later
          return next as { action: 'accept' }
        }),
      )
      return { client, forms }
    }

    it('asks there without a folder', async () => {
      const { client, forms } = await answering({
        action: 'accept',
        content: { question_1: 'Blue', question_2: 'Zoë' },
      })
      const result = await ask(client, [COLOUR, { question: 'Your name?' }])
      expect(result.structuredContent).toMatchObject({
        kind: 'answered',
        answers: { 'Which colour?': 'Blue', 'Your name?': 'Zoë' },
      })
      expect(forms).toMatchObject([{ requestedSchema: { properties: { question_1: { oneOf: [{}, {}] } } } }])
    })

    it('asks there rather than in the folder when told to choose', async () => {
      const sandbox = await tempSandbox()
      const { client } = await answering(
        { action: 'accept', content: { question_1: 'Red' } },
        { sandbox, via: 'auto' },
      )
      expect((await ask(client)).structuredContent).toMatchObject({ answers: { 'Which colour?': 'Red' } })
    })

    it.each([
      [{ action: 'decline' }, 'declined'],
      [{ action: 'cancel' }, 'aborted'],
    ])('makes an error of %j', async (answer, kind) => {
      const { client } = await answering(answer)
      const result = await ask(client)
      expect(result).toMatchObject({ isError: true, structuredContent: { kind } })
    })

    const accept = (colour: string) => ({ action: 'accept', content: { question_1: colour } })

    it('asks again when the form comes back with something else, and says what was expected', async () => {
      const { client, forms } = await answering([accept('Green'), accept('Blue')])
      const result = await ask(client)
      expect(result.structuredContent).toMatchObject({ answers: { 'Which colour?': 'Blue' } })
      expect(forms).toMatchObject([
        { message: 'Which colour?' },
        { message: 'Which colour?\n\nExpected: one of "Red", "Blue"' },
      ])
    })

    it('gives up on a client that goes on sending something else', async () => {
      const { client, forms } = await answering(accept('Green'))
      const result = await ask(client).catch((error: Error) => error)
      if (era === 2025)
        expect(result).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('expected one of "Red", "Blue"') }],
        })
      // In 2026 the client counts the rounds of its call.
      else expect(result).toBeInstanceOf(Error)
      expect(forms.length).toBeLessThan(20)
    })
  })

  it('asks in the folder when told to choose and the client has no form', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(await transport({ sandbox, via: 'auto' }), { era })
    const result = ask(client)
    const { toolCallId } = await asked(sandbox)
    await submitAnswer(sandbox, { toolCallId, answers: { 'Which colour?': 'Blue' } })
    expect((await result).structuredContent).toMatchObject({ kind: 'answered' })
  })
})

it('tells its operator, and not the model, why it cannot ask anybody', async () => {
  const { workdir } = await tempSandbox()
  await writeFile(join(workdir, 'file'), '')
  const warnings: unknown[] = []
  const channel = createFileRunnerChannel({ workdir: join(workdir, 'file') })
  const client = await connect(await overHttp({ channel, onWarning: (warning) => warnings.push(warning) }))
  expect(await ask(client)).toEqual({
    isError: true,
    content: [
      {
        type: 'text',
        text: expect.stringMatching(/^The user could not be asked: .* not a decision of theirs/),
      },
    ],
  })
  expect(warnings).toMatchObject([{ code: 'UNREACHABLE', message: expect.stringContaining(workdir) }])
})
