import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createAnswerHandler, type LocalSandbox, listQuestions } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { aiVersions } from '../support/models/ai-versions.ts'
import { tempSandbox } from '../support/workspace.ts'

const server = fileURLToPath(new URL('../fixtures/ai-chat.mjs', import.meta.url))
const answers = 'http://localhost/api/answer'
const USER = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Paint it.' }] }

const handlerOf = (sandbox: LocalSandbox) => createAnswerHandler({ sandbox, authorize: () => true })

async function answer(sandbox: LocalSandbox, label: string): Promise<Response> {
  const body = { toolCallId: 'call_1', answers: { 'Which colour?': label }, status: 'completed' }
  const headers = { 'content-type': 'application/json' }
  return handlerOf(sandbox).POST(
    new Request(answers, { method: 'POST', headers, body: JSON.stringify(body) }),
  )
}

const viewIn = async (sandbox: LocalSandbox): Promise<Record<string, unknown>> =>
  (await handlerOf(sandbox).GET(new Request(`${answers}?toolCallId=call_1`))).json()

describe.each(Object.entries(aiVersions))('a chat of ai %s whose server was killed', (version, { ai }) => {
  interface Server {
    child: ChildProcess
    /** What it has printed. A reader that comes after its end would find nothing. */
    lines: Record<string, unknown>[]
  }

  function serve({ workdir }: LocalSandbox, messages: readonly object[]): Server {
    const child = spawn(process.execPath, [server, version, workdir], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines: Server['lines'] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
    child.stdin.end(JSON.stringify(messages))
    return { child, lines }
  }

  /** The lines of a server until one is as wanted. */
  const linesUntil = (
    { lines }: Server,
    isWanted: (line: Record<string, unknown>) => boolean,
  ): Promise<Server['lines']> =>
    vi.waitFor(() => {
      const wanted = lines.findIndex(isWanted)
      if (wanted === -1) throw new Error(`The server printed only: ${JSON.stringify(lines)}`)
      return lines.slice(0, wanted + 1)
    })

  async function messageOf(chunks: readonly object[]): Promise<object> {
    const stream = ai.simulateReadableStream({ chunks: chunks as never[] })
    let last: object = {}
    for await (const message of ai.readUIMessageStream({ stream })) last = message
    return last
  }

  it.each(['before', 'after'])('goes on with an answer that was given %s the restart', async (when) => {
    const sandbox = await tempSandbox()
    const first = serve(sandbox, [USER])
    const chunks = await linesUntil(first, ({ type }) => type === 'tool-input-available')
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    expect(await viewIn(sandbox)).not.toHaveProperty('runEnded')
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    expect(await viewIn(sandbox)).toMatchObject({ state: 'open', runEnded: true })
    const messages = [USER, await messageOf(chunks)]
    expect(JSON.stringify(messages)).toContain('"state":"input-available"')

    if (when === 'before') expect((await answer(sandbox, 'Blue')).status).toBe(200)
    const second = serve(sandbox, messages)
    if (when === 'after') {
      await vi.waitFor(async () => expect(await viewIn(sandbox)).not.toHaveProperty('runEnded'))
      expect((await answer(sandbox, 'Blue')).status).toBe(200)
    }
    const lines = await linesUntil(second, (line) => 'read' in line)
    expect(JSON.stringify(lines.at(-1))).toContain('The user answered:\\n- \\"Which colour?\\": \\"Blue\\"')
    await vi.waitFor(async () => expect(await viewIn(sandbox)).toMatchObject({ state: 'answered' }))
    expect(await sandbox.files.list('.sandagent/questions')).toEqual(['call_1.json'])

    // The page still has the call without its result: the same again gives the same.
    const third = await linesUntil(serve(sandbox, messages), (line) => 'read' in line)
    expect(third.at(-1)).toEqual(lines.at(-1))
  })
})
