import { type Clock, checkOptions, invalid, systemClock } from '@sandagent/core/internal'
import { httpFailure, noReply } from '../lib/http-failure.ts'
import { headlineOf } from '../lib/notice-text.ts'
import { isSafeUrl, SAFE_URL } from '../lib/safe-url.ts'
import type { Notice, NoticeEnding, NoticeSink, NoticeSubject } from '../notice.ts'

export interface WebhookSinkOptions {
  /** Where the messages go, by HTTPS. By HTTP only on this machine. */
  url: string
  /** Signs the messages, as Standard Webhooks has it: `whsec_` and Base64. */
  secret: string
  clock?: Clock | undefined
}

/** The body of a message, as JSON. */
export type WebhookMessage =
  | {
      type: 'question.opened'
      timestamp: string
      data: Omit<NoticeSubject, 'person'> & {
        /** The name of the person. */
        person: string
        text: string
        kind: Notice['question']['kind']
        askedAt?: string
        deadline: string | null
        link?: string
        /** Only if the words may leave the machine. */
        questions?: Notice['question']['questions']
        subject?: Notice['question']['subject']
      }
    }
  | {
      type: 'question.ended'
      timestamp: string
      data: Omit<NoticeSubject, 'person'> & NoticeEnding & { person: string }
    }

/**
 * Sends notices to a program of yours, as Standard Webhooks. `webhook-id` is the id of the notice, so that the program can
 * leave out what comes twice.
 *
 * @throws AskError `INVALID_REQUEST` for a wrong address or secret
 */
export function createWebhookSink(options: WebhookSinkOptions): NoticeSink {
  checkOptions('createWebhookSink', options, { url: true, secret: true, clock: 'clock' })
  const { url, secret, clock = systemClock } = options
  checkPlace(url, secret)
  const post = async (id: string, message: WebhookMessage, signal: AbortSignal): Promise<void> => {
    const { Webhook } = await import('standardwebhooks')
    const body = JSON.stringify(message)
    const now = new Date(clock.now())
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    }
    // A redirection could lead the message to somebody else.
    const request = { method: 'POST', headers, body, redirect: 'manual', signal } as const
    const response = await fetch(url, request).catch((error: unknown) => {
      throw noReply(error)
    })
    await response.body?.cancel()
    if (!response.ok) throw httpFailure(response)
  }
  const timestamp = (): string => new Date(clock.now()).toISOString()
  return {
    async send(notice, { signal }) {
      const { question, link, isTextAllowed } = notice
      const { kind, askedAt, deadline, questions, subject } = question
      const data = {
        ...subjectOf(notice),
        text: headlineOf(notice),
        kind,
        ...(askedAt !== undefined && { askedAt }),
        deadline,
        ...(link !== undefined && { link }),
        ...(isTextAllowed && { questions, ...(subject && { subject }) }),
      }
      await post(notice.id, { type: 'question.opened', timestamp: timestamp(), data }, signal)
      return undefined
    },
    async settle(subject, _, ending, { signal }) {
      const data = { ...subjectOf(subject), ...ending }
      await post(`${subject.id}-ended`, { type: 'question.ended', timestamp: timestamp(), data }, signal)
    },
  }
}

const subjectOf = ({ id, sandboxId, sandboxName, toolCallId, person }: NoticeSubject) => ({
  id,
  sandboxId,
  sandboxName,
  toolCallId,
  person: person.name,
})

function checkPlace(url: string, secret: string): void {
  const faults = [
    ...(isSafeUrl(url) ? [] : [{ path: 'url', expected: SAFE_URL }]),
    ...(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)
      ? []
      : [{ path: 'secret', expected: 'whsec_ and at least 24 bytes in Base64' }]),
  ]
  if (faults.length > 0) throw invalid('INVALID_REQUEST', 'This is no webhook', faults)
}
