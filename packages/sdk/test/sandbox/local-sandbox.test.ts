import { existsSync } from 'node:fs'
import { realpath, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { LocalSandbox } from '../../src/index.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

describe('LocalSandbox', () => {
  it('creates its workdir, given relative to the current directory', async () => {
    const workdir = join(await tempDir(), 'a', 'b')
    const sandbox = new LocalSandbox({ workdir: relative(process.cwd(), workdir) })
    expect(sandbox.workdir).toBe(workdir)
    expect(existsSync(workdir)).toBe(true)
    expect(new LocalSandbox({ workdir }).workdir).toBe(workdir)
  })

  it('takes a workdir that is a link for what it leads to', async () => {
    const { workdir } = await tempSandbox()
    const link = `${workdir}-link`
    await symlink(workdir, link)
    expect(new LocalSandbox({ workdir: link }).workdir).toBe(await realpath(workdir))
  })

  it('reaches the files of its workdir', async () => {
    const { files, workdir } = await tempSandbox()
    await files.writeAtomic('notes/a.txt', 'hello')
    expect(await files.read('notes/a.txt')).toBe('hello')
    expect(existsSync(join(workdir, 'notes', 'a.txt'))).toBe(true)
  })
})
