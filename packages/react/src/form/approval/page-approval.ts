import {
  type AnswerTransport,
  APPROVAL_OPTIONS,
  approvalQuestion,
  decisionOf,
  isObject,
  isOver,
  pick,
  type QuestionView,
  reasonsOf,
  type ToolPart,
  toolNameOf,
} from '@sandagent/core/internal'
import { useEffect, useRef, useState } from 'react'

/** Takes a decision in the page: `addToolApprovalResponse` of `useChat`. */
export type RespondToApproval = (response: {
  id: string
  approved: boolean
  reason?: string
}) => void | PromiseLike<void>

/** What a tool of the AI SDK asks its page for. */
interface PageApproval {
  id: string
  /** Absent while nobody has decided. */
  approved?: boolean
  reason?: string
  /** Why the server asks. */
  requestReason?: string
}

/** The approval that a part asks its page for; `null` for a part that asks for none, or whose server decided itself. */
export function pageApprovalIn({ approval }: ToolPart): PageApproval | null {
  const { id, ...texts } = pick(approval, 'string', ['id', 'reason', 'requestReason'])
  const isAutomatic = isObject(approval) && approval.isAutomatic === true
  return id === undefined || isAutomatic ? null : { id, ...texts, ...pick(approval, 'boolean', ['approved']) }
}

interface PageOptions {
  part: ToolPart
  respond: RespondToApproval
}

/** The part, and a host in the page itself: it knows what the message says, and gives the decision to the page. */
export function usePageApproval(options: PageOptions): { part: ToolPart; transport: AnswerTransport } {
  const { part } = options
  const latest = useRef(options)
  const show = useRef((_: QuestionView): void => {})
  useEffect(() => {
    latest.current = options
    const view = viewIn(part)
    if (view) show.current(view)
  })
  const [transport] = useState<AnswerTransport>(() => ({
    async send({ status, responses }) {
      const approval = pageApprovalIn(latest.current.part)
      const response = responses.permission
      if (status !== 'pending' && approval && response && 'selected' in response) {
        const reason = response.notes?.trim()
        const approved = decisionOf(response.selected[0]) === 'allowOnce'
        await latest.current.respond({ id: approval.id, approved, ...(reason && { reason }) })
      }
      return {}
    },
    subscribe(_, onView) {
      show.current = onView
      const view = viewIn(latest.current.part)
      if (view) onView(view)
      return () => {
        show.current = () => {}
      }
    },
  }))
  return { part: isOver(part) ? part : { ...part, state: 'input-available' }, transport }
}

/** The approval as a host would tell it. */
function viewIn(part: ToolPart): QuestionView | null {
  const approval = pageApprovalIn(part)
  if (!approval) return null
  const { approved, reason, requestReason } = approval
  const toolName = toolNameOf(part)
  const { allowOnce, deny } = APPROVAL_OPTIONS
  const selected = [approved ? allowOnce.value : deny.value]
  const decided = { selected, source: 'human' as const, notes: reason }
  return {
    toolCallId: part.toolCallId,
    kind: 'approval',
    state: approved === undefined ? 'open' : 'answered',
    questions: [{ ...approvalQuestion(toolName), id: 'permission' }],
    // The server gives the reason, not its model.
    subject: { toolName, input: part.input, reasons: reasonsOf({ rule: [requestReason] }) },
    responses: approved === undefined ? {} : { permission: decided },
    revision: approved === undefined ? 0 : 1,
    declined: false,
    // In this page nobody else decides.
    byOther: false,
    deadline: null,
    remainingMs: null,
  }
}
