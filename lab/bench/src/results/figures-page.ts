import { figureText, goalText } from '../lib/print-scenario.ts'
import type { Figures, Scenario } from '../lib/scenario.ts'
import { scenarios } from '../scenarios.ts'

/** All figures, by scenario. Those of one scenario are of one run. */
export interface Results {
  /** What machine it was. */
  machine: string
  figures: Record<string, Figures>
}

/** The page of the documentation that has every figure. */
export function figuresPage({ machine, figures }: Results): string {
  const chapters = Object.entries(scenarios).flatMap(([name, scenario]) => {
    const taken = figures[name]
    return taken ? [chapter(name, scenario, taken)] : []
  })
  return `# Figures

Taken by \`npm run bench -- docs\`, each chapter in one run, on this machine: ${machine}. The [guide](../../lab/bench/README.md) says how each figure is taken.

${chapters.join('\n')}`
}

function chapter(name: string, { title, keys, peerKeys, goals }: Scenario, figures: Figures): string {
  const rows = Object.entries({ ...keys, ...peerKeys }).filter(([key]) => figures[key] !== undefined)
  const lines = rows.map(([key, what]) => `| ${what} | ${figureText(figures[key])} | \`${name}.${key}\` |`)
  const list = goals(figures).map((goal) => `- ${goalText(goal)}`)
  return `## ${name}: ${title}

| what | figure | key |
|---|---|---|
${lines.join('\n')}
${list.length > 0 ? `\n${list.join('\n')}\n` : ''}`
}
