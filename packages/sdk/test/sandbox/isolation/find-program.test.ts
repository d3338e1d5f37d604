import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { findProgram } from '../../../src/sandbox/isolation/find-program.ts'

/** `a` and `b` hold the program `tool`; `tool` of `c` is a folder, and that of `d` cannot be run. */
async function folders(): Promise<string> {
  const root = await tempDir()
  for (const name of ['a', 'b', 'c/tool', 'd', 'e']) await mkdir(join(root, name), { recursive: true })
  for (const name of ['a', 'b', 'd']) await writeFile(join(root, name, 'tool'), '')
  for (const name of ['a', 'b']) await chmod(join(root, name, 'tool'), 0o755)
  await chmod(join(root, 'd/tool'), 0o644)
  await symlink(join(root, 'a/tool'), join(root, 'e/tool'))
  return root
}

it.each([
  ['tool', ['b', 'a'], 'b/tool'],
  ['tool', ['missing', 'c', 'd', 'a'], 'a/tool'],
  ['tool', ['e'], 'e/tool'],
  ['tool', ['c', 'd'], null],
  ['a/tool', ['b'], 'a/tool'],
  ['./b/tool', [], 'b/tool'],
  ['c/tool', ['a'], null],
])('%s with the path %j is %s', async (command, places, found) => {
  const folder = await folders()
  for (const path of [places, places.map((place) => join(folder, place))])
    expect(await findProgram(command, { path: path.join(delimiter), folder })).toBe(
      found && join(folder, found),
    )
})

it('without a path only the folder itself is looked in', async () => {
  const folder = await folders()
  expect(await findProgram('tool', { folder })).toBeNull()
  expect(await findProgram('tool', { folder: join(folder, 'a') })).toBe(join(folder, 'a/tool'))
})
