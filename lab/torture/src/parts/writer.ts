import { setTimeout as sleep } from 'node:timers/promises'
import { type AnswerStatus, AskError, type QuestionView } from '@sandagent/core'
import { type AnswerRequest, submitAnswer } from '@sandagent/sdk'
import type { Act, Ending, Order } from '../messages.ts'
import { reportUnlessDurable } from './durable.ts'
import { freezeRename } from './faults/frozen-rename.ts'
import { keysOfRun } from './settings/keys.ts'
import { localSandbox } from './settings/sandboxes.ts'
import { report, settings } from './settings/settings.ts'
import { textOfView } from './text-of-view.ts'

const PAUSE_MS = 50

const STATUS: Partial<Record<Act['manner'], AnswerStatus>> = { send: 'completed', 'frozen draft': 'pending' }

/** A writer is a server of somebody else: it calls `submitAnswer`, again and again until it knows how that ended. */
export async function startWriter(): Promise<(order: Order) => void> {
  const keys = await Promise.all(settings.workdirs.map((_, run) => keysOfRun(run)))
  const sandboxes = settings.workdirs.map((_, run) => localSandbox(run))

  const once = async (act: Act): Promise<Ending | null> => {
    const sandbox = sandboxes[act.run]
    if (!sandbox) throw new Error(`There is no run ${act.run}`)
    const { toolCallId, manner, token } = act
    const responses = { q: { selected: [], freeText: token, source: 'human' as const } }
    const answer: AnswerRequest =
      manner === 'decline'
        ? { toolCallId, status: 'declined', reason: token }
        : { toolCallId, status: STATUS[manner], responses }
    const options = { signingKeys: keys[act.run] ?? null, answeredBy: act.person ?? settings.name }
    if (manner === 'frozen draft') freezeRename(toolCallId)
    try {
      await submitAnswer(sandbox, answer, options)
      reportUnlessDurable(answer)
      return { kind: 'acknowledged' }
    } catch (error) {
      return endingOf(error)
    }
  }

  const work = async (act: Act): Promise<void> => {
    let ending = await once(act)
    for (; ending === null; ending = await once(act)) await sleep(PAUSE_MS)
    report({ ended: act.act, ending })
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit())
  return (order) => {
    if ('act' in order) void work(order.act)
  }
}

/** What a person is told by an error; `null` if the same must be sent again. */
function endingOf(error: unknown): Ending | null {
  if (!(error instanceof AskError)) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
  const view = error.facts.question as QuestionView | undefined
  if (error.code === 'CONFLICT') return { kind: 'superseded', shown: view ? textOfView(view) : null }
  if (error.code === 'GONE') return { kind: 'over', shown: view?.state ?? null }
  if (error.code === 'NOT_FOUND') return { kind: 'unknown' }
  if (['UNREACHABLE', 'UNSAFE_PATH', 'CHANGED'].includes(error.code)) return null
  throw error
}
