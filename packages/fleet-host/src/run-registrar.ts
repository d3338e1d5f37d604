import { type Clock, isSettled, type QuestionRecord } from '@sandagent/core/internal'
import type { FleetStore } from '@sandagent/fleet'
import { type AnswerableSandbox, keysOfRun, ownerOfRun } from '@sandagent/sdk/internal'

/**
 * Where a fleet has what a mirror knows of a run. The agent wrote the question that names the run, so it must not take the id
 * of a run that a host starts. No run and no namespace has a slash in its name.
 */
export const mirroredRunId = (namespace: string, runId: string): string => `${namespace}/${runId}`

/**
 * Tells all hosts the keys, the owner and the end of the run of each open question. The record of a question may be the
 * agent's: it changes no run that a host has started, and no owner.
 */
export function runRegistrar(
  sandbox: AnswerableSandbox,
  { runs }: FleetStore,
  namespace: string,
  { clock }: { clock: Clock },
): (record: QuestionRecord, hasEnded: boolean) => Promise<void> {
  /** What was entered for each open question, so that the store is not asked again at each of its changes. */
  const entered = new Map<string, string>()
  return async (record, hasEnded) => {
    const { toolCallId, runId, nonce, askedAt } = record
    if (isSettled(record)) {
      entered.delete(toolCallId)
      return
    }
    const keys = await keysOfRun(sandbox, runId)
    const ownerNow = await ownerOfRun(sandbox, runId)
    const content = JSON.stringify([runId, nonce, hasEnded, keys, ownerNow])
    if (entered.get(toolCallId) === content) return
    const id = mirroredRunId(namespace, runId)
    const known = await runs.find(id)
    const { endedAt, ...run } = known ?? { runId: id, namespace, startedAt: askedAt, metadata: {} }
    // A run that this host does not know any more keeps its keys. An agent may have written the owner in the files.
    const publicKeyIds = keys ?? known?.publicKeyIds
    const owner = known?.owner ?? ownerNow
    const isNew =
      !known || JSON.stringify([publicKeyIds, owner]) !== JSON.stringify([known.publicKeyIds, known.owner])
    const isAgain = endedAt !== undefined && !hasEnded
    const facts = { ...(publicKeyIds && { publicKeyIds }), ...(owner !== undefined && { owner }) }
    if (isNew || isAgain) await runs.put({ ...run, ...facts })
    if (hasEnded && (isNew || endedAt === undefined))
      await runs.end({
        runId: id,
        startedAt: run.startedAt,
        endedAt: new Date(clock.now()).toISOString(),
      })
    entered.set(toolCallId, content)
  }
}
