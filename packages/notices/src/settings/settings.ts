import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  AskError,
  errorCode,
  type Fault,
  filledText,
  invalid,
  parseJson,
  parseWith,
} from '@sandagent/core/internal'
import type { InboxSubmitOptions } from '@sandagent/inbox'
import * as v from 'valibot'
import { createDesktopSink } from '../desktop/desktop-sink.ts'
import { isSafeUrl, SAFE_URL } from '../lib/safe-url.ts'
import { createMailSink } from '../mail/mail-sink.ts'
import type { NoticeSink } from '../notice.ts'
import { checkRules } from '../rules/check-rules.ts'
import { mapByName } from '../rules/map-by-name.ts'
import type { NoticeAddress, NoticeRules, NotifiedPerson } from '../rules/notice-rules.ts'
import type { SlackHandlerOptions } from '../slack/slack-handler.ts'
import { createSlackSink } from '../slack/slack-sink.ts'
import { createWebhookSink } from '../webhook/webhook-sink.ts'
import { readSecret, type Secret, secretSchema } from './secret.ts'

/** What a file of settings says: who is told, and by what. */
export interface NoticeSettings extends NoticeRules {
  sinks: Record<string, NoticeSink>
  /** What `createSlackHandler` needs beside an inbox, if a sink of the type slack has a signing secret. */
  slack?: Omit<SlackHandlerOptions, 'inbox'>
}

const sinkSchema = v.variant(
  'type',
  [
    v.strictObject({ type: v.literal('desktop') }),
    v.strictObject({ type: v.literal('mail'), server: secretSchema, from: filledText }),
    v.strictObject({
      type: v.literal('slack'),
      botToken: secretSchema,
      signingSecret: v.optional(secretSchema),
      apiUrl: v.optional(v.pipe(filledText, v.check(isSafeUrl, SAFE_URL))),
    }),
    v.strictObject({ type: v.literal('webhook'), url: filledText, secret: secretSchema }),
  ],
  'a sink of the type desktop, mail, slack or webhook',
)

type SinkSettings = v.InferOutput<typeof sinkSchema>

const fileSchema = v.object({ sinks: mapByName(sinkSchema) })

/** What an address must look like, by the type of its sink. */
const ADDRESSES: Partial<Record<SinkSettings['type'], { pattern: RegExp; expected: string }>> = {
  mail: { pattern: /^[^\s@<>,]+@[^\s@<>,]+$/, expected: 'a mail address' },
  slack: { pattern: /^[A-Z][A-Z0-9]+$/, expected: 'the id of a user or a channel, such as U012AB3CD' },
}

/**
 * Reads a file of settings, and the secrets that it names.
 *
 * @param env the variables of the environment
 * @throws AskError `NOT_FOUND` for a missing file, `INVALID_FILE` with the faults, `UNSAFE_PATH` for a secret that others can
 *   read
 */
export async function readNoticeSettings(
  path: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<NoticeSettings> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (errorCode(cause) === 'EISDIR')
      throw new AskError('INVALID_FILE', `${path} is a folder. Name the file with the settings`, { cause })
    if (errorCode(cause) !== 'ENOENT') throw cause
    throw new AskError('NOT_FOUND', `There is no file ${path}. Write it, or correct its name`, { cause })
  })
  const what = `${path} has no settings of notices`
  const file = parseJson(text, 'INVALID_FILE', what)
  const { sinks: given } = parseWith(fileSchema, file, 'INVALID_FILE', what)
  const { sinks: _, ...rules } = file as NoticeRules & { sinks: unknown }
  const made: [string, MadeSink][] = []
  for (const [name, sink] of Object.entries(given)) {
    const at = `sinks.${name}`
    const secretAt = async (key: string, secret: Secret): Promise<string> => {
      const found = await readSecret(secret, { env, folder: dirname(path) })
      if ('value' in found) return found.value
      throw invalid('INVALID_FILE', what, [{ path: key, expected: found.missing }])
    }
    made.push([name, await within(at, what, () => makeSink(sink, secretAt))])
  }
  await within('', what, async () => checkRules(rules, Object.keys(given), what))
  const faults = wrongAddresses(rules, given)
  if (faults.length > 0) throw invalid('INVALID_FILE', what, faults)
  const [slackName, { slack } = {}] = made.find(([, each]) => each.slack) ?? []
  const authorize = (userId: string): InboxSubmitOptions | null => {
    const isAt = ([, { addresses }]: [string, NotifiedPerson]): boolean =>
      destinationOf(addresses[slackName ?? '']) === userId
    const [answeredBy, person] = Object.entries(rules.people).find(isAt) ?? []
    return answeredBy === undefined ? null : { answeredBy, roles: person?.roles }
  }
  return {
    ...rules,
    sinks: Object.fromEntries(made.map(([name, { sink }]) => [name, sink])),
    ...(slack && { slack: { ...slack, authorize } }),
  }
}

interface MadeSink {
  sink: NoticeSink
  slack?: Omit<SlackHandlerOptions, 'inbox' | 'authorize'>
}

async function makeSink(
  given: SinkSettings,
  secretAt: (key: string, secret: Secret) => Promise<string>,
): Promise<MadeSink> {
  switch (given.type) {
    case 'desktop':
      return { sink: createDesktopSink() }
    case 'mail':
      return { sink: createMailSink({ from: given.from, server: await secretAt('server', given.server) }) }
    case 'slack': {
      const api = { botToken: await secretAt('botToken', given.botToken), apiUrl: given.apiUrl }
      if (!given.signingSecret) return { sink: createSlackSink(api) }
      const signingSecret = await secretAt('signingSecret', given.signingSecret)
      return { sink: createSlackSink({ ...api, hasButtons: true }), slack: { ...api, signingSecret } }
    }
    case 'webhook':
      return { sink: createWebhookSink({ url: given.url, secret: await secretAt('secret', given.secret) }) }
  }
}

/** Lets the faults of a part of the file name the file, and their place in it. */
async function within<T>(place: string, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AskError) || error.faults.length === 0) throw error
    const faults = error.faults.map(({ path, expected }) => ({
      path: [place, path].filter(Boolean).join('.'),
      expected,
    }))
    throw invalid('INVALID_FILE', what, faults)
  }
}

const wrongAddresses = ({ people }: NoticeRules, sinks: Record<string, SinkSettings>): Fault[] =>
  Object.entries(people).flatMap(([person, { addresses }]) =>
    Object.entries(addresses).flatMap(([name, address]) => {
      const { type } = sinks[name] as SinkSettings
      const { pattern = /(?:)/, expected = '' } = ADDRESSES[type] ?? {}
      return pattern.test(destinationOf(address) ?? '')
        ? []
        : [{ path: `people.${person}.addresses.${name}`, expected }]
    }),
  )

/** Where a sink reaches a person. */
function destinationOf(address: NoticeAddress | undefined): string | undefined {
  const to = typeof address === 'object' ? address.to : address
  return typeof to === 'string' ? to : undefined
}
