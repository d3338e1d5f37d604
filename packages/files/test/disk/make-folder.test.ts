import { existsSync, statSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../src/disk/make-folder.ts'

const folder = tempDir
const refusal = (path: string) =>
  expect.objectContaining({
    code: 'UNSAFE_PATH',
    message: expect.stringContaining(`The folder ${path} cannot be used`),
    facts: { path },
  })

describe('makeFolder', () => {
  it('makes what is missing, and is content with what is there', async () => {
    const path = join(await folder(), 'a', 'b', 'c')
    makeFolder(path)
    makeFolder(path)
    expect(statSync(path).isDirectory()).toBe(true)
  })

  it('names a path that is a file, goes through one, or is a link to nowhere', async () => {
    const root = await folder()
    await writeFile(join(root, 'file'), '')
    await symlink('nowhere', join(root, 'link'))
    for (const name of ['file', 'file/below', 'link']) {
      const path = join(root, name)
      expect(() => makeFolder(path)).toThrow(refusal(path))
    }
  })

  it.runIf(existsSync('/proc/self'))('gives up where no folder can be made', () => {
    for (const path of ['/proc/x', '/proc/x/y']) expect(() => makeFolder(path)).toThrow(refusal(path))
  })
})
