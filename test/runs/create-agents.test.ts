import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listen } from '@sandagent/fixtures/listen.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import {
  type AgentChat,
  type AgentsOptions,
  createAgents,
  LocalSandbox,
  listRuns,
  pruneRuns,
  stopRun,
} from '@sandagent/sdk'
import { AbstractChat, type ChatState, DefaultChatTransport, isToolUIPart, type UIMessage } from 'ai-7'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'

const QUESTION = '{"type":"ask","questions":[{"question":"Where to?","options":[{"label":"Staging"}]}]}'
const AGENT = `echo "$SANDAGENT_PROMPT" > prompt.txt
echo '${QUESTION}'
read -r answer
echo "$answer" | grep -q '"Where to?":"Staging"' && echo deployed`

/** A server with a folder for each user, who is named in a header. */
async function serve(options: Partial<AgentsOptions> = {}) {
  const folder = await tempDir()
  const workdirOf = (user: string) => join(folder, user)
  const agents = createAgents({
    agent: ['sh', '-c', AGENT],
    folder: (request) => workdirOf(request.headers.get('x-user') ?? 'nobody'),
    user: (request) => request.headers.get('x-user'),
    isolation: { level: 'none' },
    runner: [process.execPath, join(root, 'packages/cli/dist/main.js')],
    ...options,
  })
  const url = await listen(agents.node)
  const sandboxAt = (workdir: string) =>
    new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  const sandboxOf = (user: string) => sandboxAt(workdirOf(user))
  onTestFinished(async () => {
    const shared = typeof options.folder === 'string' ? [sandboxAt(options.folder)] : []
    for (const sandbox of [sandboxOf('ada'), sandboxOf('bob'), ...shared])
      for (const { runId } of await listRuns(sandbox)) await stopRun(sandbox, runId)
  })
  const request = (path: string, { user = 'ada', ...init }: RequestInit & { user?: string } = {}) =>
    fetch(`${url}/api${path}`, { ...init, headers: { 'x-user': user, ...init.headers } })
  const post = (
    path: string,
    body: unknown,
    more: { user?: string; headers?: Record<string, string> } = {},
  ) =>
    request(path, {
      ...more,
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...more.headers },
    })
  return { agents, url, workdirOf, sandboxOf, runs: () => listRuns(sandboxOf('ada')), request, post }
}

const chat = (id: string, text: string) => ({
  id,
  messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text }] }],
  trigger: 'submit-message',
})

/** The chunks of a stream, as far as they are there when the question has been asked. */
async function readUntilAsked(response: Response) {
  const decoder = new TextDecoder()
  const chunks = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
  let text = ''
  /** Whether there is more. */
  const read = async (): Promise<boolean> => {
    const { value, done } = await chunks.read()
    text += decoder.decode(value, { stream: !done })
    return !done
  }
  while (!text.includes('tool-input-available'))
    if (!(await read())) throw new Error(`The stream ended without a question: ${text}`)
  const [, toolCallId = ''] = /"toolCallId":"([^"]+)"/.exec(text) ?? []
  const rest = async () => {
    while (await read());
    return text
  }
  return { toolCallId, rest, cancel: () => chunks.cancel() }
}

/** Kills all runners at once, as a power cut does. */
async function killRuns(sandbox: LocalSandbox): Promise<void> {
  for (const { runId, attempt } of await listRuns(sandbox)) {
    const path = join(sandbox.workdir, '.sandagent/runs', runId, `${attempt}/run.json`)
    const [pid] = JSON.parse(await readFile(path, 'utf8')).process.split(' ')
    process.kill(-Number(pid), 'SIGKILL')
  }
}

const ANSWER = { answers: { 'Where to?': 'Staging' } }

describe('createAgents', () => {
  it('starts the agent with what the person wrote, and takes the answer', async () => {
    const { post, request, workdirOf } = await serve()
    const stream = await post('/chat', chat('c1', 'Deploy it'))
    expect(stream.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    const { toolCallId, rest } = await readUntilAsked(stream)
    const { questions } = (await (await request('/answer')).json()) as { questions: { toolCallId: string }[] }
    expect(questions.map((question) => question.toolCallId)).toEqual([toolCallId])
    const reply = await post('/answer', { toolCallId, ...ANSWER })
    expect(await reply.json()).toMatchObject({ success: true, status: 'completed' })
    expect(await rest()).toContain('deployed')
    expect(await readFile(join(workdirOf('ada'), 'prompt.txt'), 'utf8')).toBe('Deploy it\n')
  })

  it('takes a prompt from a page without a chat', async () => {
    const { post, workdirOf } = await serve()
    const { cancel } = await readUntilAsked(await post('/chat', { prompt: 'Deploy' }))
    await cancel()
    expect(await readFile(join(workdirOf('ada'), 'prompt.txt'), 'utf8')).toBe('Deploy\n')
  })

  it('goes on with the run of a chat after a reload, and with nothing else', async () => {
    const { post, request } = await serve()
    const first = await readUntilAsked(await post('/chat', chat('c 1/ü', 'Deploy')))
    await first.cancel()
    expect((await request('/chat/other/stream')).status).toBe(204)
    const resumed = await readUntilAsked(await request(`/chat/${encodeURIComponent('c 1/ü')}/stream`))
    expect(resumed.toolCallId).toBe(first.toolCallId)
    await post('/answer', { toolCallId: first.toolCallId, ...ANSWER })
    expect(await resumed.rest()).toContain('deployed')
    await vi.waitFor(async () =>
      expect((await request(`/chat/${encodeURIComponent('c 1/ü')}/stream`)).status).toBe(204),
    )
  })

  it('starts one agent for a double click, also with several servers', async () => {
    const { post, workdirOf, ...server } = await serve()
    const other = await serve({ folder: workdirOf('ada') })
    const replies = [post, other.post, post].map((send) => send('/chat', chat('c1', 'Deploy')))
    const streams = await Promise.all(replies.map(async (reply) => readUntilAsked(await reply)))
    const [first] = streams
    expect(new Set(streams.map(({ toolCallId }) => toolCallId)).size).toBe(1)
    expect(await server.runs()).toHaveLength(1)
    await post('/answer', { toolCallId: first?.toolCallId, ...ANSWER })
    for (const { rest } of streams) expect(await rest()).toContain('deployed')
  })

  it('shows one message of the agent in useChat after a double click', async () => {
    const { url, post } = await serve()
    const messages: UIMessage[] = []
    const state: ChatState<UIMessage> = {
      status: 'ready',
      error: undefined,
      messages,
      pushMessage: (message) => void messages.push(message),
      popMessage: () => void messages.pop(),
      replaceMessage: (index, message) => void messages.splice(index, 1, message),
      snapshot: structuredClone,
    }
    const transport = new DefaultChatTransport({ api: `${url}/api/chat`, headers: { 'x-user': 'ada' } })
    class Page extends AbstractChat<UIMessage> {}
    const page = new Page({ id: 'c1', state, transport })
    const ended = [page.sendMessage({ text: 'Deploy' }), page.sendMessage({ text: 'Deploy' })]
    const part = await vi.waitFor(() => {
      const found = messages.flatMap(({ parts }) => parts).find(isToolUIPart)
      expect(found?.state).toBe('input-available')
      return found
    })
    await post('/answer', { toolCallId: part?.toolCallId, ...ANSWER })
    await Promise.all(ended)
    expect(state).toMatchObject({ status: 'ready', error: undefined })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant'])
    expect(JSON.stringify(messages.at(-1))).toContain('deployed')
  })

  it('refuses something else in a chat whose agent works, and starts it afterwards', async () => {
    const { post, runs } = await serve()
    const { toolCallId, rest } = await readUntilAsked(await post('/chat', chat('c1', 'Deploy')))
    const refused = await post('/chat', chat('c1', 'Stop that'))
    expect(refused.status).toBe(409)
    const message = 'An agent still works in this chat. Answer its question, or wait until it has ended'
    expect(await refused.json()).toMatchObject({ error: { code: 'CONFLICT', message } })
    const elsewhere = await readUntilAsked(await post('/chat', chat('c2', 'Stop that')))
    await elsewhere.cancel()
    await post('/answer', { toolCallId, ...ANSWER })
    await rest()
    await vi.waitFor(async () => {
      const again = await readUntilAsked(await post('/chat', chat('c1', 'Stop that')))
      expect(again.toolCallId).not.toBe(toolCallId)
      await again.cancel()
    })
    expect(await runs()).toHaveLength(3)
  })

  it('goes on with a program that was killed when its message is sent again, and asks nothing twice', async () => {
    const { post, runs, sandboxOf } = await serve()
    const first = await readUntilAsked(await post('/chat', chat('c1', 'Deploy')))
    await first.cancel()
    await killRuns(sandboxOf('ada'))
    await vi.waitFor(async () => expect(await runs()).toMatchObject([{ state: 'crashed' }]))
    const again = await readUntilAsked(await post('/chat', chat('c1', 'Deploy')))
    expect(again.toolCallId).toBe(first.toolCallId)
    await post('/answer', { toolCallId: first.toolCallId, ...ANSWER })
    expect(await again.rest()).toContain('deployed')
    expect(await runs()).toMatchObject([{ attempt: 2 }])
  })

  it('starts anew for another message after a crash', async () => {
    const { post, runs, sandboxOf } = await serve()
    const first = await readUntilAsked(await post('/chat', chat('c1', 'Deploy')))
    await first.cancel()
    await killRuns(sandboxOf('ada'))
    await vi.waitFor(async () => expect(await runs()).toMatchObject([{ state: 'crashed' }]))
    const other = await readUntilAsked(await post('/chat', chat('c1', 'Roll back')))
    await other.cancel()
    expect(other.toolCallId).not.toBe(first.toolCallId)
  })

  it('takes over no question of a run that was removed', async () => {
    const { post, sandboxOf, runs } = await serve()
    const first = await readUntilAsked(await post('/chat', chat('c1', 'Deploy')))
    await first.cancel()
    for (const { runId } of await runs()) await stopRun(sandboxOf('ada'), runId)
    await pruneRuns(sandboxOf('ada'), { olderThanMs: -1000 })
    expect(await runs()).toEqual([])
    const again = await readUntilAsked(await post('/chat', chat('c1', 'Deploy')))
    await again.cancel()
    expect(again.toolCallId).not.toBe(first.toolCallId)
  })

  it('keeps users apart', async () => {
    const { post, request } = await serve()
    const { toolCallId, cancel } = await readUntilAsked(await post('/chat', chat('c1', 'Deploy')))
    await cancel()
    expect(await (await request('/answer', { user: 'bob' })).json()).toEqual({ questions: [] })
    const foreign = await post('/answer', { toolCallId, ...ANSWER }, { user: 'bob' })
    expect(foreign.ok).toBe(false)
    expect((await request('/chat/c1/stream', { user: 'bob' })).status).toBe(204)
  })

  it('resumes the chat of nobody else, also in one folder for all', async () => {
    const { post, request } = await serve({ folder: await tempDir() })
    const { cancel } = await readUntilAsked(await post('/chat', chat('c1', 'Deploy')))
    await cancel()
    expect((await request('/chat/c1/stream', { user: 'bob' })).status).toBe(204)
    const own = await readUntilAsked(await request('/chat/c1/stream'))
    await own.cancel()
  })

  it.each([null, undefined, ''])('asks for a sign-in everywhere if the user is %j', async (name) => {
    const { post, request } = await serve({ user: () => name as null })
    for (const reply of [
      post('/chat', chat('c1', 'Deploy')),
      request('/chat/c1/stream'),
      request('/answer'),
      post('/answer', { toolCallId: 't1', ...ANSWER }),
    ])
      expect((await reply).status).toBe(401)
  })

  it('refuses what another site sends', async () => {
    const { post } = await serve()
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await post('/chat', chat('c1', 'Deploy'), { headers })).status).toBe(403)
  })

  it.each([
    ['no prompt', {}],
    ['no messages', { messages: [] }],
    ['messages of another kind', { messages: [{ content: 'Deploy' }] }],
    ['a prompt that is no text', { prompt: 1 }],
  ])('starts nothing for %s', async (_, body) => {
    const { post } = await serve()
    const reply = await post('/chat', body)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
  })

  it('has no other address', async () => {
    const { post, request } = await serve()
    expect((await request('/nothing')).status).toBe(404)
    expect((await post('/chat/c1/stream', {})).status).toBe(404)
    expect((await request('/chat/%ff/stream')).status).toBe(400)
  })

  it('is not served in production without sign-in', () => {
    vi.stubEnv('NODE_ENV', 'production')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(() => createAgents({ agent: 'claude' })).toThrow('In production createAgents needs `user`')
  })

  it.each([
    [{}, 'agent: expected a program and its arguments'],
    [{ agent: [] }, 'agent: expected a program and its arguments'],
    [{ agent: 'node agent.mjs' }, 'agent: expected a program and its arguments'],
    [{ agent: 'cladue' }, 'agent: expected one of scripted, claude'],
    [{ agent: 'claude', folder: 3 }, 'folder: expected the path of a folder'],
    [{ agent: 'claude', isolation: 'strict' }, 'createAgents: isolation: expected an object'],
    [{ agent: 'claude', isolation: { level: 'max' } }, 'level: expected one of strict, auto, none'],
    [{ agent: 'claude', isolation: { hosts: 'example.com' } }, 'hosts: expected a list'],
  ])('%j is refused before the first request', (options, message) => {
    expect(() => createAgents(options as AgentsOptions)).toThrow(message)
  })

  it('starts nothing in the folder of the server, if a request has no folder', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => told.mockRestore())
    const { post } = await serve({ folder: () => '' })
    expect((await post('/chat', { prompt: '' })).status).toBe(500)
    expect(String(told.mock.lastCall)).toContain('`folder` returned no path for a request')
  })

  it('lets a function of this process reply, to whom it knows', async () => {
    const agent = async (sent: AgentChat) => Response.json(sent)
    const { post, request, workdirOf } = await serve({ agent })
    const sent = { ...chat('c1', 'Deploy it'), model: 'another' }
    const folder = workdirOf('ada')
    const { messages, trigger } = sent
    const told = { folder, chatId: 'c1', owner: 'ada' }
    expect(await (await post('/chat', sent)).json()).toEqual({ ...told, messages, trigger })
    expect(await (await request('/chat/c1/stream')).json()).toEqual(told)
    for (const body of [{ ...sent, id: 1 }, { ...sent, messages: 'all' }, { prompt: 'Deploy' }])
      expect((await post('/chat', body)).status).toBe(400)
    const strange = { headers: { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' } }
    expect((await post('/chat', sent, strange)).status).toBe(403)
  })

  it('gives the agent the variables that are named, and no others', async () => {
    vi.stubEnv('TOKEN_OF_AGENT', 'given')
    onTestFinished(() => void vi.unstubAllEnvs())
    const folder = await tempDir()
    await writeFile(join(folder, 'agent.sh'), 'echo "$TOKEN_OF_AGENT" > token.txt')
    const { post } = await serve({
      agent: ['sh', 'agent.sh'],
      folder,
      isolation: { level: 'none', env: ['TOKEN_OF_AGENT'] },
    })
    await (await post('/chat', { prompt: '' })).text()
    expect(await readFile(join(folder, 'token.txt'), 'utf8')).toBe('given\n')
  })
})

it('the console of the server tells why an agent failed, and where; its page does not', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  const script = 'throw new Error("no such table")'
  const { post, runs, workdirOf } = await serve({ agent: [process.execPath, '-e', script] })
  const page = await (await post('/chat', chat('c', 'Deploy'))).text()
  expect(page).toContain('Command failed with exit code 1')
  expect(page).not.toContain('no such table"}')
  await vi.waitFor(() => expect(printed).toHaveBeenCalledOnce(), { timeout: 10_000 })
  const [run] = await runs()
  expect(run?.reason).toMatch(/Command failed with exit code 1: .*\. Error: no such table$/s)
  const folder = join(workdirOf('ada'), '.sandagent/runs', run?.runId ?? '', '1/stderr.log')
  expect(printed.mock.calls[0]?.[0]).toContain('Error: no such table')
  expect(printed.mock.calls[0]?.[0]).toContain(folder)
})
