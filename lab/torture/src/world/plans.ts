import type { Random } from '../lib/random.ts'
import type { Foreign, Manner } from '../messages.ts'

/** What happens to a question. */
export type PlanName =
  | 'one person'
  | 'a race'
  | 'a crowd'
  | 'a deadline'
  | 'nobody'
  | 'a draft'
  | 'drafts of several'
  | 'a frozen draft'
  | 'clicks'
  | 'a refusal'
  | 'another program'
  | 'nonsense first'
  | 'asked again'
  | 'two runners'

const WEIGHTS: Record<PlanName, number> = {
  'one person': 64,
  'a race': 9,
  'a crowd': 0.15,
  'a deadline': 8,
  nobody: 2,
  'a draft': 4,
  'drafts of several': 6,
  'a frozen draft': 0.6,
  clicks: 6,
  'a refusal': 4,
  'another program': 3,
  'nonsense first': 2,
  'asked again': 3,
  'two runners': 3,
}

/** How often a plan is chosen, beside the others. */
export type PlanWeights = Partial<Record<PlanName, number>>

/** A runner that takes the frozen draft for what counts times out before the frozen host goes on. */
const FROZEN_TIMEOUT_MS = 2000

/** How many people answer at once in a crowd. They are in four processes. */
const CROWD = 50

const NONSENSE: readonly [Foreign, ...Foreign[]] = ['no UTF-8', 'no JSON', 'half a file', '1 GB']

export interface PlannedPerson {
  manner: Manner
  /** A page, a writer or the foreign program. */
  kind: 'page' | 'writer' | 'foreign'
  /** How long after the question was asked, in milliseconds. */
  afterMs: number
  /** Begins when the act before has ended. */
  isNext?: boolean
  person?: string
}

export interface Plan {
  name: PlanName
  timeoutMs: number | 'never'
  people: PlannedPerson[]
}

/** Decides what happens to the next question. @param weights of the plans, where they are not the ordinary ones */
export function planQuestion(random: Random, weights: PlanWeights = {}): Plan {
  const name = random.weighted({ ...WEIGHTS, ...weights })
  const kind = (): 'page' | 'writer' => (random.chance(0.07) ? 'page' : 'writer')
  const person = (over: Partial<PlannedPerson> = {}): PlannedPerson => ({
    manner: 'send',
    kind: kind(),
    afterMs: random.below(30),
    ...over,
  })
  const people = (count: number): PlannedPerson[] => Array.from({ length: count }, () => person())
  const plan = (all: PlannedPerson[], timeoutMs: number | 'never' = 'never'): Plan => ({
    name,
    timeoutMs,
    people: all,
  })
  switch (name) {
    case 'a race':
      return plan(people(2 + random.below(2)))
    case 'a crowd':
      return plan(Array.from({ length: CROWD }, () => person({ kind: 'writer', afterMs: 0 })))
    case 'a deadline': {
      const timeoutMs = 50 + random.below(1000)
      const afterMs = timeoutMs * (0.9 + random.next() * 0.2)
      return plan([person({ afterMs })], timeoutMs)
    }
    case 'nobody':
      return plan([], 20 + random.below(500))
    case 'a draft':
      return plan([person({ kind: 'page', manner: 'draft' })])
    case 'drafts of several': {
      const drafts = Array.from({ length: 2 + random.below(2) }, () =>
        person({ kind: 'page', manner: 'draft' }),
      )
      const answer = person({ kind: 'writer', afterMs: 300 + random.below(1200) })
      return plan(random.chance(0.5) ? drafts : [...drafts, answer])
    }
    case 'a frozen draft': {
      const draft = person({ kind: 'writer', manner: 'frozen draft' })
      return plan([draft, person({ kind: 'writer' })], FROZEN_TIMEOUT_MS)
    }
    case 'clicks': {
      // One person, whose clicks go to several hosts, and perhaps somebody else.
      const click = person({ kind: 'writer', manner: 'click', person: 'clicker' })
      const clicks = Array.from({ length: 1 + random.below(3) }, (_, n) => ({ ...click, isNext: n > 0 }))
      const other = person({ afterMs: random.below(60), manner: random.pick(['send', 'draft']) })
      const others = random.chance(0.5)
        ? [{ ...other, kind: other.manner === 'draft' ? 'page' : other.kind } as const]
        : []
      return plan([...clicks, ...others])
    }
    case 'a refusal':
      return plan([person({ manner: 'decline' })])
    case 'another program':
      return plan([person({ kind: 'foreign', manner: 'older format, in pieces' })])
    case 'nonsense first':
      return plan([
        person({ kind: 'foreign', manner: random.pick(NONSENSE) }),
        person({ afterMs: 300, isNext: true }),
      ])
    default:
      return plan([person()])
  }
}
