import {
  AskError,
  allowsAny,
  findQuestion,
  selectInDraft,
  submittedResponses,
} from '@sandagent/core/internal'
import { type ReactElement, useSyncExternalStore } from 'react'
import type { UseAskUserQuestionReturn } from '../../../use-ask-user-question.ts'
import type { ApprovalPartProps } from '../approval-form.ts'
import { englishPasskeyLabels, type PasskeyLabels } from './passkey-labels.ts'
import { signWithPasskey } from './sign-with-passkey.ts'

type Pick = Parameters<UseAskUserQuestionReturn['selectAnswer']>

/** What the passkeys of this page are asked, by the ids of the calls: the browser shows one dialog at a time. */
let asked: Readonly<Record<string, keyof PasskeyLabels>> = {}
const listeners = new Set<() => void>()

function say(toolCallId: string, label: keyof PasskeyLabels | undefined): void {
  const { [toolCallId]: _, ...others } = asked
  asked = label ? { ...others, [toolCallId]: label } : others
  for (const listener of [...listeners]) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Sends a decision: one that allows the call, once the person's passkey has signed it. */
export async function decideSigned(ask: UseAskUserQuestionReturn, ...pick: Pick): Promise<void> {
  const { toolCallId, view, questions, entered } = ask
  const [id, value, isMulti, options] = pick
  const question = findQuestion(questions, id)
  if (!view || !question) return
  const draft = selectInDraft(entered, question, value, options?.input)
  const responses = submittedResponses(questions, draft)
  if (!allowsAny(responses)) return ask.selectAnswer(...pick)
  if (Object.values(asked).includes('passkeyWaits')) return
  say(toolCallId, 'passkeyWaits')
  try {
    const passkey = await signWithPasskey(view, responses)
    say(toolCallId, undefined)
    ask.selectAnswer(id, value, isMulti, { ...options, passkey })
  } catch (error) {
    const isWrongSite = error instanceof AskError && error.facts.isWrongSite === true
    say(toolCallId, isWrongSite ? 'passkeyWrongSite' : 'passkeyCancelled')
  }
}

/** Below the decisions: that a passkey confirms, and what became of it. */
export function PasskeyLine({ form }: ApprovalPartProps): ReactElement {
  const { ask } = form
  const note = ask.view?.passkeyNote
  const labels = { ...englishPasskeyLabels, ...form.labels }
  const label = useSyncExternalStore(
    subscribe,
    () => asked[ask.toolCallId],
    () => undefined,
  )
  return (
    <>
      {ask.view?.ignored && (
        <p className="sa-hint" role="alert">
          {labels.passkeyMissing}
        </p>
      )}
      {note === undefined ? (
        <p className="sa-hint">{ask.view?.passkey ? labels.passkeyAsked : labels.passkeyNone}</p>
      ) : (
        <p className="sa-hint" role="alert">
          {note}.
        </p>
      )}
      <p className="sa-hint" role="status">
        {label && labels[label]}
      </p>
    </>
  )
}
