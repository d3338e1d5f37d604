import { json } from 'node:stream/consumers'
import { createTelegramAdapter } from '@chat-adapter/telegram'
import { listen } from '@sandagent/fixtures/listen.ts'
import type { Adapter } from 'chat'
import type { Delivery, PlayedMessage, PlayedPlatform } from './played-platform.ts'
import { quiet } from './quiet-logger.ts'

const SECRET = 'telegram-secret'

interface Body {
  chat_id?: string
  message_id?: number
  text?: string
  reply_markup?: { inline_keyboard: { text: string; url?: string; callback_data?: string }[][] }
}

/** Telegram's Bot API, as far as notices need it. */
export async function playedTelegram(): Promise<PlayedPlatform> {
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
    const status = method === 'getMe' ? 200 : (failures.shift() ?? 200)
    response.writeHead(status, { 'content-type': 'application/json' })
    const reply =
      status === 200
        ? { ok: true, result: methods[method]?.(body) }
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
      apiUrl,
      botToken: 'T',
      secretToken: SECRET,
      mode: 'webhook',
      logger,
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
    forged: ({ body, headers }) => ({
      body,
      headers: { ...headers, 'x-telegram-bot-api-secret-token': 'guessed' },
    }),
  }
}
