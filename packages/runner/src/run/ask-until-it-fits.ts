import type { AskedQuestion, Fault, Outcome } from '@sandagent/core'
import type { UnusedIds } from './unused-ids.ts'

export interface Fitting<Result> {
  questions: readonly AskedQuestion[]
  /** Of the first call. It is taken from `ids`. */
  id: string
  ids: UnusedIds
  ask(questions: readonly AskedQuestion[], id: string): Promise<Outcome>
  /** Writes the outcome as the asker wants it. */
  format(outcome: Outcome): Result | { faults: Fault[] }
  /** The questions that the faults are about. */
  faulty(faults: readonly Fault[]): AskedQuestion[]
}

/** How often one request asks a person. Then it is cancelled: its schema may fit nothing. */
const MOST_ROUNDS = 5

/** Asks, and asks again for the answers that do not fit, each time under an id of its own. */
export async function askUntilItFits<Result extends object>({
  questions,
  id,
  ids,
  ask,
  format,
  faulty,
}: Fitting<Result>): Promise<Result> {
  let outcome = await ask(questions, id)
  let { responses } = outcome
  for (let round = 2; ; round++) {
    const result = format({ ...outcome, responses })
    if (!('faults' in result)) return result as Result
    if (round > MOST_ROUNDS) return format({ ...outcome, kind: 'aborted', responses: {} }) as Result
    outcome = await ask(faulty(result.faults as Fault[]), ids.for(`${id}-${round}`))
    const isAnswered = Object.keys(outcome.responses).length > 0
    responses = isAnswered ? { ...responses, ...outcome.responses } : {}
  }
}
