import { type AnswerRequest, AskError, checkEntered } from '@sandagent/core/internal'
import type { Inbox, InboxQuestion, InboxSubmitOptions } from '@sandagent/inbox'
import { logError } from '@sandagent/sdk/internal'
import type { ActionEvent, Chat, ModalElement, ModalResponse, ModalSubmitEvent } from 'chat'
import { endingOf } from '../lib/ending-of.ts'
import { STRANGER, votedText } from '../lib/notice-text.ts'
import { questionKey } from '../notice.ts'
import { type ButtonRef, parseButton, parseRefText, refText } from './button-ref.ts'
import { FORM_ID, formOf, isFormPossible, partOfResponse, responsesIn, selectedIn } from './chat-form.ts'
import { actionsOn, cardOf, endedMessage, headline, messageOf, numbersIn, TOO_LONG } from './chat-message.ts'
import { block, platformOf } from './chat-platforms.ts'

export interface TakeAnswersOptions {
  chat: Pick<Chat, 'onAction' | 'onModalSubmit'>
  inbox: Pick<Inbox, 'list' | 'find' | 'submit'>
  /** Who a chat user is, as `inbox.submit` takes it; `null` for somebody who may not answer. @param address `ADAPTER:USER` */
  authorize: (address: string) => InboxSubmitOptions | null | Promise<InboxSubmitOptions | null>
}

const NOT_TAKEN = 'This was not taken. Try again, or answer on the page.'

/** Takes what people click and type in their chats. */
export function takeAnswers({ chat, inbox, authorize }: TakeAnswersOptions): void {
  const personOf = async ({ adapter, user }: Pick<ActionEvent, 'adapter' | 'user'>) =>
    authorize(`${adapter.name}:${user.userId}`)

  /** The question with this key. This host keeps no table of buttons: what waits is what can be answered. */
  const find = async (key: string): Promise<InboxQuestion> => {
    const { questions, unreachable } = await inbox.list()
    const found = questions.find((each) => questionKey(each) === key)
    if (found) return found
    if (unreachable.length > 0)
      throw new AskError('UNREACHABLE', 'The question cannot be read now. Try again later')
    throw new AskError('GONE', 'This has been answered, or nobody asks it any more.')
  }

  const submit = (
    { sandboxId, question }: InboxQuestion,
    answer: Pick<AnswerRequest, 'status' | 'responses'>,
    person: InboxSubmitOptions,
  ) => {
    const { toolCallId, questionDigest, askedAt } = question
    return inbox.submit(sandboxId, { toolCallId, questionDigest, askedAt, ...answer }, person)
  }

  /** Shows what is picked now. */
  const pick = async (event: ActionEvent, asked: InboxQuestion, number: number): Promise<void> => {
    const { adapter, threadId, messageId } = event
    const message = { ...asked, adapter: adapter.name, isTextAllowed: true, link: linkIn(event.raw) }
    await adapter.editMessage(threadId, messageId, messageOf({ ...message, picked: numbersIn(number) }))
    const { sandboxId, question } = asked
    const now = await inbox.find({ sandboxId, toolCallId: question.toolCallId })
    // It has ended meanwhile, and its message may have said so already.
    if (now.question.state !== 'open')
      await adapter.editMessage(
        threadId,
        messageId,
        endedMessage(headline(message), endingOf(now.question), adapter.name),
      )
  }

  /** Resolves to what the person is told. */
  const clicked = async (
    event: ActionEvent,
    ref: ButtonRef,
    person: InboxSubmitOptions,
  ): Promise<string | null> => {
    const asked = await find(ref.key)
    const { question } = asked
    const platform = platformOf(event.adapter.name)
    const [only] = question.questions
    // A message may be of an earlier version, or of an edited client.
    if (!platform || !only || !actionsOn(question, platform).has(ref.action))
      throw new AskError('FORBIDDEN', TOO_LONG)
    const { action, number } = ref
    if (action === 'pick') await pick(event, asked, number)
    if (action === 'form')
      await event.openModal(formOf(question, numbersIn(number), { platform, ref: refText(ref) }))
    if (action === 'pick' || action === 'form') return null
    if (action === 'decline') {
      await submit(asked, { status: 'declined' }, person)
      return null
    }
    const selected = selectedIn(only, action === 'give' ? [number] : numbersIn(number))
    if (selected.length === 0)
      throw new AskError('CHANGED', 'The question has changed. Answer it by its newest message')
    const responses = { [only.id]: { selected, source: 'human' as const } }
    const { missingVotes } = await submit(asked, { status: 'completed', responses }, person)
    return missingVotes ? votedText(missingVotes) : null
  }

  /** Resolves to what the form shows. What throws would close it, as if the answer were taken. */
  const submitted = async (event: ModalSubmitEvent): Promise<ModalResponse | undefined> => {
    const first = Object.keys(event.values)[0] ?? ''
    const fault = (text: string, part = first): ModalResponse => ({
      action: 'errors',
      errors: { [part]: text },
    })
    const ref = parseRefText(event.privateMetadata)
    const platform = platformOf(event.adapter.name)
    if (!ref || !platform) return fault(TOO_LONG)
    try {
      const person = await personOf(event)
      if (person === null) return fault(STRANGER)
      const asked = await find(ref.key)
      const { question } = asked
      if (!isFormPossible(question, platform)) return fault(TOO_LONG)
      const responses = responsesIn(question, event.values, numbersIn(ref.number))
      try {
        checkEntered(question.questions, responses)
        const { missingVotes } = await submit(asked, { status: 'completed', responses }, person)
        if (missingVotes) return { action: 'update', modal: noteOf(votedText(missingVotes)) }
        return undefined
      } catch (error) {
        if (!(error instanceof AskError) || error.faults.length === 0) throw error
        const errors = error.faults.map(({ path, expected }) => [
          partOfResponse(question, path),
          `Expected ${expected}`,
        ])
        return { action: 'errors', errors: Object.fromEntries(errors) }
      }
    } catch (error) {
      if (error instanceof AskError) return fault(error.message)
      logError(error)
      return fault(NOT_TAKEN)
    }
  }

  chat.onAction(async (event) => {
    const ref = parseButton(event.actionId, event.value)
    if (!ref) return
    // Strangers get no message of their own: they could let the host send as many as they like.
    const say = async (text: string, { fallbackToDM }: { fallbackToDM: boolean }): Promise<void> => {
      const platform = platformOf(event.adapter.name)
      const card = cardOf(platform ? block(text, platform) : text)
      await event.thread?.channel.postEphemeral(event.user, card, { fallbackToDM })
    }
    const person = await personOf(event)
    if (person === null) return say(STRANGER, { fallbackToDM: false })
    try {
      const text = await clicked(event, ref, person)
      if (text !== null) await say(text, { fallbackToDM: true })
    } catch (error) {
      if (!(error instanceof AskError)) logError(error)
      await say(error instanceof AskError ? error.message : NOT_TAKEN, { fallbackToDM: true })
    }
  })
  chat.onModalSubmit(FORM_ID, submitted)
}

/** A form that only says something. */
const noteOf = (text: string): ModalElement => ({
  type: 'modal',
  callbackId: 'ask:note',
  title: 'Answer',
  submitLabel: 'Close',
  children: [{ type: 'text', content: text }],
})

/** The link in a message with buttons, as the platform gives it back. Who edits the message keeps it. */
function linkIn(raw: unknown): string | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined
  if ('url' in raw && typeof raw.url === 'string') return raw.url
  for (const [name, value] of Object.entries(raw)) {
    // What else a message has is not of buttons.
    const link = Number.isInteger(Number(name)) || AROUND_BUTTONS.has(name) ? linkIn(value) : undefined
    if (link !== undefined) return link
  }
  return undefined
}

const AROUND_BUTTONS: ReadonlySet<string> = new Set([
  'message',
  'blocks',
  'elements',
  'components',
  'reply_markup',
  'inline_keyboard',
])
