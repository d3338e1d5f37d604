import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'

const folder = 'docs/decisions'
const files = readdirSync(join(root, folder)).filter((name) => /^\d/.test(name))

describe('the decisions', () => {
  it('are all in the index', () => {
    const index = readFileSync(join(root, folder, 'index.md'), 'utf8')
    expect([...index.matchAll(/\]\((\d[^)]*)\)/g)].map(([, name]) => name).sort()).toEqual(files)
  })

  it('are there where a source names one', () => {
    const named = execFileSync(
      'git',
      ['grep', '-hoE', 'docs/decisions/[0-9a-z-]+\\.md', '--', 'packages', 'scripts', 'lab'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    )
    const names = [...new Set(named.split('\n').filter(Boolean))]
    expect(names.length).toBeGreaterThan(30)
    expect(names.filter((name) => !existsSync(join(root, name)))).toEqual([])
  })
})
