import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { nodeProgram } from '../../../src/sandbox/isolation/node-program.ts'

function underAnother(runtime: 'deno' | 'bun'): void {
  const own = Object.getOwnPropertyDescriptor(process, 'versions') as PropertyDescriptor
  Object.defineProperty(process, 'versions', { ...own, value: { ...process.versions, [runtime]: '2.0.0' } })
  onTestFinished(() => void Object.defineProperty(process, 'versions', own))
}

it('Node finds itself', () => {
  expect(nodeProgram()).toBe(process.execPath)
})

it.each(['deno', 'bun'] as const)(
  '%s finds Node on the path, and not itself by that name',
  async (runtime) => {
    const folder = await tempDir()
    for (const name of ['empty', 'own', 'a', 'b']) await mkdir(join(folder, name))
    await symlink(process.execPath, join(folder, 'own/node'))
    for (const name of ['a', 'b']) await writeFile(join(folder, name, 'node'), '')
    underAnother(runtime)
    onTestFinished(() => void vi.unstubAllEnvs())
    const pathOf = (...names: string[]) => names.map((name) => join(folder, name)).join(delimiter)
    vi.stubEnv('PATH', pathOf('empty', 'own', 'a', 'b'))
    expect(nodeProgram()).toBe(join(folder, 'a/node'))
    vi.stubEnv('PATH', pathOf('empty', 'own'))
    expect(nodeProgram).toThrow(expect.objectContaining({ code: 'ISOLATION_UNAVAILABLE' }))
  },
)
