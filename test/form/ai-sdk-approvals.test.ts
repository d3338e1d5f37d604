// @vitest-environment jsdom

import { randomUUID } from 'node:crypto'
import { ToolApproval, type ToolPart } from '@sandagent/sdk/react'
import { cleanup, configure, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import * as react6 from 'ai-react-6'
import * as react7 from 'ai-react-7'
import { createElement, type ReactElement } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aiVersions } from '../support/models/ai-versions.ts'

configure({ asyncUtilTimeout: 30_000 })
afterEach(cleanup)

const COMMAND = 'rm -r build\u202e'

type UseChat = typeof react6.useChat
type Chat = ReturnType<UseChat>

interface PageProps {
  useChat: UseChat
  options: object
  onChat: (chat: Chat) => void
}

/** A chat as a project has it. */
function Page({ useChat, options, onChat }: PageProps): ReactElement {
  const chat = useChat(options)
  onChat(chat)
  const parts = chat.messages.flatMap(({ parts }) => parts as ToolPart[]).filter((part) => part.toolCallId)
  const respond = chat.addToolApprovalResponse
  const shown = parts.map((part) => createElement(ToolApproval, { key: part.toolCallId, part, respond }))
  return createElement('main', null, shown)
}

describe.each([
  { version: aiVersions['6'], useChat: react6.useChat, says: false },
  { version: aiVersions['7'], useChat: react7.useChat as unknown as UseChat, says: true },
])(
  'an approval of the AI SDK $version.name in a page',
  ({ version: { ai, Model, finish }, useChat, says }) => {
    /** A page of `useChat`, and the server behind it, whose tool needs an approval. */
    async function open() {
      const call = { toolCallId: randomUUID(), toolName: 'Bash', input: { command: COMMAND } }
      const ran: unknown[] = []
      const turns = [
        [{ type: 'tool-call', ...call, input: JSON.stringify(call.input) }, finish('tool-calls')],
        [finish('stop')],
      ].map((parts) => ({
        stream: ai.simulateReadableStream({ chunks: [{ type: 'stream-start', warnings: [] }, ...parts] }),
      }))
      const model = new Model({ doStream: turns as never })
      const execute = (input: unknown): string => {
        ran.push(input)
        return 'done'
      }
      const Bash = ai.tool({
        inputSchema: ai.jsonSchema({ type: 'object' }),
        execute,
        ...(!says && { needsApproval: true }),
      } as never)
      const server = async (_: unknown, init?: RequestInit): Promise<Response> => {
        const { messages } = JSON.parse(String(init?.body))
        const prompt = await ai.convertToModelMessages(messages, { tools: { Bash } })
        const toolApproval = { Bash: { type: 'user-approval', reason: 'It deletes' } }
        const result = ai.streamText({
          model,
          tools: { Bash },
          messages: prompt,
          ...(says && { toolApproval }),
        } as never)
        return result.toUIMessageStreamResponse({ originalMessages: messages })
      }
      const transport = new ai.DefaultChatTransport({ fetch: server as typeof fetch })
      const sendAutomaticallyWhen = ai.lastAssistantMessageIsCompleteWithApprovalResponses
      let chat: Chat | undefined
      const onChat = (current: Chat): void => {
        chat = current
      }
      vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
      render(createElement(Page, { useChat, options: { transport, sendAutomaticallyWhen }, onChat }))
      void chat?.sendMessage({ text: 'Clean up.' })
      const region = await screen.findByRole('region', { name: 'The agent asks for permission: Bash' })
      const enabled = async (name: string): Promise<HTMLElement> => {
        const button = await screen.findByRole('button', { name })
        await waitFor(() => expect(button.matches(':disabled')).toBe(false))
        return button
      }
      const press = async (name: string): Promise<void> => userEvent.click(await enabled(name))
      return { call, region, press, enabled, ran, model, parts: () => chat?.messages.at(-1)?.parts }
    }

    it('shows the call, runs nothing before it is allowed, and then runs it once', async () => {
      const { call, region, press, ran, parts } = await open()
      expect(region.textContent).toContain('Run this command?')
      expect(region.querySelector('pre')?.textContent).toBe('rm -r build<U+202E>')
      expect(region.textContent?.includes('It asks becauseIt deletes')).toBe(says)
      expect(screen.queryByRole('button', { name: 'Allow for this session' })).toBeNull()
      expect(ran).toEqual([])
      await press('Allow once')
      await waitFor(() =>
        expect(parts()).toContainEqual(expect.objectContaining({ state: 'output-available' })),
      )
      expect(ran).toEqual([call.input])
      await waitFor(() => expect(screen.getByRole('region').textContent).toMatch(/^Allowed once/))
      expect(document.activeElement).toBe(screen.getByRole('status'))
    })

    it('runs nothing that is denied, and tells the model why', async () => {
      const { press, enabled, ran, model, parts } = await open()
      await enabled('Deny')
      await userEvent.type(screen.getByRole('textbox'), 'Keep it')
      await press('Deny')
      await waitFor(() => expect(parts()).toContainEqual(expect.objectContaining({ state: 'output-denied' })))
      expect(ran).toEqual([])
      await waitFor(() => expect(screen.getByRole('region').textContent).toMatch(/^Denied/))
      expect(screen.getByRole('region').textContent).toContain('Keep it')
      expect(JSON.stringify(model.doStreamCalls.at(-1)?.prompt)).toContain('Keep it')
    })
  },
)
