import { userInfo } from 'node:os'
import {
  type AnswerTransport,
  AskError,
  authorOf,
  type QuestionRecord,
  questionDigestOf,
  viewOf,
} from '@sandagent/core/internal'
import { type AnswerableSandbox, createSandboxTransport, type SandboxTransportOptions } from '@sandagent/sdk'

/** Reaches the question of one record, and no other one that may take its place. */
export interface RecordTransport extends AnswerTransport {
  /** Resolves when nothing is on its way to the sandbox. */
  idle(): Promise<void>
  /** Whether more than a draft was sent from here. */
  hasSubmitted(): boolean
}

/** Who answers, and by which policy. */
export type CallerOptions = Pick<SandboxTransportOptions, 'answeredBy' | 'roles' | 'policy'>

interface RecordTransportOptions {
  answerer?: CallerOptions | undefined
  /** Called when another question has taken the place of this one. */
  onReplaced: (error: AskError) => void
}

/**
 * The transport of a form that shows `record`. The agent can change the question's file, so each answer names what was shown.
 */
export function createRecordTransport(
  record: QuestionRecord,
  sandbox: AnswerableSandbox,
  { onReplaced, answerer }: RecordTransportOptions,
): RecordTransport {
  const questionDigest = questionDigestOf(record)
  const browser = terminalUser()
  const onWarning = (): void => {} // The run prints its own. What cannot be sent is shown in the form.
  const transport = createSandboxTransport(sandbox, { ...answerer, browser, onWarning })
  const underway = new Set<Promise<unknown>>()
  let hasSubmitted = false
  return {
    send(answer) {
      if (answer.status !== 'pending') hasSubmitted = true
      const sent = transport.send({ ...answer, questionDigest })
      const settled = sent.then(
        () => {},
        (error: unknown) => {
          if (error instanceof AskError && error.code === 'CHANGED') onReplaced(error)
        },
      )
      underway.add(settled)
      void settled.then(() => underway.delete(settled))
      return sent
    },
    subscribe(toolCallId, onView) {
      // Under a policy, the first view says whether this person may answer.
      if (!answerer?.policy)
        onView(viewOf({ toolCallId, record }, Date.now(), authorOf({ ...answerer, browser })))
      return (
        transport.subscribe?.(toolCallId, (view) => {
          if (view.questionDigest === questionDigest) onView(view)
        }) ?? (() => {})
      )
    },
    async idle() {
      await Promise.all(underway)
    },
    hasSubmitted: () => hasSubmitted,
  }
}

/** The same for each terminal of a user, so that they see their own draft again. */
const terminalUser = (): string => `terminal ${userInfo().username}`.slice(0, 64)
