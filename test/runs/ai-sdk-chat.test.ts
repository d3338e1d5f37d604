import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import type * as ai7 from 'ai-7'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { aiVersions } from '../support/models/ai-versions.ts'

const program = fileURLToPath(new URL('../fixtures/ai-chat-server.mjs', import.meta.url))

interface Server {
  url: string
  child: ChildProcess
}

async function serve(version: string, folder: string): Promise<Server> {
  const child = spawn(process.execPath, [program, version, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { url, child }
}

async function kill({ child }: Server): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function answer({ url }: Server, toolCallId: string, label: string): Promise<void> {
  const body = JSON.stringify({ toolCallId, answers: { 'Which colour?': label }, status: 'completed' })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/api/answer`, { method: 'POST', headers, body })
  expect(await reply.json()).toMatchObject({ success: true })
}

/** What the host says of a question. */
const viewOf = async ({ url }: Server, toolCallId: string): Promise<object> =>
  (await fetch(`${url}/api/answer?toolCallId=${toolCallId}`)).json() as Promise<object>

describe.each(Object.entries(aiVersions).filter(([version]) => version !== '6'))(
  'the chat of the guide with ai %s',
  (version, { ai }) => {
    /** The messages that the server has saved: a page begins with them. */
    const saved = async (folder: string): Promise<ai7.UIMessage[]> =>
      JSON.parse(await readFile(join(folder, 'chat.json'), 'utf8').catch(() => '[]'))

    /** What `useChat` keeps of a page, which begins with these messages. */
    function openPage(server: Server, messages: ai7.UIMessage[] = []) {
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
      return { state, chat: new Page({ id: 'chat', state, transport }) }
    }

    type Page = ReturnType<typeof openPage>

    /** The parts of the last message that a person sees, once they are as wanted. */
    const seen = ({ state }: Page, ...wanted: object[]): Promise<void> =>
      vi.waitFor(() => {
        const parts = state.messages.at(-1)?.parts.filter(({ type }) => type !== 'step-start')
        expect(parts).toMatchObject(wanted)
        expect(parts).toHaveLength(wanted.length)
      })

    const ASKS = { type: 'text', text: 'Let me ask.' }
    const question = (state: string) => ({ type: 'tool-AskUserQuestion', toolCallId: 'call_1', state })
    const told = (label: string) => ({
      type: 'text',
      text: `I was told: The user answered:\n- "Which colour?": "${label}"`,
    })

    /** A page that was asked, in a folder of its own. */
    async function asked() {
      const folder = await tempDir()
      const server = await serve(version, folder)
      const page = openPage(server)
      const sent = page.chat.sendMessage({ text: 'Paint it.' })
      await seen(page, ASKS, question('input-available'))
      await vi.waitFor(async () => expect(await viewOf(server, 'call_1')).toMatchObject({ state: 'open' }))
      return { folder, server, page, sent }
    }

    it('goes on when the tab is closed and somebody answers elsewhere', async () => {
      const { folder, server, page } = await asked()
      await page.chat.stop()
      await answer(server, 'call_1', 'Blue')
      await vi.waitFor(async () =>
        expect((await saved(folder)).at(-1)?.parts).toEqual(
          expect.arrayContaining([expect.objectContaining(told('Blue'))]),
        ),
      )
      expect((await saved(folder)).map(({ role }) => role)).toEqual(['user', 'assistant'])
    })

    it('shows a page that is loaded again the question, its answer, and what follows', async () => {
      const { folder, server, page, sent } = await asked()
      const again = openPage(server, await saved(folder))
      const resumed = again.chat.resumeStream()
      await seen(again, ASKS, question('input-available'))
      await answer(server, 'call_1', 'Red')
      await Promise.all([sent, resumed])
      for (const each of [page, again]) await seen(each, ASKS, question('output-available'), told('Red'))
      const later = openPage(server, await saved(folder))
      await later.chat.resumeStream()
      await seen(later, ASKS, question('output-available'), told('Red'))
    })

    it.each(['before', 'after'])(
      'goes on after a restart with an answer that is given %s it',
      async (when) => {
        const { folder, server: first } = await asked()
        await kill(first)
        const server = await serve(version, folder)
        expect(await viewOf(server, 'call_1')).toMatchObject({ state: 'open', runEnded: true })
        if (when === 'before') await answer(server, 'call_1', 'Blue')
        const page = openPage(server, await saved(folder))
        const resumed = page.chat.resumeStream()
        if (when === 'after') {
          await seen(page, ASKS, question('input-available'))
          await vi.waitFor(async () => expect(await viewOf(server, 'call_1')).not.toHaveProperty('runEnded'))
          await answer(server, 'call_1', 'Blue')
        }
        await resumed
        await seen(page, ASKS, question('output-available'), told('Blue'))
        expect(await saved(folder)).toEqual(page.state.messages)

        const next = page.chat.sendMessage({ text: 'And the door.' })
        await seen(page, ASKS, { toolCallId: 'call_2', state: 'input-available' })
        await vi.waitFor(async () => expect(await viewOf(server, 'call_2')).toMatchObject({ state: 'open' }))
        await answer(server, 'call_2', 'Red')
        await next
        await seen(page, ASKS, { toolCallId: 'call_2', state: 'output-available' }, told('Red'))
      },
    )

    it('does not wait for a question whose record was swept', async () => {
      const { folder, server: first } = await asked()
      await kill(first)
      await rm(join(folder, 'workdir/.sandagent/questions'), { recursive: true })
      const server = await serve(version, folder)
      const page = openPage(server, await saved(folder))
      await page.chat.resumeStream()
      await seen(page, ASKS, question('output-error'), { text: expect.stringContaining('no record of it') })
    })
  },
)
