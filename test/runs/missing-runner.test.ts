import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, startRun } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { runnerPath } from '../../apps/next-example/lib/runner.ts'

describe('without the sandagent command', () => {
  it.each(['none', 'auto'] as const)(
    'startRun says what to install, with the isolation %s',
    async (isolation) => {
      const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation })
      const request = { agent: 'scripted', prompt: 'Go', env: { PATH: '/usr/bin:/bin' } }
      await expect(startRun(sandbox, request, { signingKeys: null })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringMatching(/no "sandagent" command on the PATH.*npm install sandagent/),
      })
    },
  )

  it('the Next.js example says what to install, and finds the command once it is there', async () => {
    const app = await tempDir()
    vi.spyOn(process, 'cwd').mockReturnValue(app)
    try {
      expect(runnerPath).toThrow('The runner is not installed here: npm install sandagent')
      const command = join(app, 'node_modules/sandagent/dist/main.js')
      await mkdir(join(command, '..'), { recursive: true })
      await writeFile(command, '')
      expect(runnerPath()).toBe(command)
    } finally {
      vi.restoreAllMocks()
    }
  })
})
