import { fileURLToPath } from 'node:url'
import { createFileHostChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { startInTerminal } from '../../../../test/support/terminal/pseudo-terminal.ts'
import { writeScenario } from '../write-scenario.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** `sandagent run` in a terminal of this size, with four options that have a description and a preview. */
async function ask(rows: number) {
  const workdir = await tempDir()
  const options = ['Red', 'Blue', 'Green', 'Grey'].map((label) => ({
    label,
    description: `What ${label} means, and where it is used. `.repeat(5),
    preview: Array.from({ length: 20 }, (_, line) => `${label} ${line}`).join('\n\n'),
  }))
  const questions = [{ id: 'q', question: 'Which one?', options }]
  const scenario = await writeScenario(workdir, { ask: { questions } }, { say: 'All set.' })
  const args = [main, 'run', '--scenario', scenario, '--workdir', workdir, '--run-id', 'r']
  const terminal = startInTerminal(process.execPath, args, { columns: 80, rows })
  const host = createFileHostChannel({ files: new LocalSandbox({ workdir }).files })
  return { ...terminal, record: async () => (await host.read('r-1')).record }
}

describe('a list in a terminal of 80 columns', () => {
  it('has one page on 24 rows: descriptions and previews are cut before that', async () => {
    const { seeing, view, record, ended } = await ask(24)
    await seeing('Ctrl-C')
    const drawn = await view()
    expect(drawn.match(/^(❯| ) \d\. ○ .*$/gm)).toEqual([
      '❯ 1. ○ Red',
      '  2. ○ Blue',
      '  3. ○ Green',
      '  4. ○ Grey',
    ])
    expect(drawn).toContain('1–4 pick')
    expect(drawn).toContain('Preview of Red')
    expect(drawn).toContain('Ctrl-O whole text')
    expect(drawn).not.toMatch(/page \d|PgDn|… 1 more line/)
    await seeing('4. ○ Grey', '4', '\r', '\r')
    expect(await ended).toBe(0)
    expect(await record()).toMatchObject({ responses: { q: { selected: ['Grey'] } } })
  })

  it('keeps the number of an option on every page, and sends none that is out of sight', async () => {
    const { seeing, resize, press, record, ended } = await ask(24)
    await seeing('Ctrl-C')
    resize(80, 7)
    await seeing(/❯ 1\. ○ Red\n(?!.*Grey)/)
    press('\u001b[6~')
    await seeing(/❯ 4\. ○ Grey/)
    press('1')
    await seeing(/❯ 1\. ○ Red/)
    expect(await record()).toMatchObject({ state: 'open' })
    press('1', '\r', '\r')
    expect(await ended).toBe(0)
    expect(await record()).toMatchObject({ responses: { q: { selected: ['Red'] } } })
  })
})
