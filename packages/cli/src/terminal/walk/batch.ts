import { type ApprovalDecision, optionFor, optionValue } from '@sandagent/core/internal'
import type { InboxQuestion } from '@sandagent/inbox'
import type { OpenQuestion } from '../session/open-session.ts'
import type { Batch, OpenEntry } from './entry.ts'
import type { WaitingItem } from './waiting.ts'

/** Nobody reads more calls at once. */
const MOST_IN_BATCH = 20

/** What a person can do with a batch. */
export type BatchDecision = Exclude<ApprovalDecision, 'allowSession'>

/**
 * The approvals of the same tool as the one that is shown, each open. `null` if there is no other one.
 *
 * @param open returns `null` for one that cannot be in the batch
 */
export async function openBatch(
  shown: OpenEntry,
  waiting: readonly WaitingItem[],
  open: (item: WaitingItem) => Promise<OpenQuestion | null>,
): Promise<Batch | null> {
  const { toolName } = shown.item.question.subject ?? {}
  if (toolName === undefined || !canBeInBatch(shown.item)) return null
  const others = waiting
    .filter((item) => item.key !== shown.item.key && item.question.subject?.toolName === toolName)
    .filter(canBeInBatch)
    .slice(0, MOST_IN_BATCH - 1)
  const opened = await Promise.all(others.map(async (item) => ({ item, open: await open(item) })))
  const entries = opened.filter((each): each is OpenEntry => each.open !== null)
  return entries.length === 0 ? null : { toolName, entries: [shown, ...entries] }
}

/** Whether an approval is as most are: one question, which can be allowed once and denied. */
const canBeInBatch = ({ question }: InboxQuestion): boolean => {
  const [asked, ...others] = question.questions
  return (
    question.kind === 'approval' &&
    asked !== undefined &&
    others.length === 0 &&
    (['allowOnce', 'deny'] as const).every((decision) => optionFor(asked, decision))
  )
}

/** Sends each call the same answer. */
export function answerAll(entries: readonly OpenEntry[], decision: BatchDecision): void {
  for (const { session } of entries.map(({ open }) => open)) {
    const [question] = session.getSnapshot().questions
    const option = optionFor(question, decision)
    if (question && option) session.select(question.id, optionValue(option), { autoSubmit: 'immediately' })
  }
}
