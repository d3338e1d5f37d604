import { json } from 'node:stream/consumers'
import { createTelegramAdapter } from '@chat-adapter/telegram'
import { listen } from '@sandagent/fixtures/listen.ts'
import type { Adapter } from 'chat'
import type { Delivery, PlayedMessage, PlayedPlatform } from './played-platform.ts'
import { quiet } from './quiet-logger.ts'

const SECRET = 'telegram-secret'

interface Body {
  offset?: number
  chat_id?: string
  message_id?: number
  text?: string
  reply_markup?: { inline_keyboard: { text: string; url?: string; callback_data?: string }[][] }
}

export interface PlayedTelegram extends PlayedPlatform {
  /** Lets a bot without a webhook find a request when it asks. */
  put(delivery: Delivery): void
}

/** Telegram's Bot API, as far as notices need it. @param hasWebhook whether it sends requests to the host */
export async function playedTelegram({ hasWebhook = true } = {}): Promise<PlayedTelegram> {
  let pending: { update_id: number }[] = []
  const asking = new Set<() => void>()
  const calls: PlayedPlatform['calls'] = []
  const messages: PlayedMessage[] = []
  const failures: number[] = []
  let updates = 0
  const show = ({ text = '', reply_markup }: Body) => ({
    text,
    buttons: (reply_markup?.inline_keyboard ?? [])
      .flat()
      .map(({ text, url, callback_data: data }) => ({ text, ...(url && { url }), ...(data && { data }) })),
  })
  const raw = ({ id, channel, text }: PlayedMessage) => ({
    message_id: Number(id),
    date: 1,
    chat: { id: Number(channel), type: channel.startsWith('-') ? 'group' : 'private' },
    text,
  })
  const methods: Record<string, (body: Body) => unknown> = {
    getMe: () => ({ id: 1, is_bot: true, first_name: 'Bot', username: 'bot' }),
    answerCallbackQuery: () => true,
    getWebhookInfo: () => ({ url: '' }),
    deleteWebhook: () => true,
    async getUpdates({ offset = 0 }) {
      pending = pending.filter(({ update_id }) => update_id >= offset)
      if (pending.length === 0) await new Promise<void>((resolve) => asking.add(resolve))
      return pending
    },
    sendMessage(body) {
      const message = { id: `${messages.length + 1}`, channel: `${body.chat_id}`, ...show(body) }
      messages.push(message)
      return raw(message)
    },
    editMessageText(body) {
      const message = messages.find(({ id }) => id === `${body.message_id}`) as PlayedMessage
      Object.assign(message, show(body))
      return raw(message)
    },
  }
  const apiUrl = await listen(async (request, response) => {
    const body = (await json(request)) as Body
    const method = request.url?.split('/').at(-1) ?? ''
    calls.push({ method, body: { ...body } })
    // The adapter refuses what is too long for a button. Texts are cut by it: none may come to that.
    if ((body.text ?? '').endsWith('\\.\\.\\.')) failures.push(400)
    const status = method.startsWith('get') ? 200 : (failures.shift() ?? 200)
    response.writeHead(status, { 'content-type': 'application/json' })
    const reply =
      status === 200
        ? { ok: true, result: await methods[method]?.(body) }
        : { ok: false, error_code: status, description: 'Refused', parameters: { retry_after: 7 } }
    response.end(JSON.stringify(reply))
  })
  const signed = (update: object): Delivery => ({
    body: JSON.stringify({ update_id: ++updates, ...update }),
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': SECRET },
  })
  const logger = quiet
  return {
    name: 'telegram',
    // Its types are not made for `exactOptionalPropertyTypes`.
    adapter: createTelegramAdapter({
      ...{ apiUrl, botToken: 'T', logger },
      ...(hasWebhook ? { secretToken: SECRET, mode: 'webhook' } : { mode: 'auto' }),
    }) as Adapter,
    calls,
    messages,
    whispers: [],
    forms: [],
    failures,
    click: (message, button, user) =>
      signed({
        callback_query: {
          id: `${updates}`,
          from: { id: Number(user), is_bot: false, first_name: user },
          message: {
            ...raw(message),
            reply_markup: {
              inline_keyboard: message.buttons.map(({ text, url, data }) => [
                { text, url, callback_data: data },
              ]),
            },
          },
          chat_instance: '1',
          data: button?.data,
        },
      }),
    put({ body }) {
      pending.push(JSON.parse(body))
      for (const wake of asking) wake()
      asking.clear()
    },
    forged: ({ body, headers }) => ({
      body,
      headers: { ...headers, 'x-telegram-bot-api-secret-token': 'guessed' },
    }),
  }
}
