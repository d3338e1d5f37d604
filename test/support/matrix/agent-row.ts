import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../scripts/run.mjs'

/** What is tried with each agent, in the order of the columns. */
const TRAITS = [
  'single choice',
  'several choices with commas',
  'own words',
  'notes',
  'previews',
  'defaults',
  'decline',
  'time-out',
  'cancel',
  'two at once',
  'restart',
] as const

export type Trait = (typeof TRAITS)[number]

/** Why an agent's protocol cannot carry it, in Markdown: one sentence. */
export interface Lost {
  lost: string
}

export const lost = (why: string): Lost => ({ lost: why })

const page = join(root, 'docs/reference/agents.md')

/** The page with other rows in the table that begins with `head`; the rows are sorted. */
function withRows(text: string, head: string, agent: string, rows: readonly string[]): string {
  const start = text.indexOf(head)
  if (start === -1) throw new Error(`docs/reference/agents.md has no table that begins with ${head}`)
  const [title = '', rule = '', ...lines] = text.slice(start).split('\n')
  const end = lines.findIndex((line) => !line.startsWith('|'))
  const others = lines.slice(0, end).filter((line) => !line.startsWith(`| ${agent} |`))
  const table = [title, rule, ...[...others, ...rows].sort((a, b) => a.localeCompare(b, 'en'))]
  return text.slice(0, start) + [...table, ...lines.slice(end)].join('\n')
}

/**
 * What holds for one agent, tried with its real SDK, client or program. The results are its row in
 * `docs/reference/agents.md`; the last test fails if the page says otherwise. After a change:
 * `npx vitest run FILE --update`.
 */
export function agentRow(agent: string, cells: Record<Trait, (() => Promise<void>) | Lost>): void {
  describe(agent, () => {
    const passed = new Set<Trait>()
    for (const trait of TRAITS) {
      const cell = cells[trait]
      if ('lost' in cell) continue
      it(trait, async () => {
        await cell()
        passed.add(trait)
      })
    }

    it('has a row in the reference that says the same', async () => {
      const results = TRAITS.map((trait) =>
        'lost' in cells[trait] ? 'no' : passed.has(trait) ? 'yes' : 'fails',
      )
      const losses = TRAITS.flatMap((trait) => {
        const cell = cells[trait]
        return 'lost' in cell ? [`| ${agent} | ${trait} | ${cell.lost} |`] : []
      })
      const written = withRows(readFileSync(page, 'utf8'), '| agent |', agent, [
        `| ${[agent, ...results].join(' | ')} |`,
      ])
      await expect(withRows(written, '| not with |', agent, losses)).toMatchFileSnapshot(page)
    })
  })
}

/**
 * Tries that an agent asks and works on, and is told the answer. Its row in the second table of the page says how it asks, and
 * how it gets the answer. After a change: `npx vitest run FILE --update`.
 */
export function worksOnRow(
  agent: string,
  cells: readonly [string, string],
  proof: () => Promise<void>,
): void {
  it('works on, is told the answer, and has a row in the reference that says how', async () => {
    await proof()
    const row = `| ${[agent, ...cells].join(' | ')} |`
    await expect(
      withRows(readFileSync(page, 'utf8'), '| agent | asks so by |', agent, [row]),
    ).toMatchFileSnapshot(page)
  })
}
