import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { removeEntry } from '../../src/disk/remove-entry.ts'

it('an entry goes with all that is in it, and nothing that its links lead to', async () => {
  const root = await tempDir()
  await mkdir(join(root, 'folder/inner/deep'), { recursive: true })
  await mkdir(join(root, 'kept'))
  for (const path of ['file', 'folder/a', 'folder/inner/b', 'kept/c']) await writeFile(join(root, path), '')
  await symlink('../kept', join(root, 'folder/link'))
  await symlink('kept', join(root, 'link'))
  for (const name of ['file', 'folder', 'link', 'missing']) await removeEntry(root, name)
  expect(await readdir(root)).toEqual(['kept'])
  expect(await readdir(join(root, 'kept'))).toEqual(['c'])
})

it('a removal ends well whatever others write and remove meanwhile', async () => {
  const root = await tempDir()
  const inFolder = join(root, 'folder')
  for (let round = 0; round < 200; round++) {
    await mkdir(join(inFolder, 'inner'), { recursive: true })
    const writes = Promise.allSettled(
      ['a', 'b', 'inner/c'].map((name) => writeFile(join(inFolder, name), '')),
    )
    await Promise.all([removeEntry(root, 'folder'), removeEntry(root, 'folder')])
    // A write fails where its folder is gone, and only there.
    for (const write of await writes)
      if (write.status === 'rejected') expect(write.reason).toMatchObject({ code: 'ENOENT' })
  }
  await removeEntry(root, 'folder')
  expect(await readdir(root)).toEqual([])
})

it('what cannot be removed is told', async () => {
  await expect(removeEntry(await tempDir(), 'x'.repeat(300))).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
})
