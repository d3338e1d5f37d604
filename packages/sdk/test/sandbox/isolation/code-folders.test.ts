import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { codeFolders } from '../../../src/sandbox/isolation/code-folders.ts'

/** Lets this process run by another program, as far as it knows. */
async function runBy(node: string): Promise<void> {
  await mkdir(join(node, '..'), { recursive: true })
  await writeFile(node, '')
  const own = Object.getOwnPropertyDescriptor(process, 'execPath') as PropertyDescriptor
  Object.defineProperty(process, 'execPath', { ...own, value: node })
  onTestFinished(() => void Object.defineProperty(process, 'execPath', own))
}

let folder: string
beforeEach(async () => {
  folder = await tempDir()
})

describe('the code of the host', () => {
  beforeEach(() => runBy(join(folder, 'node')))

  it('has the folder of all packages where this one is installed', async () => {
    const modules = join(folder, 'app/node_modules')
    for (const own of [join(modules, '.pnpm/x/node_modules/@s/sdk'), join(modules, 'sdk'), modules])
      expect(codeFolders(own)).toEqual([modules, join(folder, 'node')])
  })

  it('has the packages beside this one in a clone, and what is installed above', async () => {
    const own = join(folder, 'clone/packages/sdk')
    for (const path of ['clone/node_modules', 'node_modules', 'clone/packages/sdk/node_modules'])
      await mkdir(join(folder, path), { recursive: true })
    expect(codeFolders(own).filter((path) => path.startsWith(folder))).toEqual([
      join(folder, 'clone/packages'),
      join(folder, 'clone/node_modules'),
      join(folder, 'node_modules'),
      join(folder, 'node'),
    ])
  })

  it('is that of this clone', () => {
    const packages = fileURLToPath(new URL('../../../../', import.meta.url)).replace(/\/$/, '')
    expect(codeFolders()[0]).toBe(packages)
  })
})

describe('the folders of Node', () => {
  const nodeFolders = (): string[] => codeFolders(join(folder, 'node_modules/sdk')).slice(1)

  it('are those of programs and libraries where it is installed', async () => {
    for (const name of ['lib', 'share', 'libexec'])
      await mkdir(join(folder, 'node', name), { recursive: true })
    await runBy(join(folder, 'node/bin/node'))
    expect(nodeFolders()).toEqual(['bin', 'lib', 'libexec'].map((name) => join(folder, 'node', name)))
  })

  it('are Node alone in a folder that is no place of programs', async () => {
    await mkdir(join(folder, 'lib'))
    await runBy(join(folder, 'tools/node'))
    expect(nodeFolders()).toEqual([join(folder, 'tools/node')])
  })

  it('are Node alone where the folder around them holds a home', async () => {
    await mkdir(join(folder, 'lib'))
    await runBy(join(folder, 'bin/node'))
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const home of [folder, join(folder, 'people/me')]) {
      vi.stubEnv('HOME', home)
      expect(nodeFolders()).toEqual([join(folder, 'bin/node')])
    }
    vi.stubEnv('HOME', '/home/me')
    expect(nodeFolders()).toEqual([join(folder, 'bin'), join(folder, 'lib')])
  })
})
