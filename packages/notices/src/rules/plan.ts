import type { InboxQuestion } from '@sandagent/inbox'
import type { NoticePerson } from '../notice.ts'
import type { NoticeAddress, NoticeRules, QuestionFilter } from './notice-rules.ts'
import type { QuietHours } from './quiet-hours.ts'

/** One notice that is to be sent if its question still waits then. */
export interface PlannedNotice {
  sink: string
  person: NoticePerson
  isTextAllowed: boolean
  quietHours: QuietHours | undefined
  /** After the question was asked, in milliseconds. */
  afterMs: number
}

/** Who is told about a question. Nobody is told twice by the same sink. */
export function planOf(question: InboxQuestion, { people, rules = TELL_ALL }: NoticeRules): PlannedNotice[] {
  const rule = rules.find((each) => fits(question, each.for ?? {}))
  const planned = (rule?.tell ?? [])
    .toSorted((one, other) => (one.afterMinutes ?? 0) - (other.afterMinutes ?? 0))
    .flatMap(({ people: names = Object.keys(people), by, afterMinutes = 0 }) =>
      names.flatMap((name) =>
        Object.entries(people[name]?.addresses ?? {})
          .filter(([sink]) => by?.includes(sink) ?? true)
          .map(([sink, address]) => ({
            sink,
            ...reached(name, address),
            quietHours: people[name]?.quietHours,
            afterMs: afterMinutes * 60_000,
          })),
      ),
    )
  return planned.filter(
    ({ sink, person }, index) =>
      planned.findIndex((other) => other.sink === sink && other.person.name === person.name) === index,
  )
}

const TELL_ALL = [{ tell: [{}] }]

function reached(name: string, address: NoticeAddress): Pick<PlannedNotice, 'person' | 'isTextAllowed'> {
  const { to = undefined, showText = false } =
    typeof address === 'string' ? { to: address } : address === true ? {} : address
  return { person: { name, ...(to !== undefined && { address: to }) }, isTextAllowed: showText }
}

function fits(
  { sandboxId, sandboxName, question }: InboxQuestion,
  { sandboxes, kinds, agents }: QuestionFilter,
): boolean {
  const { kind, asker } = question
  return (
    (!sandboxes || hasName(sandboxes, sandboxId) || hasName(sandboxes, sandboxName)) &&
    (kinds?.includes(kind) ?? true) &&
    (!agents || (asker?.agent !== undefined && hasName(agents, asker.agent)))
  )
}

const hasName = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  )
