import { fileURLToPath } from 'node:url'
import { createFileHostChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { startInTerminal } from '../../../../test/support/terminal/pseudo-terminal.ts'
import { writeScenario } from '../write-scenario.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** `sandagent run` in a terminal of 80 by 24 that first says that it has `size`. */
async function ask(size: string) {
  const workdir = await tempDir()
  const questions = [{ id: 'q', question: 'Which one?', options: [{ label: 'Red' }, { label: 'Blue' }] }]
  const scenario = await writeScenario(workdir, { ask: { questions } }, { say: 'All set.' })
  const command = `stty ${size}; exec ${process.execPath} ${main} run --scenario ${scenario} --workdir ${workdir} --run-id r`
  const terminal = startInTerminal('/bin/sh', ['-c', command], { columns: 80, rows: 24 })
  const host = createFileHostChannel({ files: new LocalSandbox({ workdir }).files })
  return { ...terminal, record: async () => (await host.read('r-1')).record }
}

describe('Enter', () => {
  it('sends what was picked and is seen, in a terminal that says that it has no size', async () => {
    const { seeing, view, press, record, ended } = await ask('rows 0 cols 0')
    await seeing(/│ Which one\?\n\n❯ 1\. ○ Red\n {2}2\. ○ Blue[\s\S]*Ctrl-C/)
    press('\r')
    await seeing(/❯ 1\. ● Red[\s\S]*Enter send/)
    expect(await record()).toMatchObject({ state: 'open' })
    press('2', '\r')
    expect(await ended).toBe(0)
    expect(await record()).toMatchObject({ responses: { q: { selected: ['Blue'] } } })
    expect(await view()).toContain('→ Blue')
  })

  it('sends no option after a number that no option has', async () => {
    const { seeing, press, record, ended } = await ask('rows 24 cols 80')
    await seeing('Ctrl-C', '3')
    await seeing('There is no option 3.', '\r')
    await seeing(/● Red/)
    expect(await record()).toMatchObject({ state: 'open' })
    press('\u001b[B', '\r')
    expect(await ended).toBe(0)
    expect(await record()).toMatchObject({ responses: { q: { selected: ['Blue'] } } })
  })
})
