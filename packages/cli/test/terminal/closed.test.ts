import { fileURLToPath } from 'node:url'
import { createFileHostChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { startInTerminal } from '../../../../test/support/terminal/pseudo-terminal.ts'
import { writeScenario } from '../write-scenario.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** `sandagent run` in a terminal of its own, which asks a question; a shell may stand between the two. */
async function ask({ shell = false, env = {}, options = [] as string[] } = {}) {
  const workdir = await tempDir()
  const questions = [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }]
  const scenario = await writeScenario(workdir, { ask: { questions } }, { say: 'All set.' })
  const args = [main, 'run', '--scenario', scenario, '--workdir', workdir, '--run-id', 'r', ...options]
  const command = [process.execPath, ...args]
  const terminal = shell
    ? startInTerminal('/bin/sh', ['-c', `${command.join(' ')}; true`], { env })
    : startInTerminal(process.execPath, args, { env })
  const host = createFileHostChannel({ files: new LocalSandbox({ workdir }).files })
  return { terminal, record: async () => (await host.read('r-1')).record }
}

describe('sandagent run whose terminal is closed', () => {
  it.each([{ shell: false }, { shell: true }, { options: ['--screen-reader'] }])(
    'withdraws its question (%j)',
    async (options) => {
      const { terminal, record } = await ask(options)
      await terminal.at('Which?')
      terminal.close()
      await expect.poll(record).toMatchObject({ state: 'aborted' })
    },
  )
})

describe('sandagent run with plain lines', () => {
  it('stops with Ctrl-D as with Ctrl-C', async () => {
    const { terminal, record } = await ask({ options: ['--screen-reader'] })
    await terminal.seeing(/\n>$/, '\u0004')
    expect(await terminal.ended).toBe(130)
    expect(await record()).toMatchObject({ state: 'aborted' })
    expect(terminal.screen()).toContain('Stopped.')
  })
})

describe('sandagent run where colours are not wanted', () => {
  it('prints none', async () => {
    const { terminal } = await ask({ env: { NO_COLOR: '1', FORCE_COLOR: undefined } })
    await terminal.seeing('Ctrl-C', '1', '\r', '\r')
    expect(await terminal.ended).toBe(0)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(terminal.output()).not.toMatch(/\u001b\[[\d;]*m/)
  })
})
