import { createHmac } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { createSlackAdapter } from '@chat-adapter/slack'
import { listen } from '@sandagent/fixtures/listen.ts'
import type { Adapter } from 'chat'
import type { Delivery, PlayedForm, PlayedMessage, PlayedPlatform } from './played-platform.ts'
import { quiet } from './quiet-logger.ts'

const SECRET = 'slack-secret'

interface Block {
  type: string
  text?: { type: string; text: string }
  label?: { text: string }
  element?: { action_id: string; options?: { text: { text: string } }[] }
  elements?: { text: { text: string }; action_id: string; value?: string; url?: string }[]
}

/** Slack's Web API, as far as notices need it. The channel of a direct message is `D` and the user. */
export async function playedSlack(): Promise<PlayedPlatform> {
  const calls: PlayedPlatform['calls'] = []
  const messages: PlayedMessage[] = []
  const whispers: PlayedPlatform['whispers'] = []
  const forms: PlayedForm[] = []
  const failures: number[] = []
  const show = (blocks: Block[]) => ({
    text: blocks.flatMap((block) => (block.text ? [block.text.text] : [])).join('\n'),
    buttons: blocks
      .flatMap(({ elements = [] }) => elements)
      .map(({ text, url, action_id, value }) => ({
        text: text.text,
        ...(url ? { url } : { data: { action_id, value } }),
      })),
  })
  const methods: Record<string, (body: Record<string, string>, blocks: Block[]) => object> = {
    'auth.test': () => ({ user_id: 'UBOT', bot_id: 'B1', user: 'bot' }),
    'conversations.open': ({ users }) => ({ channel: { id: `D${users}` } }),
    'chat.postMessage'({ channel = '' }, blocks) {
      const message = { id: `${messages.length + 1}.1`, channel, ...show(blocks) }
      messages.push(message)
      return { channel, ts: message.id }
    },
    'chat.update'({ ts, channel }, blocks) {
      Object.assign(messages.find(({ id }) => id === ts) as PlayedMessage, show(blocks))
      return { channel, ts }
    },
    'chat.postEphemeral'({ user = '' }, blocks) {
      whispers.push({ user, text: show(blocks).text })
      return { message_ts: '9.9' }
    },
    'views.open'({ view = '' }) {
      const opened = JSON.parse(view) as { blocks: Block[] }
      forms.push({
        texts: opened.blocks.flatMap((block) => (block.text ? [block.text.text] : [])),
        fields: opened.blocks.flatMap(({ label, element }) =>
          label && element
            ? [
                {
                  id: element.action_id,
                  label: label.text,
                  ...(element.options && { options: element.options.map(({ text }) => text.text) }),
                },
              ]
            : [],
        ),
        view: opened,
      })
      return { view: { id: 'V1' } }
    },
  }
  const url = await listen(async (request, response) => {
    const body = Object.fromEntries(new URLSearchParams(await text(request)))
    const method = request.url?.replace('/api/', '') ?? ''
    const blocks = body.blocks ? (JSON.parse(body.blocks) as Block[]) : []
    calls.push({ method, body: { ...body, blocks } })
    const status = method === 'auth.test' ? 200 : (failures.shift() ?? 200)
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' })
    const isRefused =
      blocks.length > 50 ||
      blocks.some(({ text, elements = [] }) => (text?.text ?? '').length > 3000 || elements.length > 25)
    const reply = isRefused ? undefined : methods[method]?.(body, blocks)
    response.end(JSON.stringify(reply ? { ok: true, ...reply } : { ok: false, error: 'invalid_arguments' }))
  })
  const signed = (payload: object, secret = SECRET): Delivery => {
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
    const timestamp = `${Math.floor(Date.now() / 1000)}`
    return {
      body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`,
      },
    }
  }
  const options = { apiUrl: `${url}/api/`, botToken: 'xoxb-1', signingSecret: SECRET, logger: quiet }
  return {
    name: 'slack',
    // Its types are not made for `exactOptionalPropertyTypes`.
    adapter: createSlackAdapter({
      ...options,
      webClientOptions: { rejectRateLimitedCalls: true },
    }) as Adapter,
    calls,
    messages,
    whispers,
    forms,
    failures,
    click: (message, button, user) =>
      signed({
        type: 'block_actions',
        user: { id: user, username: user },
        trigger_id: 't1',
        channel: { id: message.channel },
        message: {
          ts: message.id,
          blocks: [
            {
              type: 'actions',
              elements: message.buttons.map(({ text, url, data }) => ({
                text: { text },
                url,
                ...(data as object),
              })),
            },
          ],
        },
        container: { type: 'message', message_ts: message.id, channel_id: message.channel },
        actions: [{ type: 'button', ...(button?.data as object) }],
      }),
    submit: ({ view, fields }, values, user) =>
      signed({
        type: 'view_submission',
        user: { id: user, username: user },
        view: {
          id: 'V1',
          ...view,
          state: {
            values: Object.fromEntries(
              fields.map(({ id, options }) => [
                id,
                {
                  [id]: options
                    ? { selected_option: values[id] ? { value: values[id] } : null }
                    : { value: values[id] },
                },
              ]),
            ),
          },
        },
      }),
    forged: ({ body, headers }) => ({
      body,
      headers: { ...headers, 'x-slack-signature': `v0=${'0'.repeat(64)}` },
    }),
  }
}
