import { userInfo } from 'node:os'
import {
  type AnswerTransport,
  AskError,
  authorOf,
  type QuestionRecord,
  questionDigestOf,
  viewOf,
} from '@sandagent/core/internal'
import {
  type AnswerableSandbox,
  createSandboxTransport,
  type SandboxTransportOptions,
  takesFiles,
} from '@sandagent/sdk/internal'

/** Who answers, by which policy, and what keeps what they allow beyond a call. */
export type CallerOptions = Pick<SandboxTransportOptions, 'answeredBy' | 'roles' | 'policy' | 'grants'>

/**
 * The transport of a form that shows `record`, and no other question that may take its place. The agent can change the
 * question's file, so each answer names what was shown.
 *
 * @param onReplaced called when another question has taken the place of this one
 */
export function createRecordTransport(
  record: QuestionRecord,
  sandbox: AnswerableSandbox,
  answerer: CallerOptions | undefined,
  onReplaced: (error: AskError) => void,
) {
  const questionDigest = questionDigestOf(record)
  const browser = terminalUser()
  const offer = record.questions.some(({ files }) => files) &&
    takesFiles(sandbox) && { offer: { takesFiles: true as const } }
  const onWarning = (): void => {} // The run prints its own. What cannot be sent is shown in the form.
  const transport = createSandboxTransport(sandbox, { ...answerer, browser, onWarning })
  const underway = new Set<Promise<unknown>>()
  let hasSubmitted = false
  const recordTransport: AnswerTransport = {
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
      // Under a policy, the first view says whether this person may answer. With grants, it says what they can allow.
      if (!answerer?.policy && !answerer?.grants)
        onView(
          viewOf({ toolCallId, record }, Date.now(), { ...authorOf({ ...answerer, browser }), ...offer }),
        )
      return (
        transport.subscribe?.(toolCallId, (view) => {
          if (view.questionDigest === questionDigest) onView(view)
        }) ?? (() => {})
      )
    },
  }
  return {
    ...recordTransport,
    /** Resolves when nothing is on its way to the sandbox. */
    async idle(): Promise<void> {
      await Promise.all(underway)
    },
    /** Whether more than a draft was sent from here. */
    hasSubmitted: (): boolean => hasSubmitted,
  }
}

/** The same for each terminal of a user, so that they see their own draft again. */
const terminalUser = (): string => `terminal ${userInfo().username}`.slice(0, 64)
