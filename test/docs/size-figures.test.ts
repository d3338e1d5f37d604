import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

interface Limit {
  path: string
  limit: string
}

it('tells in docs/reference/react.md how much each file of the page may weigh, as the size check has it', () => {
  const { 'size-limit': limits } = JSON.parse(read('package.json')) as { 'size-limit': Limit[] }
  const ofPage = limits.filter(({ path }) => path.includes('/react/')).map(({ limit }) => limit)
  const [, table = ''] = read('docs/reference/react.md').split('## What it weighs')
  expect([...table.matchAll(/\| ([\d.]+ kB) \|/g)].map(([, figure]) => figure).sort()).toEqual(ofPage.sort())
})
