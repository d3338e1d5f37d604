import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { modelFiles } from '../../src/ask/attached-files.ts'

const sha256 = createHash('sha256').update('bytes').digest('hex')
const file = { name: 'a.png', mediaType: 'image/png', size: 5, sha256 }
const responses = { q1: { selected: [], files: [file], source: 'human' as const } }
const filesAt = (path: string) => modelFiles({ fileAt: async () => path }, { toolCallId: 'c1', responses })

it('a model gets the bytes of a file, and none of one that is gone', async () => {
  const folder = await tempDir()
  await writeFile(join(folder, 'a.png'), 'bytes')
  expect(await filesAt(join(folder, 'a.png'))).toMatchObject([{ name: 'a.png', data: 'Ynl0ZXM=' }])
  expect(await filesAt(join(folder, 'b.png'))).toEqual([])
})

it('a file that cannot be read is not taken for one that is gone', async () => {
  await expect(filesAt(await tempDir())).rejects.toThrow('EISDIR')
})
