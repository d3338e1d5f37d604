import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Interrupt } from '@ag-ui/client'
import { EventSchemas } from '@ag-ui/core/schemas'
import { createAgUiHandler } from '@sandagent/ag-ui'
import { askingStream } from '@sandagent/ai-sdk'
import { createSigningKey, listQuestions, listRuns, stopRun, submitAnswer } from '@sandagent/sdk'
import { simulateReadableStream } from 'ai-7'
import { MockLanguageModelV4 } from 'ai-7/test'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { askingProgram, createClient, startHost } from '../support/ag-ui/host.ts'
import { agentRow } from '../support/matrix/agent-row.ts'

const PLACES = { question: 'Where to?', options: [{ label: 'Paris, north' }, { label: 'Rome' }] }

/** A client whose agent asks at once, and the first run. */
async function asked(...asks: object[]) {
  const host = await startHost(askingProgram(...asks))
  const { agent, say, resume } = createClient(host.origin)
  const first = await say('Begin')
  expect(first.error).toBeUndefined()
  return { ...host, agent, say, resume, first, interrupts: first.interrupts }
}

/** A deadline that has passed is not yet an outcome: until the run has closed its question, a resume declines it. */
const timedOut = (sandbox: Parameters<typeof listQuestions>[0]): Promise<void> =>
  vi.waitFor(async () =>
    expect(await listQuestions(sandbox, { all: true })).toMatchObject([{ state: 'timed-out' }]),
  )

agentRow('AG-UI clients', {
  'single choice': async () => {
    const { first, interrupts, resume, agent } = await asked({ questions: [PLACES] })
    expect(first.text.trim()).toBe('Hello.')
    expect(interrupts).toMatchObject([{ reason: 'input_required', message: 'Where to?' }])
    expect(agent.pendingInterrupts).toHaveLength(1)
    const { text, error } = await resume(interrupts, { question_1: 'Rome' })
    expect({ text, error }).toMatchObject({
      text: expect.stringContaining('"Where to?":"Rome"'),
      error: undefined,
    })
    expect(text).not.toContain('Hello')
    expect(agent.pendingInterrupts).toEqual([])
  },
  'several choices with commas': async () => {
    const { interrupts, resume } = await asked({ questions: [{ ...PLACES, multiSelect: true }] })
    const { text } = await resume(interrupts, { question_1: ['Paris, north', 'Rome'] })
    expect(text).toContain('"Where to?":["Paris, north","Rome"]')
  },
  'own words': async () => {
    const { interrupts, resume } = await asked({ questions: [PLACES] })
    const { text } = await resume(interrupts, { question_1_custom: 'home, to Łódź' })
    expect(text).toContain('"Where to?":"home, to Łódź"')
  },
  notes: async () => {
    const { interrupts, resume } = await asked({ questions: [PLACES] })
    const { text } = await resume(interrupts, { question_1: 'Rome', question_1_custom: 'by train' })
    expect(text).toContain('"notes":"by train"')
  },
  previews: async () => {
    const options = [{ label: 'Map', preview: '# A map' }, { label: 'List' }]
    const { interrupts } = await asked({ questions: [{ question: 'How?', options }] })
    expect(interrupts[0]?.metadata?.sandagent).toMatchObject({ questions: [{ options }] })
  },
  defaults: async () => {
    const questions = [{ ...PLACES, defaultOption: 'Rome' }]
    const ask = { questions, timeoutMs: 3000, timeoutPolicy: 'defaults' }
    const { interrupts, resume, sandboxOf } = await asked(ask)
    await timedOut(sandboxOf())
    const { text } = await resume(interrupts)
    expect(text).toContain('"Where to?":"Rome"')
    expect(text).toContain('"source":"default"')
  },
  decline: async () => {
    const { interrupts, resume } = await asked({ questions: [PLACES] })
    expect((await resume(interrupts)).text).toContain('"kind":"declined"')
  },
  'time-out': async () => {
    const { interrupts, resume, sandboxOf } = await asked({ questions: [PLACES], timeoutMs: 3000 })
    expect(Date.parse(interrupts[0]?.expiresAt as string)).toBeGreaterThan(Date.now() - 60_000)
    await timedOut(sandboxOf())
    expect((await resume(interrupts, { question_1: 'Rome' })).error).toContain('expired')
    expect((await resume(interrupts)).text).toContain('"kind":"timed-out"')
  },
  cancel: async () => {
    const { interrupts, resume, sandboxOf } = await asked({ questions: [PLACES] })
    const [run] = await listRuns(sandboxOf())
    await stopRun(sandboxOf(), run?.runId as string)
    const { error } = await resume(interrupts, { question_1: 'Rome' })
    expect(error).toContain('This question ended without this answer')
    expect(await listQuestions(sandboxOf())).toEqual([])
  },
  'two at once': async () => {
    const { interrupts, resume } = await asked(
      { id: 'a', questions: [PLACES] },
      { id: 'b', questions: [{ question: 'When?' }] },
    )
    expect(interrupts.map(({ message }) => message).sort()).toEqual(['When?', 'Where to?'])
    const answers = interrupts.map(({ message }) => ({ question_1: message === 'When?' ? 'soon' : 'Rome' }))
    const { text } = await resume(interrupts, ...answers)
    expect(text).toContain('"Where to?":"Rome"')
    expect(text).toContain('"When?":"soon"')
  },
  restart: async () => {
    const { interrupts, agent, resume, again } = await asked({ questions: [PLACES] })
    agent.url = `${await again()}/api/ag-ui`
    const { text } = await resume(interrupts, { question_1: 'Rome' })
    expect(text).toContain('"Where to?":"Rome"')
  },
})

it('an approval is answered with `approved`, and an edit with `editedArgs`', async () => {
  const input = { to: 'a@b.example', text: 'Hi' }
  const subject = { toolName: 'send_mail', input, editable: true }
  const { interrupts, resume, agent } = await asked({ subject })
  expect(interrupts).toMatchObject([
    { reason: 'tool_call', responseSchema: { required: ['approved'], properties: { editedArgs: {} } } },
  ])
  const calls = agent.messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  )
  expect(calls.map(({ id, function: made }) => [id, JSON.parse(made.arguments)])).toEqual([
    [interrupts[0]?.toolCallId, input],
  ])
  const editedArgs = { ...input, text: 'Hello' }
  const { text } = await resume(interrupts, { approved: true, editedArgs })
  expect(text).toContain('"selected":["allow-once"]')
  expect(text).toContain('"input":{"to":"a@b.example","text":"Hello"}')
})

const ASK = { questions: [PLACES] }
const ROME = { question_1: 'Rome' }

describe('a resume that is refused', () => {
  /** The question waits as before. */
  const expectOpen = async ({ sandboxOf }: Pick<Awaited<ReturnType<typeof asked>>, 'sandboxOf'>) =>
    expect(await listQuestions(sandboxOf())).toMatchObject([{ state: 'open' }])

  it('names an interrupt that nobody raised', async () => {
    const space = await asked(ASK)
    const [first] = space.interrupts as [Interrupt]
    const [told, digest, ...call] = first.id.split('.') as [string, string, ...string[]]
    const forged = [
      'made-up',
      [told, digest.replace(/./, (digit) => (digit === '0' ? '1' : '0')), ...call].join('.'),
      [Number(told) + 1, digest, ...call].join('.'),
      [told, digest, 'another-call'].join('.'),
    ]
    for (const id of forged) {
      const client = createClient(space.origin)
      expect((await client.resume([{ ...first, id }], ROME)).code).toBe('NOT_FOUND')
    }
    await expectOpen(space)
  })

  it('comes from another thread, or another person', async () => {
    const space = await asked(ASK)
    const thread = createClient(space.origin, { threadId: 'thread-2' })
    expect((await thread.resume(space.interrupts, ROME)).error).toContain('waits for no such interrupt')
    const bob = createClient(space.origin, { user: 'bob' })
    expect((await bob.resume(space.interrupts, ROME)).code).toMatch(/NOT_FOUND|UNREACHABLE/)
    const nobody = createClient(space.origin, { user: '' })
    expect((await nobody.resume(space.interrupts, ROME)).error).toContain('401')
    await expectOpen(space)
  })

  it('does not fit the question; nothing of it is stored', async () => {
    const space = await asked({ id: 'a', ...ASK }, { id: 'b', questions: [{ question: 'When?' }] })
    const at = space.interrupts.findIndex(({ message }) => message === 'When?')
    const payloads = [{ question_1: 'Atlantis' }, { question_1: 'Atlantis' }]
    payloads[at] = { question_1: 'soon' }
    const { code } = await createClient(space.origin).resume(space.interrupts, ...payloads)
    expect(code).toBe('INVALID_ANSWERS')
    expect(await listQuestions(space.sandboxOf())).toHaveLength(2)
  })

  it('says something else than the answer that is there', async () => {
    const { interrupts, resume, origin } = await asked(ASK)
    await resume(interrupts, ROME)
    const { error } = await createClient(origin).resume(interrupts, { question_1: 'Paris, north' })
    expect(error).toBeDefined()
  })

  it('does not come, but another message does', async () => {
    const space = await asked(ASK)
    const { code, error } = await createClient(space.origin).say('Something else')
    expect({ code, error }).toMatchObject({
      code: 'CONFLICT',
      error: expect.stringContaining('Answer its question'),
    })
    await expectOpen(space)
  })
})

it('the same resume can be sent again, also after the end', async () => {
  const { interrupts, resume, origin } = await asked(ASK)
  const once = await resume(interrupts, ROME)
  const again = await createClient(origin).resume(interrupts, ROME)
  expect(again).toEqual(once)
})

it('an answer on a page ends the wait, and the client goes on with `cancelled`', async () => {
  const { interrupts, resume, sandboxOf } = await asked(ASK)
  const [{ toolCallId = '' } = {}] = interrupts
  await submitAnswer(sandboxOf(), { toolCallId, answers: { 'Where to?': 'Rome' } })
  expect((await resume(interrupts)).text).toContain('"Where to?":"Rome"')
})

it('a client that goes away in the middle stops nothing, and reads all when it asks again', async () => {
  const host = await startHost(askingProgram(ASK))
  const gone = createClient(host.origin)
  gone.agent.subscribe({ onTextMessageContentEvent: () => gone.agent.abortRun() })
  await gone.say('Begin')
  const { interrupts, text, resume } = await (async () => {
    const client = createClient(host.origin)
    return { ...(await client.say('Begin')), resume: client.resume }
  })()
  expect(text.trim()).toBe('Hello.')
  expect(await listRuns(host.sandboxOf())).toHaveLength(1)
  expect((await resume(interrupts, ROME)).text).toContain('"Where to?":"Rome"')
})

it('an answer is signed as any other of the host', async () => {
  vi.stubEnv('SANDAGENT_SIGNING_KEY', await createSigningKey())
  onTestFinished(() => void vi.unstubAllEnvs())
  const { interrupts, resume, sandboxOf } = await asked(ASK)
  expect((await resume(interrupts, ROME)).text).toContain('"Where to?":"Rome"')
  const { workdir } = sandboxOf()
  const folder = join(workdir, '.sandagent/approvals')
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  expect(texts.join()).toContain('"signature":')
})

it('a thread goes on with another message once its run has ended', async () => {
  const { interrupts, resume, say } = await asked(ASK)
  await resume(interrupts, ROME)
  const second = await say('Once more')
  expect(second.text.trim()).toBe('Hello.')
  const { text } = await resume(second.interrupts, { question_1: 'Paris, north' })
  expect(text).toContain('"Where to?":"Paris, north"')
})

it('a model in the process of the server asks, too', async () => {
  const finish = (unified: 'stop' | 'tool-calls') => ({
    type: 'finish' as const,
    finishReason: { unified, raw: unified },
    usage: { inputTokens: {}, outputTokens: {} },
  })
  const input = JSON.stringify({ questions: [PLACES] })
  const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'AskUserQuestion', input }
  const model = new MockLanguageModelV4({
    async doStream({ prompt }) {
      const result = prompt.find(({ role }) => role === 'tool')?.content
      const said = { id: 't', delta: JSON.stringify(result) }
      const chunks = result
        ? [
            { type: 'text-start', id: 't' },
            { type: 'text-delta', ...said },
            { type: 'text-end', id: 't' },
          ]
        : [call]
      const all = [{ type: 'stream-start', warnings: [] }, ...chunks, finish(result ? 'stop' : 'tool-calls')]
      return { stream: simulateReadableStream({ chunks: all as never }) }
    },
  })
  const host = await startHost((chat) => askingStream({ model, ...chat }))
  const client = createClient(host.origin)
  const { interrupts } = await client.say('Begin')
  expect((await client.resume(interrupts, ROME)).text).toContain('Rome')
})

it('a page of another site is refused', async () => {
  const { origin } = await startHost(askingProgram(ASK))
  const response = await fetch(`${origin}/api/ag-ui`, {
    method: 'POST',
    headers: { 'x-user': 'ada', 'content-type': 'application/json', origin: 'https://evil.example' },
    body: JSON.stringify({ threadId: 't', runId: 'r', messages: [{ id: '1', role: 'user', content: 'Go' }] }),
  })
  expect(response.status).toBe(403)
})

it('what the handler sends is what the schemas of AG-UI take', async () => {
  const { origin } = await startHost(
    askingProgram(ASK, { subject: { toolName: 'rm', input: { path: '/' } } }),
  )
  const response = await fetch(`${origin}/api/ag-ui`, {
    method: 'POST',
    headers: { 'x-user': 'ada', 'content-type': 'application/json' },
    body: JSON.stringify({ threadId: 't', runId: 'r', messages: [{ id: '1', role: 'user', content: 'Go' }] }),
  })
  const events = (await response.text())
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => JSON.parse(event.slice('data: '.length)))
  for (const event of events) EventSchemas.parse(event)
  expect(events.at(-1).outcome.interrupts).toHaveLength(2)
})

it('a body that is no input is refused with what it lacks', async () => {
  const { origin } = await startHost(askingProgram())
  const post = (body: string, type = 'application/json') =>
    fetch(`${origin}/api/ag-ui`, { method: 'POST', body, headers: { 'x-user': 'ada', 'content-type': type } })
  expect((await post('{"threadId":"t"}')).status).toBe(400)
  expect((await post('{}', 'text/plain')).status).toBe(415)
})

it('a reply that breaks off on the host is an error for the client, and the host’s log says why', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const answers = new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
  const broken = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('data: {"type":"start"}\n\n')),
      pull: (controller) => controller.error(new Error('the disk is gone')),
    })
  const web = {
    get: async () => answers,
    post: async () => new Response(broken()),
  }
  const handler = createAgUiHandler({ web: { GET: web.get, POST: web.post } })
  const body = { threadId: 't', runId: 'r', messages: [{ id: '1', role: 'user', content: 'Go' }] }
  const response = await handler.web.POST(
    new Request('http://localhost/ag-ui', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, tools: [], context: [], state: {}, forwardedProps: {} }),
    }),
  )
  expect(await response.text()).toContain('"type":"RUN_ERROR","code":"UNREACHABLE"')
  expect(String(log.mock.calls)).toContain('the disk is gone')
})
