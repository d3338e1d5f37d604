import type { Figures } from './scenario.ts'

/** The figures of scenarios as `--json` has them: `100.p50Ms` of `poll` is `p50Ms` of the object `100` in `poll`. */
export function nested(all: Readonly<Record<string, Figures>>): object {
  const root: Record<string, unknown> = {}
  for (const [scenario, figures] of Object.entries(all))
    for (const [key, figure] of Object.entries(figures)) {
      const path = [scenario, ...key.split('.')]
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
