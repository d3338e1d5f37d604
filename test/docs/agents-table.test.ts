import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'

const names = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, name]) => name as string).sort()

it('the table of agents has the rows of the tests that fill it, and no other', () => {
  const page = readFileSync(join(root, 'docs/reference/agents.md'), 'utf8')
  const table = page.slice(page.indexOf('|---|'), page.indexOf('- **Notes**'))
  const folder = join(root, 'test/agents')
  const tried = readdirSync(folder).flatMap((file) =>
    names(readFileSync(join(folder, file), 'utf8'), /^ *agentRow\('([^']+)'/gm),
  )
  expect(names(table, /^\| ([^|]+) \|/gm)).toEqual(tried.sort())
})
