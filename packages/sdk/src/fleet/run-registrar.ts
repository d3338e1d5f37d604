import { type Clock, isSettled, type QuestionRecord } from '@sandagent/core/internal'
import type { FleetStore, StoredRun } from '@sandagent/store'
import { type OnWarning, onceEach } from '../answers/warnings.ts'
import { keysOfRun } from '../run-records/keys-of-run.ts'
import { ownerOfRun } from '../run-records/owner-of-run.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'

/**
 * Enters the run of each open question, so that all hosts know its keys, and notes its end. The record of a question may be
 * the agent's: it changes no run of another namespace, no keys, and no owner.
 */
export function runRegistrar(
  sandbox: AnswerableSandbox,
  { runs }: FleetStore,
  namespace: string,
  { onWarning, clock }: { onWarning: OnWarning; clock: Clock },
): (record: QuestionRecord, hasEnded: boolean) => Promise<void> {
  const warn = onceEach(onWarning)
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
    const known = await runs.find(runId)
    if (known && known.namespace !== namespace)
      warn({
        code: 'FORBIDDEN',
        message: `A question names a run of another namespace (${runId.slice(0, 100)}). The run is left as it is. Give each sandbox a namespace of its own, or suspect the agent`,
      })
    else {
      const { endedAt, ...run }: StoredRun = known ?? { runId, namespace, startedAt: askedAt, metadata: {} }
      // A run that this host does not know any more keeps its keys. An agent may have written the owner in the files.
      const publicKeyIds = keys ?? known?.publicKeyIds
      const owner = known?.owner ?? ownerNow
      const isSame =
        JSON.stringify([publicKeyIds, owner]) === JSON.stringify([known?.publicKeyIds, known?.owner])
      const isNew = !known || !isSame
      const isAgain = endedAt !== undefined && !hasEnded
      const facts = { ...(publicKeyIds && { publicKeyIds }), ...(owner !== undefined && { owner }) }
      if (isNew || isAgain) await runs.put({ ...run, ...facts })
      if (hasEnded && (isNew || endedAt === undefined))
        await runs.end({ runId, startedAt: run.startedAt, endedAt: new Date(clock.now()).toISOString() })
    }
    entered.set(toolCallId, content)
  }
}
