import { mkdir, rm, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { distrust, pathOutside } from '../../../src/sandbox/isolation/path-outside.ts'

it('programs are looked for in existing folders that no agent can write to', async () => {
  const folder = await tempDir()
  const workdir = join(folder, 'workdir')
  await mkdir(join(workdir, 'node_modules/.bin'), { recursive: true })
  await mkdir(join(folder, 'workdir-of-mine'))
  await symlink(workdir, join(folder, 'link'))
  const path = [
    join(folder, 'workdir-of-mine'),
    'node_modules/.bin',
    '',
    join(folder, 'missing'),
    workdir,
    join(workdir, 'node_modules/.bin'),
    join(folder, 'link'),
    folder,
  ].join(delimiter)
  const outside = [join(folder, 'workdir-of-mine'), folder]
  expect(pathOutside(path).split(delimiter)).toEqual([
    outside[0],
    workdir,
    join(workdir, 'node_modules/.bin'),
    join(folder, 'link'),
    outside[1],
  ])
  distrust(workdir)
  expect(pathOutside(path).split(delimiter)).toEqual(outside)
})

it('a workdir that was removed is forgotten, and one that is there is not', async () => {
  const [folder, other] = [await tempDir(), await tempDir()]
  for (const workdir of [folder, other]) distrust(workdir)
  await rm(other, { recursive: true })
  for (let n = 0; n < 3000; n++) distrust(join(folder, `removed-${n}`))
  await mkdir(other)
  await mkdir(join(folder, 'removed-0/bin'), { recursive: true })
  expect(pathOutside([folder, join(folder, 'removed-0/bin'), other].join(delimiter))).toBe(other)
})

it('without a path it is that of this process', () => {
  expect(pathOutside()).toBe(pathOutside(process.env.PATH))
})
