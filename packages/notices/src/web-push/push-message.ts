import { APPROVAL_OPTIONS, type AskedQuestion, printableLine } from '@sandagent/core/internal'
import { endingText, headlineOf, isWholeOnButton, textsOf } from '../lib/notice-text.ts'
import type { Notice, NoticeEnding, NoticeSubject } from '../notice.ts'

/** What the service worker of the page gets. Only the browser can read it: it is encrypted on its way (RFC 8291). */
export type PushMessage =
  | {
      kind: 'question'
      /** The `tag` of the notification. */
      id: string
      title: string
      body: string
      sandboxId: string
      toolCallId: string
      /** What buttons answer, and what they need for it. */
      answer?: PushAnswer
    }
  | { kind: 'ended'; id: string; title: string }

export interface PushAnswer {
  /** What stands behind the `#` of the answer link. */
  link: string
  questionId: string
  questionDigest?: string
  choices: { value: string; label: string }[]
}

/** Services take 4096 bytes, some of them for the encryption. */
const MAX_BYTES = 3800

/** A longer text would be cut by systems. Nobody answers by a button what they cannot read. */
const MAX_READ_AT_ONCE = 150
const MAX_LINES = 6

/** As many buttons as browsers show. */
const MOST_CHOICES = 2

export function questionMessage(notice: Notice): string {
  const { id, sandboxId, toolCallId } = notice
  const texts = textsOf(notice)
  const body = texts.join('\n')
  const plain = { kind: 'question' as const, id, title: headlineOf(notice), body: '', sandboxId, toolCallId }
  const isReadAtOnce = body.length <= MAX_READ_AT_ONCE && body.split('\n').length <= MAX_LINES
  const answer = body !== '' && isReadAtOnce ? answerIn(notice) : undefined
  const messages: PushMessage[] = [
    { ...plain, body, ...(answer && { answer }) },
    { ...plain, body: `${body.slice(0, MAX_READ_AT_ONCE)}…` },
    plain,
  ]
  const texted = messages.map((message) => JSON.stringify(message))
  return texted.find((text) => Buffer.byteLength(text) <= MAX_BYTES) ?? ''
}

export function endedMessage({ id }: NoticeSubject, ending: NoticeEnding): string {
  return JSON.stringify({ kind: 'ended', id, title: endingText(ending) } satisfies PushMessage)
}

/** What two buttons can answer: one question with two options, or an approval. */
function answerIn({ question, link }: Notice): PushAnswer | undefined {
  const [only, ...others] = question.questions
  if (!link || !only || others.length > 0 || only.multiSelect) return undefined
  const { options = [] } = only
  const offered = question.kind === 'approval' ? options.filter(isForOnce) : options
  if (offered.length === 0 || offered.length > MOST_CHOICES) return undefined
  if (!offered.every((option) => isWholeOnButton(option, question))) return undefined
  const { questionDigest } = question
  return {
    link: new URL(link).hash.slice(1),
    questionId: only.id,
    ...(questionDigest !== undefined && { questionDigest }),
    choices: offered.map(({ label, value = label }) => ({ label: printableLine(label), value })),
  }
}

/** A button allows one call, or denies it. What is wider is for the page. */
const isForOnce = ({ value }: NonNullable<AskedQuestion['options']>[number]): boolean =>
  value !== APPROVAL_OPTIONS.allowSession.value
