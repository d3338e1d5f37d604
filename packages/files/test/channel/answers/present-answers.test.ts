import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { presentAnswers } from '../../../src/channel/answers/present-answers.ts'
import { createLocalFiles, type SandboxFiles } from '../../../src/internal.ts'

const MANY = 20

async function filesWith(...names: string[]): Promise<SandboxFiles> {
  const workdir = await tempDir()
  await mkdir(join(workdir, 'approvals'))
  for (const name of names) await writeFile(join(workdir, 'approvals', name), '')
  return createLocalFiles(workdir)
}

describe('the answers of many questions', () => {
  it('may be there where there is an answer file, or a claim of one', async () => {
    const mayHave = await presentAnswers(await filesWith('a.json', '.b.final', 'c.txt'), 'approvals', MANY)
    expect(['a.json', 'b.json', 'c.json', 'd.json'].map(mayHave)).toEqual([true, true, false, false])
  })

  it('may all be there where there are few questions', async () => {
    const mayHave = await presentAnswers(await filesWith(), 'approvals', MANY - 1)
    expect(mayHave('a.json')).toBe(true)
  })

  it('may all be there where the sandbox tells no stamps, and where the list has an end', async () => {
    const { stamps: _, ...withoutStamps } = await filesWith()
    expect((await presentAnswers(withoutStamps, 'approvals', MANY))('a.json')).toBe(true)
    const full = { ...(await filesWith()), list: async () => Array<string>(250_000).fill('x.json') }
    expect((await presentAnswers(full, 'approvals', MANY))('a.json')).toBe(true)
  })
})
