import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import type * as ai7 from 'ai-7'
import { expect, onTestFinished, vi } from 'vitest'
import type { AiVersion } from './models/ai-versions.ts'

const program = fileURLToPath(new URL('../fixtures/ai-chat-server.mjs', import.meta.url))

export interface Server {
  url: string
  child: ChildProcess
}

/** @param keeping `database` for a server that keeps the messages itself, in files */
export async function serve(version: string, folder: string, keeping = 'database'): Promise<Server> {
  const args = [program, version, folder, keeping]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { url, child }
}

export async function kill({ child }: Server): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

export async function answer({ url }: Server, toolCallId: string, label: string): Promise<void> {
  const body = JSON.stringify({ toolCallId, answers: { 'Which colour?': label }, status: 'completed' })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/api/answer`, { method: 'POST', headers, body })
  expect(await reply.json()).toMatchObject({ success: true })
}

/** What the host says of a question. */
export const viewOf = async ({ url }: Server, toolCallId: string): Promise<object> =>
  (await fetch(`${url}/api/answer?toolCallId=${toolCallId}`)).json() as Promise<object>

/** The messages that a server with a database has saved: a page begins with them. */
export const saved = async (folder: string): Promise<ai7.UIMessage[]> =>
  JSON.parse(await readFile(join(folder, 'chat.json'), 'utf8').catch(() => '[]'))

/** What `useChat` keeps of a page, which begins with these messages. */
export function openPage(
  { ai }: AiVersion,
  server: Server,
  messages: ai7.UIMessage[] = [],
  options: Partial<ai7.ChatInit<ai7.UIMessage>> = {},
) {
  const state: ai7.ChatState<ai7.UIMessage> = {
    status: 'ready',
    error: undefined,
    messages,
    pushMessage: (message) => void state.messages.push(message),
    popMessage: () => void state.messages.pop(),
    replaceMessage: (index, message) => void state.messages.splice(index, 1, message),
    snapshot: structuredClone,
  }
  class Page extends ai.AbstractChat<ai7.UIMessage> {}
  const transport = new ai.DefaultChatTransport({ api: `${server.url}/api/chat` })
  return { state, chat: new Page({ ...options, id: 'chat', state, transport }) }
}

export type Page = ReturnType<typeof openPage>

/** The parts of the last message that a person sees, once they are as wanted. */
export const seen = ({ state }: Page, ...wanted: object[]): Promise<void> =>
  vi.waitFor(() => {
    const parts = state.messages.at(-1)?.parts.filter(({ type }) => type !== 'step-start')
    expect(parts).toMatchObject(wanted)
    expect(parts).toHaveLength(wanted.length)
  })

export const ASKS: object = { type: 'text', text: 'Let me ask.' }
export const question = (state: string): object => ({
  type: 'tool-AskUserQuestion',
  toolCallId: 'call_1',
  state,
})
export const measured = (state: string): object => ({ type: 'tool-measure', toolCallId: 'measure_1', state })
export const wordsOf = (label: string): string => `The user answered:\n- "Which colour?": "${label}"`
export const told = (...words: string[]): object => ({
  type: 'text',
  text: `I was told: ${words.join('; ')}`,
})

/** How often a server's folder says that something was done: a line or a dot each. */
export const timesIn = async (folder: string, name: string): Promise<number> =>
  (await readFile(join(folder, name), 'utf8')).replace(/[^.\n]/g, '').length

/** A page that was asked, in a folder of its own. */
export async function asked(version: AiVersion, text = 'Paint it.', ...before: object[]) {
  const folder = await tempDir()
  const server = await serve(version.name, folder)
  const page = openPage(version, server)
  const sent = page.chat.sendMessage({ text })
  await (before.length > 0
    ? seen(page, ...before, question('input-available'))
    : seen(page, ASKS, question('input-available')))
  await vi.waitFor(async () => expect(await viewOf(server, 'call_1')).toMatchObject({ state: 'open' }))
  return { folder, server, page, sent }
}

/** The same chat on a server that was killed and started again, in a page that is loaded again. */
export async function restarted(version: AiVersion, folder: string, killed: Server) {
  await kill(killed)
  const server = await serve(version.name, folder)
  const page = openPage(version, server, await saved(folder))
  return { server, page, resumed: page.chat.resumeStream() }
}
