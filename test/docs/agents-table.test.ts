import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'

const names = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, name]) => name as string).sort()

it.each([
  ['| agent | single choice', /^ *agentRow\('([^']+)'/gm],
  ['| agent | asks so by', /^ *worksOnRow\('([^']+)'/gm],
])('the table of agents %s has the rows of the tests that fill it, and no other', (head, calls) => {
  const page = readFileSync(join(root, 'docs/reference/agents.md'), 'utf8')
  const [table = ''] = page.slice(page.indexOf('|---|', page.indexOf(head))).split('\n\n')
  const tried = ['test/agents', 'test/non-blocking'].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((file) =>
      names(readFileSync(join(root, folder, file), 'utf8'), calls),
    ),
  )
  expect(names(table, /^\| ([^|]+) \|/gm)).toEqual(tried.sort())
})
