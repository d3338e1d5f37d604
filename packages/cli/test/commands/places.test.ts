import { chmod, chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { enterWorkdir } from '@sandagent/sdk/internal'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createPlaces } from '../../src/commands/places/places.ts'

it.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'a folder that is not safe to use is told once, and comes back when it is mended',
  async () => {
    vi.stubEnv('XDG_CONFIG_HOME', await tempDir())
    onTestFinished(() => void vi.unstubAllEnvs())
    const above = await tempDir()
    const workdir = join(above, 'workdir')
    for (const name of ['approvals', 'questions'])
      await mkdir(join(workdir, '.sandagent', name), { recursive: true })
    // The agent of this folder is another user, who may rename the folder at first.
    await chown(join(workdir, '.sandagent/questions'), 1234, 1235)
    await chmod(above, 0o777)
    await enterWorkdir({ workdir }, { onWarning: () => expect.unreachable() })
    const write = vi.fn()
    const places = createPlaces({}, { stderr: { write } as never })
    expect(await places()).toEqual([])
    expect(await places()).toEqual([])
    expect(write).toHaveBeenCalledOnce()
    expect(write.mock.calls[0]?.[0]).toContain('could replace it')
    await chmod(above, 0o755)
    expect(await places()).toMatchObject([{ id: workdir }])
    const [place] = await places()
    expect((await places())[0]).toBe(place)
  },
)
