import { readdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../../../../src/sandbox/isolation/launcher/run-inside.ts'

/** A place for temporary files, which is a link as on macOS. */
async function placeOn(platform: NodeJS.Platform): Promise<string> {
  const own = process.platform
  Object.defineProperty(process, 'platform', { value: platform })
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: own }))
  const place = await tempDir()
  await symlink(place, `${place}/link`)
  vi.stubEnv('TMPDIR', `${place}/link`)
  onTestFinished(() => void vi.unstubAllEnvs())
  return place
}

it('a sandbox of macOS has a folder of its own, which is removed with all that is in it', async () => {
  const place = await placeOn('darwin')
  const [first, second] = [temporaryFolder(), temporaryFolder()]
  expect(first.path).toMatch(/\/sandagent-[^/]+$/)
  expect(first.path).not.toBe(second.path)
  // Rules name places without links.
  expect(dirname(first.path as string)).toBe(await realpath(place))
  await writeFile(join(first.path as string, 'f'), '')
  first.remove()
  second.remove()
  expect(await readdir(place)).toEqual(['link'])
})

it('a sandbox of Linux makes its own', async () => {
  const place = await placeOn('linux')
  const { path, remove } = temporaryFolder()
  remove()
  expect([path, await readdir(place)]).toEqual([undefined, ['link']])
})
