import {
  type AnswerRequest,
  AskError,
  type Clock,
  deferred,
  digestOf,
  type OnWarning,
  type QuestionRecord,
  type QuestionState,
  questionDigestOf,
  sleep,
  votesNeeded,
  warningOf,
} from '@sandagent/core/internal'
import type { Inbox, InboxChange } from '@sandagent/inbox'
import {
  type AnswerableSandbox,
  channelOf,
  type Decision,
  isWaiting,
  logError,
  outcomeOfError,
  type Policy,
  reportDecision,
  type SigningKeys,
  storeAnswer,
  viewerOf,
} from '@sandagent/sdk/internal'
import pLimit from 'p-limit'
import { endOf, type Grant, nameOf, permissionIn } from './grant.ts'
import type { GrantFiles } from './grant-files.ts'

export interface FollowOptions {
  inbox: Inbox
  files: GrantFiles
  /** Names the place of a sandbox. */
  placeOf(sandbox: AnswerableSandbox): string | undefined
  /** The grant that covers a question now. */
  grantFor(sandbox: AnswerableSandbox, record: QuestionRecord): Promise<Grant | undefined>
  policy: Policy | undefined
  signingKeys: SigningKeys | null | undefined
  onDecision: ((decision: Decision) => void) | undefined
  onWarning: OnWarning
  clock: Clock
  signal: AbortSignal
}

/** How many answers are on their way at once. */
const AT_ONCE = 4

/** How often what still waits is looked at again, in milliseconds: another process may have kept a grant. */
const LOOK_MS = 10_000

/** Answers the approvals that grants cover. */
export interface Follower {
  /** Looks again at all that waits: there is another grant. */
  look(): void
  /** As `InboxGrants` has it. */
  answers(sandbox: AnswerableSandbox, toolCallId: string): Promise<boolean>
  /** Resolves when nothing is under way any more. */
  ended: Promise<void>
}

export function followApprovals(options: FollowOptions): Follower {
  const { inbox, clock, signal, onWarning } = options
  const waiting = new Map<string, { sandboxId: string; toolCallId: string }>()
  const limit = pLimit(AT_ONCE)
  const tasks = new Set<Promise<void>>()

  /** The inboxes of this host may ask for the same answer. */
  const underWay = new Map<string, Promise<boolean>>()
  const answers: Follower['answers'] = (sandbox, toolCallId) => {
    const key = JSON.stringify([options.placeOf(sandbox), toolCallId])
    const answering =
      underWay.get(key) ?? answer(sandbox, toolCallId, options).finally(() => underWay.delete(key))
    underWay.set(key, answering)
    return answering
  }

  const start = (key: string): void => {
    const task = limit(async () => {
      const { sandboxId, toolCallId } = waiting.get(key) ?? {}
      const { sandbox } = (await inbox.sandboxes()).find(({ id }) => id === sandboxId) ?? {}
      if (sandbox && toolCallId !== undefined && !signal.aborted) await answers(sandbox, toolCallId)
    })
      .catch((error: unknown) => onWarning(warningOf(error, waiting.get(key)?.toolCallId)))
      .finally(() => tasks.delete(task))
    tasks.add(task)
  }
  /** If the grants cannot be read, the look itself says why. */
  const mayHaveGrants = (): Promise<boolean> => options.files.any().catch(() => true)
  const isNeeded = deferred<void>()
  const look = (): void => {
    isNeeded.resolve()
    for (const key of waiting.keys()) start(key)
  }
  const take = (change: InboxChange): void => {
    if (change.kind === 'removed')
      for (const [key, { sandboxId }] of waiting) if (sandboxId === change.sandboxId) waiting.delete(key)
    if (change.kind !== 'question' || change.question.kind !== 'approval') return
    const { sandboxId, question } = change
    const key = JSON.stringify([sandboxId, question.toolCallId])
    if (question.state !== 'open') return void waiting.delete(key)
    waiting.set(key, { sandboxId, toolCallId: question.toolCallId })
    start(key)
  }
  const follow = async (): Promise<void> => {
    await isNeeded.promise
    for await (const change of inbox.watch({ signal })) take(change)
  }
  const lookAgain = async (): Promise<void> => {
    while (!signal.aborted) {
      // Thousands of calls may wait: without grants they need not be followed, and one look ends before the next.
      if (await mayHaveGrants()) look()
      await Promise.all(tasks)
      await sleep(clock, LOOK_MS, signal)
    }
    isNeeded.resolve()
  }
  const ended = (async () => {
    await Promise.all([follow(), lookAgain()])
    while (tasks.size > 0) await Promise.all(tasks)
  })()
  return { look, answers, ended }
}

/**
 * Answers one approval, if a grant covers it. The use is noted first: after a crash the same grant answers again. Resolves to
 * whether nobody need decide any more.
 */
async function answer(
  sandbox: AnswerableSandbox,
  toolCallId: string,
  { inbox, files, grantFor, policy, signingKeys, onDecision, onWarning, clock }: FollowOptions,
): Promise<boolean> {
  // Without grants the question need not be read: an inbox asks about each.
  if (!(await files.any())) return false
  const channel = channelOf(sandbox, { signingKeys, onWarning, clock })
  const state = await channel.read(toolCallId)
  if (!isWaiting(state)) return true
  const request = state.runEnded ? null : permitting(state)
  const grant = request && (await grantFor(sandbox, request.record))
  if (!request || !grant) return false
  const { record, ...allowed } = request
  const { givenBy: answeredBy, roles } = grant
  const viewer = await viewerOf({ answeredBy, roles }, state, { policy, sandbox })
  // Where several people decide together, or a passkey signs, a person looks at each call.
  if (viewer.mayAnswer === false || votesNeeded(viewer.rule) > 1 || viewer.rule?.passkey) return false
  const use = {
    at: new Date(clock.now()).toISOString(),
    ...{ toolCallId, runId: record.runId },
    key: digestOf([toolCallId, record.nonce]).slice(0, 16),
  }
  await files.noteUse(grant.id, use)
  const sandboxId = (await inbox.sandboxes()).find((each) => each.sandbox === sandbox)?.id
  const facts = { action: 'answer', toolCallId, sandboxId, answeredBy, grant: grant.id } as const
  try {
    // Somebody may have taken it back meanwhile.
    const latest = await files.find(grant.id)
    if (!latest || endOf(latest, clock.now()) !== null) {
      await files.noteUse(grant.id, { ...use, undone: true })
      return false
    }
    await storeAnswer(channel, allowed, {
      ...{ answeredBy, roles, policy, sandbox, state, signingKeys, clock },
      needsRecord: true,
      grant: nameOf(grant),
    })
    reportDecision(facts, { onDecision, onError: logError, clock })
    return true
  } catch (error) {
    const outcome = outcomeOfError(error)
    reportDecision({ ...facts, outcome }, { onDecision, onError: logError, clock })
    // One that is out of reach may be stored nevertheless.
    if (outcome !== 'UNREACHABLE') await files.noteUse(grant.id, { ...use, undone: true })
    // A person was faster, or the question has ended.
    const isOver = error instanceof AskError && ['CONFLICT', 'GONE', 'CHANGED'].includes(error.code)
    if (!isOver) throw error
    return true
  }
}

/** The request that allows a call once, for the question as it was read; `null` for a question that asks something else. */
function permitting({ record }: QuestionState): (AnswerRequest & { record: QuestionRecord }) | null {
  const permission = record && permissionIn(record)
  if (!permission) return null
  const { toolCallId, askedAt } = record
  return {
    ...{ toolCallId, askedAt, record },
    status: 'completed',
    questionDigest: questionDigestOf(record),
    responses: { [permission.id]: { selected: [permission.value], source: 'human' } },
  }
}
