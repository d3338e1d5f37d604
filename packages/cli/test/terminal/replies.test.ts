import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFileHostChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { hasTmux, startInTmux } from '../../../../test/support/terminal/tmux.ts'
import { writeScenario } from '../write-scenario.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** What the agent's child asks the terminal: its kind, its version, its size, a mode, the place of its cursor. */
const ASKED = '\\033[c\\033[>c\\033[>q\\033[18t\\033[?2026$p\\033[6n\\033[5n'

/** `sandagent run` in tmux, and a child of its agent that asks the terminal once the file `go` is there. */
async function askInTmux(question: object, options = '') {
  const workdir = await tempDir()
  const child = `(until [ -e go ]; do sleep 0.02; done; printf '${ASKED}' >/dev/tty; touch asked) >/dev/null 2>&1 &`
  const scenario = await writeScenario(
    workdir,
    { run: { command: '/bin/sh', args: ['-c', child] } },
    { ask: { questions: [{ id: 'q', ...question }] } },
    { say: 'All set.' },
  )
  const terminal = await startInTmux(
    `${process.execPath} ${main} run --scenario ${scenario} --workdir ${workdir} --run-id r ${options}`,
  )
  const { files } = new LocalSandbox({ workdir })
  const host = createFileHostChannel({ files })
  return {
    ...terminal,
    record: async () => (await host.read('r-2')).record,
    async letChildAsk() {
      await writeFile(join(workdir, 'go'), '')
      await expect.poll(() => files.read('asked')).not.toBeNull()
    },
  }
}

describe.runIf(hasTmux)('a terminal that replies to a child of the agent', () => {
  const options = [{ label: 'Yes, delete it' }, { label: 'No' }]

  it('answers no question', async () => {
    const { seeing, letChildAsk, view, record } = await askInTmux({ question: 'Delete it?', options })
    await seeing('Ctrl-C')
    await letChildAsk()
    await seeing('Ctrl-C', 'n')
    await seeing(/❯ Note: for the agent/, 'x')
    await seeing(/❯ Note: x\n/)
    expect(await view()).toMatch(/○ Yes, delete it\n +2?.*○ No\n/)
    expect(await record()).toMatchObject({ state: 'open' })
  })

  it('types nothing into a text', async () => {
    const { seeing, letChildAsk, record } = await askInTmux({ question: 'What name?' })
    await seeing('❯ Answer: type it here')
    await seeing('Ctrl-C')
    await letChildAsk()
    await seeing('❯ Answer', 'it')
    await seeing('❯ Answer: it', 'Enter')
    await expect.poll(record).toMatchObject({ state: 'answered', responses: { q: { freeText: 'it' } } })
  })

  it('answers nothing in plain lines: what it put into a line has to be typed again', async () => {
    const { seeing, letChildAsk, record } = await askInTmux(
      { question: 'Delete it?', options },
      '--screen-reader',
    )
    await seeing(/\n>$/)
    await letChildAsk()
    await seeing('[?', '2', 'Enter')
    await seeing(/Type it again\.\n> *$/)
    expect(await record()).toMatchObject({ state: 'open' })
    await seeing('Type it again', '2', 'Enter')
    await expect.poll(record).toMatchObject({ state: 'answered', responses: { q: { selected: ['No'] } } })
  })
})
