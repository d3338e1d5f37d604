import type { Case, PlannedAct } from '../check/case.ts'
import type { Random } from '../lib/random.ts'
import { tokenFor } from '../lib/token.ts'
import { FOREIGN_PREFIX } from '../parts/settings/names.ts'
import type { Plan, PlannedPerson } from './plans.ts'

const RUNS = 4
const LONGEST_PADDING_CHARS = 3000

/** The nth question, as it is planned. Nobody acts yet. */
export function newCase(n: number, { name, timeoutMs, people }: Plan, random: Random): Case {
  const isForeign = people.some(({ kind }) => kind === 'foreign')
  // Only unsigned answers can come from another program. The second runner is one of the first run.
  const run = isForeign ? 2 + random.below(2) : name === 'two runners' ? 0 : random.below(RUNS)
  const toolCallId = `${isForeign ? FOREIGN_PREFIX : 'q-'}${n}`
  const ask = { toolCallId, text: `What about ${toolCallId}?`, timeoutMs, generation: 0 }
  return { ask, run, isForeign, isAsked: false, acts: [], outcomes: [] }
}

/** What the people of a question do. Each of them is another process, as far as there are enough. */
export function actsOf(
  { ask: { toolCallId, text }, run }: Case,
  people: readonly PlannedPerson[],
  random: Random,
  nextToken: () => number,
): PlannedAct[] {
  const offset = random.below(100)
  const counts = { page: 0, writer: 0, foreign: 0 }
  return people.map(({ kind, manner, person }) => {
    const n = offset + counts[kind]++
    const by = kind === 'foreign' ? 'foreign' : kind === 'page' ? `page-${n % 3}` : `writer-${n % 4}`
    const padding = random.chance(0.1) ? random.below(LONGEST_PADDING_CHARS) : random.below(40)
    const number = nextToken()
    const token = tokenFor(toolCallId, number, padding)
    return {
      act: { run, toolCallId, act: `${toolCallId} ${number}`, manner, person, token, text, isSaved: false },
      by,
    }
  })
}
