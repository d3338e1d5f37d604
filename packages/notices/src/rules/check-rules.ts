import { type Fault, filledText, invalid, parseWith } from '@sandagent/core/internal'
import * as v from 'valibot'
import { mapByName } from './map-by-name.ts'
import type { NoticeRules } from './notice-rules.ts'
import { isTimeZone } from './quiet-hours.ts'

const time = v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'a time such as 22:00'))
const names = v.array(filledText)
const patterns = v.array(v.pipe(filledText, v.regex(/^[^*]*\*?$/, 'a name with * only at its end')))

const quietHours = v.pipe(
  v.strictObject({
    from: time,
    to: time,
    timeZone: v.pipe(v.string(), v.check(isTimeZone, 'a time zone such as Europe/Berlin')),
  }),
  v.check(({ from, to }) => from !== to, 'two different times'),
)

const address = v.union(
  [
    v.literal(true),
    filledText,
    v.strictObject({ to: v.optional(filledText), showText: v.optional(v.boolean()) }),
  ],
  'true, an address, or an object with to and showText',
)

const step = v.strictObject({
  people: v.optional(names),
  by: v.optional(names),
  afterMinutes: v.optional(v.pipe(v.number(), v.minValue(0, 'a number from 0'), v.finite('a finite number'))),
})

const filter = v.strictObject({
  sandboxes: v.optional(patterns),
  kinds: v.optional(v.array(v.picklist(['question', 'approval'], 'question or approval'))),
  agents: v.optional(patterns),
})

const schema = v.strictObject({
  people: mapByName(
    v.strictObject({
      addresses: mapByName(address),
      quietHours: v.optional(quietHours),
      roles: v.optional(names),
    }),
  ),
  rules: v.optional(v.array(v.strictObject({ for: v.optional(filter), tell: v.array(step) }))),
})

/**
 * Checks rules, and that they name only people and sinks that exist.
 *
 * @param what names the rules in errors
 * @throws AskError `INVALID_REQUEST` with every fault
 */
export function checkRules(given: NoticeRules, sinks: readonly string[], what: string): void {
  parseWith(schema, given, 'INVALID_REQUEST', what)
  const { people, rules } = given
  const unknown = (path: string, given: readonly string[] | undefined, known: readonly string[]): Fault[] =>
    (given ?? [])
      .filter((name) => !known.includes(name))
      .map((name) => ({
        path,
        expected:
          known.length === 0
            ? `nothing, because none is set up: add ${name}`
            : `one of ${known.join(', ')}, not ${name}`,
      }))
  const faults = [
    ...Object.entries(people).flatMap(([name, { addresses }]) =>
      unknown(`people.${name}.addresses`, Object.keys(addresses), sinks),
    ),
    ...(rules ?? []).flatMap(({ tell }, rule) =>
      tell.flatMap((each, index) => [
        ...unknown(`rules.${rule}.tell.${index}.people`, each.people, Object.keys(people)),
        ...unknown(`rules.${rule}.tell.${index}.by`, each.by, sinks),
      ]),
    ),
  ]
  if (faults.length > 0) throw invalid('INVALID_REQUEST', what, faults)
}
