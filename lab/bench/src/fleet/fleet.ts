import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Goal, type Scenario } from '../lib/scenario.ts'
import { carriers } from './carriers.ts'
import { measureCarrier } from './measure-carrier.ts'

const KEYS = {
  p50Ms: 'from submitAnswer until askUser resolved, signed, median',
  p99Ms: 'the same, 99th percentile',
  storedP50Ms: 'from submitAnswer until it returned, median',
  bareP50Ms: 'one durable write until another process has the text, by the bare client, median',
  bareP99Ms: 'the same, 99th percentile',
  lost: 'answers that were acknowledged and did not arrive',
  fewP50Ms: 'from submitAnswer until askUser resolved, while 1,000 questions wait, median',
  manyP50Ms: 'the same, while 100,000 wait',
  listMs: 'the first 100 open questions of all namespaces, median',
  perSecond: 'answers a second by 4 hosts, until the runners had them',
  barePerSecond: 'texts a second by as many processes with the bare client',
  hostCpuMs: 'CPU time of the hosts for each of these answers',
  runnerCpuMs: 'CPU time of the runners for each, with its receipt',
  serverCpuMs: 'CPU time of the server for each',
} as const

type Key = keyof typeof KEYS

const keysOf = (name: string) =>
  Object.fromEntries(Object.entries(KEYS).map(([key, text]) => [`${name}.${key}`, `${name}: ${text}`]))

export const fleet: Scenario = defineScenario({
  title: '4 hosts and 20 runners over one store',
  keys: Object.assign({}, ...Object.keys(carriers).map(keysOf)) as Record<string, string>,
  byNameOnly: true,
  measure: ({ quick }) =>
    inFolder(async (folder) => {
      const figures: Record<string, number | null> = {}
      for (const carrier of Object.values(carriers)) {
        const found = await measureCarrier(carrier, folder, quick)
        for (const key of Object.keys(KEYS) as Key[]) figures[`${carrier.name}.${key}`] = found?.[key] ?? null
      }
      return figures
    }),
  goals: (figures) =>
    Object.keys(carriers).flatMap((name) => goalsOf(name, (key) => figures[`${name}.${key}`])),
})

function goalsOf(name: string, of: (key: Key) => number | undefined): Goal[] {
  const times = (factor: number, key: Key): number | undefined => {
    const figure = of(key)
    return figure === undefined || figure === null ? undefined : factor * figure
  }
  return [
    { text: `${name}: p50 at most 2.5 × bare`, figure: of('p50Ms'), most: times(2.5, 'bareP50Ms') },
    { text: `${name}: p99 at most 3 × bare`, figure: of('p99Ms'), most: times(3, 'bareP99Ms') },
    { text: `${name}: no answer is lost`, figure: of('lost'), most: 0 },
    { text: `${name}: 100,000 at most 1.3 × 1,000`, figure: of('manyP50Ms'), most: times(1.3, 'fewP50Ms') },
    { text: `${name}: first page within 200 ms`, figure: of('listMs'), most: 200 },
    { text: `${name}: at least 0.4 × bare`, figure: of('perSecond'), least: times(0.4, 'barePerSecond') },
  ]
}
