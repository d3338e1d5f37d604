import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { createLocalFiles } from '../../src/internal.ts'

const OLD = '.00000000-0000-4000-8000-000000000001.tmp'
const OLD_FOLDER = '.00000000-0000-4000-8000-000000000002.tmp'
const NEW = '.00000000-0000-4000-8000-000000000003.tmp'
const OTHER = '.notes.tmp'

it('a writer removes what killed writers left in its folder long ago, and nothing else', async () => {
  const workdir = await tempDir()
  const folder = join(workdir, 'a')
  await mkdir(join(folder, OLD_FOLDER), { recursive: true })
  for (const name of [OLD, `${OLD_FOLDER}/claim.json`, NEW, OTHER]) await writeFile(join(folder, name), '')
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
  for (const name of [OLD, OLD_FOLDER, OTHER]) await utimes(join(folder, name), longAgo, longAgo)
  await createLocalFiles(workdir).writeAtomic('a/file', 'text')
  expect((await readdir(folder)).sort()).toEqual([NEW, OTHER, 'file'].sort())
})
