import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { checkRuntime, launcherFile, RUNTIME } from '../../../src/sandbox/isolation/launcher-file.ts'
import { distrust } from '../../../src/sandbox/isolation/path-outside.ts'

it('this package has a launcher of its own', async () => {
  const own = fileURLToPath(new URL('../../../dist/launcher/launcher.js', import.meta.url))
  expect(await launcherFile()).toBe(own)
})

it('a relay without one uses that of an installed command, and says what is missing', async () => {
  const folder = await tempDir()
  for (const path of ['bin', 'package/dist/launcher']) await mkdir(join(folder, path), { recursive: true })
  vi.stubEnv('PATH', join(folder, 'bin'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const missing = { code: 'ISOLATION_UNAVAILABLE', message: expect.stringContaining('is missing') }
  const found = () => launcherFile(join(folder, 'no-launcher.js'))
  await expect(found()).rejects.toMatchObject(missing)

  await writeFile(join(folder, 'package/dist/cli.js'), '')
  await chmod(join(folder, 'package/dist/cli.js'), 0o755)
  await symlink('../package/dist/cli.js', join(folder, 'bin/sandagent'))
  await expect(found()).rejects.toMatchObject(missing)

  const launcher = join(folder, 'package/dist/launcher/launcher.js')
  await writeFile(launcher, '')
  expect(await found()).toBe(launcher)
})

it('the runtime counts where no agent can put another one', async () => {
  const folder = await tempDir()
  const launcher = join(folder, 'app/launcher.js')
  await mkdir(join(folder, 'app'))
  await writeFile(launcher, '')
  const missing = expect.objectContaining({
    code: 'ISOLATION_UNAVAILABLE',
    message: expect.stringContaining(`npm install ${RUNTIME.name}@${RUNTIME.version}`),
  })
  expect(() => checkRuntime(launcher)).toThrow(missing)
  await mkdir(join(folder, 'node_modules', RUNTIME.name), { recursive: true })
  expect(() => checkRuntime(launcher)).not.toThrow()
  distrust(folder)
  expect(() => checkRuntime(launcher)).toThrow(missing)
})

it('the line that installs the runtime names the version that this package takes', async () => {
  const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } })
  expect(manifest.peerDependencies[RUNTIME.name]).toBe(`^${RUNTIME.version}`)
})
