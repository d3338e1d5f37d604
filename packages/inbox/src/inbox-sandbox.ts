import { AskError, type AskErrorCode, type Clock, inTime, invalid } from '@sandagent/core/internal'
import type { AnswerableSandbox, RunSandbox } from '@sandagent/sdk'

/** A sandbox whose questions an inbox shows. */
export interface InboxSandbox {
  /** Tells it from the other sandboxes of the inbox: a path, or an id of yours. Ids of questions are only unique within it. */
  id: string
  /** What people call it. */
  name: string
  /** Runs and their logs are shown if it is a {@link RunSandbox}. A `fleetSandbox` has the logs that its fleet keeps. */
  sandbox: AnswerableSandbox | RunSandbox
}

/**
 * The sandboxes of an inbox. A function is called for each look, and every second while somebody watches: the list may change.
 * It gives the same sandbox object as long as the sandbox is the same.
 */
export type InboxSandboxes =
  | readonly InboxSandbox[]
  | (() => readonly InboxSandbox[] | Promise<readonly InboxSandbox[]>)

/** Where something is. */
export interface InboxPlace {
  sandboxId: string
  sandboxName: string
}

/** A sandbox that cannot be read now, and why. */
export interface UnreachableSandbox extends InboxPlace {
  code: AskErrorCode
  message: string
}

export const hasRuns = (sandbox: InboxSandbox['sandbox']): sandbox is RunSandbox =>
  sandbox.detached !== undefined && sandbox.files !== undefined && 'readFrom' in sandbox.files

export const inboxPlaceOf = ({ id, name }: InboxSandbox): InboxPlace => ({ sandboxId: id, sandboxName: name })

/** @throws AskError `INVALID_REQUEST` for two sandboxes with one id. */
export async function sandboxesOf(given: InboxSandboxes): Promise<readonly InboxSandbox[]> {
  const sandboxes = typeof given === 'function' ? await given() : given
  const ids = sandboxes.map(({ id }) => id)
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (twice !== -1)
    throw invalid('INVALID_REQUEST', 'These are no sandboxes of an inbox', [
      { path: `${twice}.id`, expected: 'an id that no other sandbox has' },
    ])
  return sandboxes
}

export interface PatienceOptions {
  clock: Clock
  /** How long one sandbox may take, in milliseconds. */
  patienceMs: number
  /** What is said of one that takes longer. */
  late?: string | undefined
}

/** Does the same work in all sandboxes at once. One that fails, or takes too long, affects no other one. */
export async function inEach<T>(
  sandboxes: readonly InboxSandbox[],
  work: (sandbox: InboxSandbox) => Promise<T>,
  options: PatienceOptions,
): Promise<{ results: T[]; unreachable: UnreachableSandbox[] }> {
  const unreachable: UnreachableSandbox[] = []
  const results = await Promise.all(
    sandboxes.map(async (sandbox) => {
      try {
        return [await patiently(() => work(sandbox), options)]
      } catch (error) {
        unreachable.push(unreachableOf(sandbox, error))
        return []
      }
    }),
  )
  return { results: results.flat(), unreachable }
}

/** @throws AskError `UNREACHABLE` if the work takes too long */
export async function patiently<T>(
  work: () => Promise<T>,
  { clock, patienceMs, late = `It has not replied within ${patienceMs / 1000} s` }: PatienceOptions,
): Promise<T> {
  return inTime(work(), { clock, ms: patienceMs, late: () => new AskError('UNREACHABLE', late) })
}

export const unreachableOf = (sandbox: InboxSandbox, error: unknown): UnreachableSandbox => ({
  ...inboxPlaceOf(sandbox),
  code: error instanceof AskError ? error.code : 'UNREACHABLE',
  message: error instanceof Error ? error.message : String(error),
})

/** @throws AskError `NOT_FOUND` */
export function sandboxIn(sandboxes: readonly InboxSandbox[], sandboxId: string): InboxSandbox {
  const found = sandboxes.find(({ id }) => id === sandboxId)
  if (found) return found
  throw new AskError('NOT_FOUND', `The inbox has no sandbox ${sandboxId}`, { facts: { sandboxId } })
}
