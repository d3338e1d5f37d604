import type { Figures } from './scenario.ts'

/** The figures as `--json` has them: `100.p50Ms` is `p50Ms` of the object `100`. */
export function nested(figures: Figures): object {
  const root: Record<string, unknown> = {}
  for (const [key, figure] of Object.entries(figures)) {
    const path = key.split('.')
    const last = path.pop() as string
    let place = root
    for (const name of path) {
      place[name] ??= {}
      place = place[name] as Record<string, unknown>
    }
    place[last] = figure
  }
  return root
}
