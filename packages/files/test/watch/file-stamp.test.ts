import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { fileStamp, pathStamp } from '../../src/watch/file-stamp.ts'

it('the identity of a folder stays when files change, and changes when another folder takes its place', async () => {
  const path = join(await tempDir(), 'folder')
  await mkdir(path)
  const before = (await pathStamp(path)).identity
  await writeFile(join(path, 'f'), '')
  expect((await pathStamp(path)).identity).toBe(before)
  await rename(path, `${path}.old`)
  await mkdir(path)
  expect((await pathStamp(path)).identity).not.toBe(before)
  expect((await pathStamp(`${path}.old`)).identity).toBe(before)
})

it('files and missing folders have no identity', async () => {
  const path = join(await tempDir(), 'f')
  expect((await pathStamp(path)).identity).toBeNull()
  await writeFile(path, '')
  expect((await pathStamp(path)).identity).toBeNull()
})

it('the stamp of a file changes with its text, its place and its absence', async () => {
  const folder = await tempDir()
  const [path, other] = [join(folder, 'f'), join(folder, 'g')]
  const stamps = [await fileStamp(path)]
  await writeFile(path, 'one')
  stamps.push(await fileStamp(path))
  await writeFile(path, 'longer')
  stamps.push(await fileStamp(path))
  await writeFile(other, 'longer')
  stamps.push(await fileStamp(other))
  expect(stamps[0]).toBe('ENOENT')
  expect(new Set(stamps).size).toBe(4)
})
