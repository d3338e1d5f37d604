import { AskError, checkOptions, type OptionNames, parseWith } from '@sandagent/core/internal'
import * as v from 'valibot'
import { headlineOf } from '../lib/notice-text.ts'
import type { NoticeSink } from '../notice.ts'
import { createSlackApi, type SlackApiOptions } from './slack-api.ts'
import { endedMessage, messageOf } from './slack-message.ts'

export interface SlackSinkOptions extends SlackApiOptions {
  /** Whether a `createSlackHandler` takes what people click. Default false: messages have only the link. */
  hasButtons?: boolean | undefined
}

const NAMES: OptionNames<SlackSinkOptions> = { botToken: 'secret', apiUrl: true, hasButtons: true }

const WHAT = 'This does not say where a message of Slack is'

/** Where a message is, and what its first line says. */
const sentSchema = v.object({
  channel: v.string(),
  ts: v.string(),
  headline: v.optional(v.string(), 'A question'),
})

/**
 * Sends notices by Slack. The address of a person is the id of a user, or of a channel with the app in it. The message has
 * buttons if the words of the question may leave this machine. It is edited when the question has ended.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist, and for an empty token
 */
export function createSlackSink(given: SlackSinkOptions): NoticeSink {
  checkOptions('createSlackSink', given, NAMES)
  const { hasButtons = false, ...options } = given
  const call = createSlackApi(options)
  return {
    async send(notice, { signal }) {
      const { name, address } = notice.person
      if (!address)
        throw new AskError(
          'INVALID_REQUEST',
          `${name} has no Slack id. Add it to their addresses in the settings`,
        )
      const message = { channel: address, unfurl_links: false, unfurl_media: false }
      const reply = await call(
        'chat.postMessage',
        { ...message, ...messageOf(notice, { hasButtons }) },
        signal,
      )
      const { channel, ts } = parseWith(sentSchema, reply, 'UNREACHABLE', 'This is no reply of Slack')
      return { channel, ts, headline: headlineOf(notice) }
    },
    async settle(_, sent, ending, { signal }) {
      const { channel, ts, headline } = parseWith(sentSchema, sent, 'INVALID_FILE', WHAT)
      await call('chat.update', { channel, ts, ...endedMessage(headline, ending) }, signal)
    },
  }
}
