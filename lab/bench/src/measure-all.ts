import { measureApart } from './lib/measure-apart.ts'
import { printScenario } from './lib/print-scenario.ts'
import type { BenchOptions, Figures } from './lib/scenario.ts'
import { scenarios } from './scenarios.ts'

/**
 * Measures one scenario after the other, and prints each. A scenario that fails makes the command fail at its end.
 *
 * @param names default: all that do not take very long
 * @param onFigures called with all figures so far
 */
export async function measureAll(
  names: readonly string[],
  options: BenchOptions,
  onFigures: (all: Readonly<Record<string, Figures>>) => Promise<void>,
): Promise<void> {
  const all: Record<string, Figures> = {}
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (names.length > 0 ? !names.includes(name) : scenario.byNameOnly) continue
    try {
      const figures = await measureApart(name, options)
      if (figures === null) {
        console.log(`\n${name}: this machine cannot measure it`)
        continue
      }
      printScenario(name, scenario, figures)
      all[name] = figures
      await onFigures(all)
    } catch (error) {
      console.error(`\n${name}: failed: ${(error as Error).message}`)
      process.exitCode = 1
    }
  }
}
