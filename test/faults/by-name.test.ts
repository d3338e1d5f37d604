import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { FAULTS } from './by-name.ts'

describe('each fault', () => {
  it.each(Object.entries(FAULTS))('has a test that npm test runs: %s', async (_, tests) => {
    expect(tests).not.toEqual([])
    for (const { file, name } of tests) {
      expect(file).not.toContain('.slow.')
      const source = await readFile(join(root, file), 'utf8')
      expect(
        [`'${name}'`, `\`${name}\``].filter((text) => source.includes(text)),
        `${file}: ${name}`,
      ).toHaveLength(1)
    }
  })
})
