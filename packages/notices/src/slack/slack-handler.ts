import {
  AskError,
  type Clock,
  checkEntered,
  checkOptions,
  type OptionNames,
  optionValue,
  systemClock,
} from '@sandagent/core/internal'
import type { Inbox, InboxSubmitOptions } from '@sandagent/inbox'
import { errorResponse, type WebHandler } from '@sandagent/sdk'
import * as v from 'valibot'
import { STRANGER, votedText } from '../lib/notice-text.ts'
import {
  blockOfResponse,
  FORM_ID,
  formState,
  formView,
  isFormPossible,
  noteView,
  responsesIn,
} from './question-form.ts'
import { parseRef, type QuestionRef, refText } from './question-ref.ts'
import { createSlackApi, type SlackApiOptions } from './slack-api.ts'
import { escaped, FORM, hasPicks, PICK, TOO_LONG } from './slack-message.ts'
import { isFromSlack } from './slack-signature.ts'

export interface SlackHandlerOptions extends SlackApiOptions {
  /** With it, Slack signs its requests. */
  signingSecret: string
  inbox: Pick<Inbox, 'find' | 'submit'>
  /** Who a Slack user is, as `inbox.submit` takes it; `null` for somebody who may not answer. */
  authorize: (userId: string) => InboxSubmitOptions | null | Promise<InboxSubmitOptions | null>
  clock?: Clock | undefined
}

const NAMES: OptionNames<SlackHandlerOptions> = {
  signingSecret: 'secret',
  botToken: 'secret',
  apiUrl: true,
  inbox: true,
  authorize: 'function',
  clock: 'clock',
}

const user = v.object({ id: v.string() })
const payloadSchema = v.variant('type', [
  v.object({
    type: v.literal('block_actions'),
    user,
    trigger_id: v.string(),
    channel: v.optional(v.object({ id: v.string() })),
    actions: v.tuple([v.object({ action_id: v.string(), value: v.optional(v.string()) })]),
  }),
  v.object({
    type: v.literal('view_submission'),
    user,
    view: v.object({ callback_id: v.string(), private_metadata: v.string(), state: formState }),
  }),
])

type Payload = v.InferOutput<typeof payloadSchema>
type Click = Extract<Payload, { type: 'block_actions' }>
type Submission = Extract<Payload, { type: 'view_submission' }>

/** The longest request, in bytes. Slack's are much shorter. */
const MOST_BYTES = 1_048_576

/**
 * Takes what people click and enter in Slack: the Request URL under "Interactivity". It needs the raw body: a program that
 * reads it before has to keep it in `req.rawBody`. Failures are printed by `console.error`, and Slack gets 500.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist, and for an empty secret
 */
export function createSlackHandler(options: SlackHandlerOptions): WebHandler {
  checkOptions('createSlackHandler', options, NAMES)
  const { signingSecret, inbox, authorize, clock = systemClock } = options
  const call = createSlackApi(options)

  const find = async ({ sandboxId, toolCallId }: QuestionRef) =>
    (await inbox.find({ sandboxId, toolCallId })).question

  /** Resolves to the reply for a click that is refused where nothing can be said. Slack then shows a sign of warning. */
  const clicked = async (click: Click): Promise<Response | null> => {
    const { user, trigger_id, channel, actions } = click
    const { id } = user
    const [action] = actions
    const isPick = action.action_id.startsWith(PICK)
    if (action.value === undefined || !(isPick || action.action_id === FORM)) return null
    const ref = parseRef(action.value)
    if (ref === null) return null
    const { sandboxId, toolCallId, questionDigest, askedAt } = ref
    const say = async (text: string): Promise<void> => {
      if (channel) await call('chat.postEphemeral', { channel: channel.id, user: id, text: escaped(text) })
    }
    try {
      const person = await authorize(id)
      if (person === null) throw new AskError('FORBIDDEN', STRANGER)
      const found = await find(ref)
      // A message may be of an earlier version, which cut texts beside its buttons.
      if (!(isPick ? hasPicks(found) : isFormPossible(found))) throw new AskError('FORBIDDEN', TOO_LONG)
      if (!isPick) {
        const view = formView(found, refText({ sandboxId, toolCallId, questionDigest, askedAt }) ?? '')
        await call('views.open', { trigger_id, view })
        return null
      }
      const [question] = found.questions
      const option = question?.options?.[ref.option ?? -1]
      if (!question || !option) throw new AskError('CHANGED', 'The question has changed')
      const responses = { [question.id]: { selected: [optionValue(option)], source: 'human' as const } }
      const request = { toolCallId, questionDigest, askedAt, status: 'completed' as const, responses }
      const { missingVotes } = await inbox.submit(sandboxId, request, person)
      if (missingVotes) await say(votedText(missingVotes))
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      if (channel === undefined) return new Response(error.message, { status: 403 })
      await say(error.message)
    }
    return null
  }

  /** Resolves to what Slack shows in the form. Nothing closes it. */
  const submitted = async ({ user: { id }, view }: Submission): Promise<object | null> => {
    if (view.callback_id !== FORM_ID) return null
    const ref = parseRef(view.private_metadata)
    if (ref === null) return null
    const { sandboxId, toolCallId, questionDigest, askedAt } = ref
    const shown = (faults: readonly (readonly [block: string, message: string])[]) => ({
      response_action: 'errors',
      errors: Object.fromEntries(faults),
    })
    const first = Object.keys(view.state.values)[0] ?? ''
    try {
      const person = await authorize(id)
      if (person === null) return shown([[first, STRANGER]])
      const found = await find(ref)
      if (!isFormPossible(found)) return shown([[first, TOO_LONG]])
      const { questions } = found
      const responses = responsesIn(questions, view.state)
      const request = { toolCallId, questionDigest, askedAt, status: 'completed' as const, responses }
      try {
        checkEntered(questions, responses)
        const { missingVotes } = await inbox.submit(sandboxId, request, person)
        return missingVotes ? { response_action: 'update', view: noteView(votedText(missingVotes)) } : null
      } catch (error) {
        if (!(error instanceof AskError) || error.faults.length === 0) throw error
        return shown(
          error.faults.map(({ path, expected }) => [
            blockOfResponse(questions, path),
            `Expected ${expected}`,
          ]),
        )
      }
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      return shown([[first, error.message]])
    }
  }

  const reply: WebHandler = async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } })
    const body = await bodyOf(request).catch(() => undefined)
    // The sender has gone away.
    if (body === undefined) return new Response(null, { status: 400 })
    if (body === null) return new Response(null, { status: 413 })
    if (!isFromSlack(body, request.headers, { signingSecret, now: clock.now() }))
      return new Response('Slack has not signed this', { status: 401 })
    const parsed = v.safeParse(payloadSchema, payloadIn(body))
    // Slack has further messages, which need no reply.
    if (!parsed.success) return new Response(null, { status: 200 })
    const payload = parsed.output
    if (payload.type === 'block_actions')
      return (await clicked(payload)) ?? new Response(null, { status: 200 })
    const shown = await submitted(payload)
    return shown ? Response.json(shown) : new Response(null, { status: 200 })
  }

  // Slack shows a person whose click failed a sign of warning. Why it failed is for the host.
  const failed = (cause: unknown): Response =>
    errorResponse(new Error('A click in Slack was not taken', { cause }))
  return (request) => reply(request).catch(failed)
}

function payloadIn(body: string): unknown {
  try {
    return JSON.parse(new URLSearchParams(body).get('payload') ?? '')
  } catch {
    return undefined
  }
}

/** `null` for a body that is too large. */
async function bodyOf({ body }: Request): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > MOST_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
