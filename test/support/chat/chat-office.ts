import { createMemoryState } from '@chat-adapter/state-memory'
import type { Outcome } from '@sandagent/core'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createInbox } from '@sandagent/inbox'
import { startNotices } from '@sandagent/notices'
import { createChatSink } from '@sandagent/notices/chat'
import { type AskOptions, type AskRequest, askUser } from '@sandagent/runner'
import type { Policy } from '@sandagent/sdk'
import { Chat } from 'chat'
import { expect, onTestFinished, vi } from 'vitest'
import { createSignedWorkspace } from '../workspace.ts'
import { LINK } from './asked.ts'
import { type Delivery, deliver, type PlayedMessage, type PlayedPlatform } from './played-platform.ts'
import { quiet } from './quiet-logger.ts'

/** The ids of chat users, as this platform writes them. */
export const userOf = ({ name }: PlayedPlatform, number: number): string =>
  name === 'slack' ? `U${number}` : `${number}`

export interface ChatOfficeOptions {
  policy?: Policy
  /** Where notices go. Default: to Ada. */
  address?: string
  showText?: boolean
}

/** A host whose people are told in a chat, and agents that ask for real. */
export async function chatOffice(
  platform: PlayedPlatform,
  { policy, address, showText = true }: ChatOfficeOptions = {},
) {
  const { sandbox, signingKeys, runner } = await createSignedWorkspace()
  const folder = await tempDir()
  const { name, adapter, messages, whispers, forms } = platform
  const ada = userOf(platform, 42)
  const people: Record<string, { answeredBy: string }> = {
    [`${name}:${ada}`]: { answeredBy: 'Ada' },
    [`${name}:${userOf(platform, 43)}`]: { answeredBy: 'Ben' },
  }
  const warnings: string[] = []
  const inbox = createInbox({
    sandboxes: [{ id: 'shop', name: 'my_shop', sandbox }],
    ...{ signingKeys, policy, onWarning: () => {} },
  })

  /** A process of the host. */
  const startHost = () => {
    const chat = new Chat({
      userName: 'bot',
      adapters: { [name]: adapter },
      state: createMemoryState(),
      logger: quiet,
    })
    const sink = createChatSink({ chat, inbox, authorize: (address) => people[address] ?? null })
    const known = new Set<string>()
    const ending = new AbortController()
    const ended = startNotices({
      ...{ inbox, folder, sinks: { chat: sink } },
      people: { Ada: { addresses: { chat: { to: address ?? `${name}:${ada}`, showText } } } },
      linkFor: async () => LINK,
      onQuestion: ({ question }) => void known.add(question.toolCallId),
      onWarning: ({ message }) => void warnings.push(message),
      signal: ending.signal,
    })
    const end = async (): Promise<void> => {
      ending.abort()
      await ended
      await chat.shutdown()
    }
    return { chat, sink, known, end }
  }
  let host = startHost()
  onTestFinished(() => host.end())
  const arrive = (delivery: Delivery): Promise<Response> =>
    deliver((request, options) => {
      const webhook = host.chat.webhooks[name]
      if (!webhook) throw new Error(`no webhook of ${name}`)
      return webhook(request, options)
    }, delivery)

  return {
    inbox,
    warnings,
    /** The process ends, and another one begins. Resolves once that knows what waits. */
    async restart(): Promise<void> {
      await host.end()
      host = startHost()
      const { questions } = await inbox.list()
      await vi.waitFor(() =>
        expect([...host.known]).toEqual(questions.map((each) => each.question.toolCallId)),
      )
    },
    arrive,
    sink: () => host.sink,
    /** Asks, and resolves once Ada has the message. */
    async ask(request: Partial<AskRequest>, options: AskOptions = {}) {
      const count = messages.length
      const outcome: Promise<Outcome> = askUser(
        runner(),
        { runId: 'run-1', toolCallId: `call-${count}`, questions: [], ...request },
        options,
      )
      const message = await vi.waitFor(() => {
        expect(messages.length).toBeGreaterThan(count)
        return messages[count] as PlayedMessage
      })
      return { outcome, message }
    },
    async click(message: PlayedMessage, label: string, user = ada): Promise<Response> {
      const button = message.buttons.find(({ text }) => text.replaceAll('\u200b', '') === label)
      expect(button, `a button ${label}`).toBeDefined()
      return arrive(platform.click(message, button, user))
    },
    async submit(values: Record<string, string>, user = ada): Promise<Response> {
      const form = forms.at(-1)
      expect(form).toBeDefined()
      return arrive((platform.submit as Required<PlayedPlatform>['submit'])(form as never, values, user))
    },
    /** What was said to one person last: in Slack to them alone, elsewhere as a message. */
    lastSaid: (): string | undefined => whispers.at(-1)?.text ?? messages.at(-1)?.text,
    ended: (message: PlayedMessage, text: string) =>
      vi.waitFor(() => expect(asRead(platform, message.text)).toContain(text)),
  }
}

/** The labels of the buttons, as they are read. */
export const labelsOf = ({ buttons }: PlayedMessage): string[] =>
  buttons.map(({ text }) => text.replaceAll('\u200b', ''))

/** The text that the markup of a platform shows. Blocks of code are all that it may have of the question. */
export function asRead({ name }: PlayedPlatform, markup: string): string {
  const text =
    name === 'telegram'
      ? markup.replace(/\\([^\w\s])/g, '$1')
      : name === 'slack'
        ? markup.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
        : markup
  return text.replaceAll(/[\u200b]/g, '')
}

/** What stands in blocks of code, as it is read. */
export const quotedIn = (platform: PlayedPlatform, { text }: PlayedMessage): string[] =>
  Array.from(text.matchAll(/```\n([\s\S]*?)\n```/g), ([, code = '']) => asRead(platform, code))
