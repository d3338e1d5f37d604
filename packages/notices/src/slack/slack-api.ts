import { AskError } from '@sandagent/core/internal'
import * as v from 'valibot'
import { httpFailure, noReply } from '../lib/http-failure.ts'

export interface SlackApiOptions {
  /** `xoxb-…`, with the scope `chat:write`. */
  botToken: string
  /** Where Slack's methods are. Default: `https://slack.com/api/`. */
  apiUrl?: string | undefined
}

const reply = v.looseObject({ ok: v.boolean(), error: v.optional(v.string(), 'an unknown error') })

/** Slack's own faults. A later try may work. */
const PASSING = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'ratelimited']

/** Makes what calls a method of Slack. It throws as `send` of `NoticeSink` does. */
export const createSlackApi =
  ({ botToken, apiUrl = 'https://slack.com/api/' }: SlackApiOptions) =>
  async (method: string, body: object, signal?: AbortSignal): Promise<unknown> => {
    const response = await fetch(new URL(method, apiUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${botToken}` },
      body: JSON.stringify(body),
      redirect: 'manual',
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      throw noReply(error)
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw httpFailure(response)
    }
    const parsed = v.safeParse(reply, await response.json().catch(() => null))
    if (!parsed.success)
      throw new AskError(
        'UNREACHABLE',
        'This is no reply of Slack. Look whether apiUrl, or a proxy, leads somewhere else',
      )
    const { ok, error } = parsed.output
    if (ok) return parsed.output
    throw new AskError(PASSING.includes(error) ? 'UNREACHABLE' : 'FORBIDDEN', `Slack refuses: ${error}`)
  }
