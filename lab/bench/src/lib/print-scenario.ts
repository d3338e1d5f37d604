import type { Figures, Goal, Scenario } from './scenario.ts'

/** Prints the figures of a scenario, and for each goal whether they meet it. */
export function printScenario(
  name: string,
  { title, keys, peerKeys, goals }: Scenario,
  figures: Figures,
): void {
  console.log(`\n${name}: ${title}\n`)
  const rows = Object.entries({ ...keys, ...peerKeys }).filter(([key]) => figures[key] !== undefined)
  const widest = Math.max(...rows.map(([key]) => key.length))
  for (const [key, what] of rows)
    console.log(`  ${key.padEnd(widest)}  ${figureText(figures[key]).padStart(10)}  ${what}`)
  for (const goal of goals(figures)) console.log(`  ${goalText(goal)}`)
}

/** `null` when a part of the goal was not measured. */
function isMet({ figure, most, least }: Goal): boolean | null {
  const limit = most ?? least
  if (figure == null || limit == null) return null
  return most != null ? figure <= most : figure >= limit
}

/** A goal, and whether it is met. */
export function goalText(goal: Goal): string {
  const met = isMet(goal)
  if (met === null) return `Goal: ${goal.text}: not measured`
  const sign = goal.most != null ? (met ? '≤' : '>') : met ? '≥' : '<'
  return `Goal: ${goal.text}: ${met ? 'met' : 'missed'}, ${figureText(goal.figure)} ${sign} ${figureText(goal.most ?? goal.least)}`
}

/** A figure as people read it. */
export function figureText(figure: number | null | undefined): string {
  if (figure == null) return 'none'
  const digits = Number.isInteger(figure) ? 0 : Math.abs(figure) < 10 ? 3 : 1
  return figure.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
