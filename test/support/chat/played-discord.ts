import { generateKeyPairSync, sign } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { createDiscordAdapter } from '@chat-adapter/discord'
import { listen } from '@sandagent/fixtures/listen.ts'
import type { Adapter } from 'chat'
import type { Delivery, PlayedMessage, PlayedPlatform } from './played-platform.ts'
import { quiet } from './quiet-logger.ts'

interface Component {
  label: string
  url?: string
  custom_id?: string
  disabled?: boolean
}

interface Body {
  recipient_id?: string
  embeds?: { title?: string; description?: string }[]
  components?: { type: number; components: Component[] }[]
}

/** Discord's API, as far as notices need it. A message in `@me` is one to the user with the id of its channel. */
export async function playedDiscord(): Promise<PlayedPlatform> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const calls: PlayedPlatform['calls'] = []
  const messages: PlayedMessage[] = []
  const failures: number[] = []
  let interactions = 0
  /** What an edit leaves out stays as it was. */
  const show = ({ embeds, components }: Body) => ({
    ...(embeds && { text: embeds.map(({ description }) => description).join('\n') }),
    ...(components && {
      buttons: components
        .flatMap((row) => row.components)
        .filter(({ disabled }) => !disabled)
        .map(({ label, url, custom_id: data }) => ({
          text: label,
          ...(url && { url }),
          ...(data && { data }),
        })),
    }),
  })
  const apiUrl = await listen(async (request, response) => {
    const given = await text(request)
    const body = (given ? JSON.parse(given) : {}) as Body
    const [, place, channel = '', , id] = request.url?.split('/') ?? []
    calls.push({ method: `${request.method} ${request.url}`, body: { ...body } })
    const isRefused =
      (body.components ?? []).length > 5 ||
      (body.components ?? []).some(({ components }) => components.length > 5) ||
      (body.embeds ?? []).some(({ description = '' }) => description.length > 4096)
    const status = failures.shift() ?? (isRefused ? 400 : 200)
    response.writeHead(status, { 'content-type': 'application/json' })
    if (status !== 200) return void response.end('{"message":"Refused"}')
    if (place === 'users') return void response.end(JSON.stringify({ id: `dm-${body.recipient_id}` }))
    let message = messages.find((each) => each.id === id)
    if (!message) {
      message = { id: `${messages.length + 1}`, channel, text: '', buttons: [] }
      messages.push(message)
    }
    Object.assign(message, show(body))
    response.end(JSON.stringify({ id: message.id, channel_id: channel }))
  })
  const signed = (interaction: object): Delivery => {
    const body = JSON.stringify({
      id: `${++interactions}`,
      token: 't',
      version: 1,
      application_id: '9',
      ...interaction,
    })
    const timestamp = `${Math.floor(Date.now() / 1000)}`
    const signature = sign(null, Buffer.from(timestamp + body), privateKey).toString('hex')
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'x-signature-timestamp': timestamp,
        'x-signature-ed25519': signature,
      },
    }
  }
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
  return {
    name: 'discord',
    // Its types are not made for `exactOptionalPropertyTypes`.
    adapter: createDiscordAdapter({
      apiUrl,
      botToken: 'T',
      applicationId: '9',
      publicKey: raw,
      logger: quiet,
    }) as Adapter,
    calls,
    messages,
    whispers: [],
    forms: [],
    failures,
    click(message, button, user) {
      const isDirect = message.channel.startsWith('dm-')
      const person = { id: user, username: user, discriminator: '0' }
      return signed({
        type: 3,
        channel_id: message.channel,
        channel: { id: message.channel, type: isDirect ? 1 : 0 },
        ...(isDirect ? { user: person } : { guild_id: 'g1', member: { user: person } }),
        message: {
          id: message.id,
          components: [
            {
              type: 1,
              components: message.buttons.map(({ text, url, data }) => ({
                type: 2,
                label: text,
                url,
                custom_id: data,
              })),
            },
          ],
        },
        data: { component_type: 2, custom_id: button?.data },
      })
    },
    forged: ({ body, headers }) => ({
      body,
      headers: { ...headers, 'x-signature-ed25519': '00'.repeat(64) },
    }),
  }
}
