import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { enterWorkdir } from '../../src/runs/enter-workdir.ts'
import { canIsolate, isolatedSandbox, printedBy } from '../support/isolated.ts'

it.skipIf(!canIsolate)('an isolated program cannot read the known workdirs', async () => {
  const config = await tempDir()
  vi.stubEnv('XDG_CONFIG_HOME', config)
  onTestFinished(() => void vi.unstubAllEnvs())
  await enterWorkdir({ workdir: config }, { onWarning: () => expect.unreachable() })
  await mkdir(join(config, 'sandagent/readable'))
  const sandbox = await isolatedSandbox({ readable: [config] })
  const entered = join(config, 'sandagent/workdirs')
  expect(await printedBy(sandbox, `ls ${entered} 2>/dev/null || echo hidden`)).toBe('hidden\n')
})
