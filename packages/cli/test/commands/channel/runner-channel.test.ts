import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { runnerChannel } from '../../../src/commands/channel/runner-channel.ts'

const options = async () => ({
  workdir: await tempDir(),
  stateFolder: undefined,
  sweepAfterMs: undefined,
  continues: [],
  onWarning: () => {},
})

it('public keys that are an empty text are refused: no answer counts unsigned because of them', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('SANDAGENT_PUBLIC_KEYS', '')
  await expect(runnerChannel(await options())).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('SANDAGENT_PUBLIC_KEYS holds no public keys'),
  })
})

it('an address of a host without a token is refused', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('SANDAGENT_CHANNEL_URL', 'https://agents.example.com/api/runner')
  vi.stubEnv('SANDAGENT_CHANNEL_TOKEN', '')
  await expect(runnerChannel(await options())).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('SANDAGENT_CHANNEL_TOKEN is not: set it'),
  })
})
