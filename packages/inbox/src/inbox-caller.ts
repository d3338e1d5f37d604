import {
  AskError,
  type Clock,
  type HostPasskeys,
  type OnWarning,
  type QuestionRecord,
  type QuestionState,
} from '@sandagent/core/internal'
import type { Authorization, Caller, HostGrants, Policy } from '@sandagent/sdk/internal'
import { viewerOf } from '@sandagent/sdk/internal'
import { type InboxQuestion, inboxQuestionOf } from './inbox-question.ts'
import { type InboxSandbox, type InboxSandboxes, sandboxesOf } from './inbox-sandbox.ts'

/** What a caller asks for. Without a `toolCallId` it is the sandbox: its name, its runs and their logs. */
export interface InboxSubject {
  sandboxId: string
  toolCallId?: string
  /** Absent for a question without a record. */
  record?: QuestionRecord
}

/** Decides whether the caller may see a sandbox, or see and answer a question. */
export type AuthorizeInbox = (
  request: Request,
  subject: InboxSubject,
) => Authorization | Promise<Authorization>

/** What the caller of one request may see. */
export interface InboxCaller {
  /** The sandboxes that the caller may see. @throws what `authorize` throws */
  sandboxes(): Promise<InboxSandbox[]>
  maySee(sandboxId: string): Promise<boolean>
  /** As `LookAround`. If `authorize` throws, it shows nothing, and `failure` is what was thrown. */
  show(sandbox: InboxSandbox, state: QuestionState): Promise<InboxQuestion | null>
  readonly failure: { error: unknown } | null
}

/** The longest id of a browser. */
const MAX_BROWSER_CHARS = 64

export function createInboxCaller(
  request: Request,
  {
    sandboxes,
    authorize = () => true,
    onFailure,
    policy,
    grants,
    passkeys,
    onWarning,
    clock,
  }: {
    sandboxes: InboxSandboxes
    policy?: Policy | undefined
    grants?: HostGrants | undefined
    passkeys?: HostPasskeys | undefined
    authorize?: AuthorizeInbox | undefined
    onFailure?: (() => void) | undefined
    /** Called each time for a question whose run checks no passkeys, or others. */
    onWarning?: OnWarning | undefined
    clock: Clock
  },
): InboxCaller {
  const browser = new URL(request.url).searchParams.get('browser')?.slice(0, MAX_BROWSER_CHARS)
  const maySee = async (sandboxId: string): Promise<boolean> => {
    try {
      return (await authorize(request, { sandboxId })) !== false
    } catch (error) {
      if (error instanceof AskError && error.code === 'FORBIDDEN') return false
      throw error
    }
  }
  const asking = ({ sandbox }: InboxSandbox) => ({ policy, grants, passkeys, sandbox })
  let failure: InboxCaller['failure'] = null
  return {
    maySee,
    async sandboxes() {
      const all = await sandboxesOf(sandboxes)
      const verdicts = await Promise.all(all.map(({ id }) => maySee(id)))
      return all.filter((_, index) => verdicts[index])
    },
    async show(sandbox, state) {
      const { toolCallId, record } = state
      try {
        const subject = { sandboxId: sandbox.id, toolCallId, ...(record && { record }) }
        const verdict = await authorize(request, subject)
        if (!verdict) return null
        const person: Caller = verdict === true ? {} : verdict
        const viewer = await viewerOf({ ...person, browser }, state, asking(sandbox))
        const shown = inboxQuestionOf(sandbox, state, clock.now(), viewer)
        const { passkeyNote: message } = shown.question
        if (message !== undefined) onWarning?.({ code: 'PASSKEY_NEEDED', message, toolCallId })
        return shown
      } catch (error) {
        if (error instanceof AskError && error.code === 'FORBIDDEN') return null
        failure ??= { error }
        onFailure?.()
        return null
      }
    },
    get failure() {
      return failure
    },
  }
}
