import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { APPROVAL_OPTIONS } from '@sandagent/core/internal'
import { createFileHostChannel, createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { root } from '../scripts/run.mjs'
import { startInTerminal } from './support/terminal/pseudo-terminal.ts'

const main = join(root, 'packages/cli/dist/main.js')
const [enter, esc, tab, back] = ['\r', '\u001b', '\t', '\u001b[Z']
const [up, down, left, right] = ['\u001b[A', '\u001b[B', '\u001b[D', '\u001b[C']
const [pageUp, pageDown, end] = ['\u001b[5~', '\u001b[6~', '\u001b[F']

const colour = {
  id: 'colour',
  header: 'Colour',
  question: 'Which **colour**?',
  options: [{ label: 'Red', preview: '# All red' }, { label: '青い' }],
}
const extras = {
  id: 'extras',
  header: 'Extras',
  question: 'Which extras?',
  multiSelect: true,
  options: [{ label: 'Tests' }, { label: 'Docs', description: 'How to start it.' }, { label: 'CI' }],
}
const cities = {
  id: 'city',
  header: 'City',
  question: 'Which city?',
  options: [
    'Aachen',
    'Bonn',
    'Köln',
    'Dresden',
    'Essen',
    'Fulda',
    'Gera',
    'Hof',
    'Jena',
    'Kiel',
    'Lindau',
    'Mainz',
  ].map((label) => ({ label })),
}
const name = { id: 'name', header: 'Name', question: 'What name?', required: false }

/** The bundled command in a terminal of its own, with these questions. */
async function ask(questions: object[], size: { columns?: number; rows?: number } = {}) {
  const workdir = await tempDir()
  const scenario = join(workdir, 'scenario.json')
  await writeFile(scenario, JSON.stringify({ steps: [{ ask: { questions } }, { say: 'All set.' }] }))
  const args = [main, 'run', '--scenario', scenario, '--workdir', workdir, '--run-id', 'r']
  const sandbox = new LocalSandbox({ workdir })
  const host = createFileHostChannel({ files: sandbox.files })
  const terminal = startInTerminal(process.execPath, args, size)
  return { ...terminal, sandbox, record: async () => (await host.read('r-1')).record }
}

describe('the form in a real terminal', () => {
  it.each([60, 80, 200])('is answered by keys alone on %i columns', async (columns) => {
    const { seeing, view, ended, record } = await ask([colour, extras, cities, name], { columns, rows: 40 })
    await seeing('Ctrl-C')
    const drawn = await view()
    expect(drawn).toMatch(/\[ {2}Colour\] {4}Extras/)
    expect(drawn).toContain('│ Which colour?')
    expect(drawn).toMatch(
      columns === 200 ? /❯ 1\. ○ Red {20,}Preview of Red/ : /\nPreview of Red\n│ All red\n/,
    )
    for (const line of drawn.split('\n')) expect(line.length).toBeLessThan(columns)

    await seeing('❯ 1. ○ Red', down)
    await seeing('❯ 2. ○ 青い', 'n')
    await seeing('❯ Note', 'not 黒', enter)
    await seeing('❯ 2. ○ 青い', enter)
    await seeing('❯ 1. [ ] Tests', '3', up, ' ', right)
    await seeing('Which city?', left)
    await seeing(/1\. \[ \] Tests\n.*2\. \[x\] Docs[\s\S]*3\. \[x\] CI/, end, up, 'a logo', esc)
    await seeing('❯ 3. [x] CI', tab)
    await seeing('page 1 of 2', pageDown)
    await seeing(/❯ {4}○ Kiel\n {5}○ Lindau\n {5}○ Mainz/, pageUp)
    await seeing('❯ 1. ○ Aachen', 'e', 'n')
    await seeing(
      /Filter: en {2}\(4 of 12\)\n\n❯ {4}○ Aachen\n {5}○ Dresden\n {5}○ Essen\n {5}○ Jena/,
      down,
      down,
      enter,
    )
    await seeing('What name?', 'it', back)
    await seeing('3. ○ Köln', tab)
    await seeing('❯ Answer: it', tab)
    await seeing(/Check your answers[\s\S]*青い\n[\s\S]*CI, Docs, “a logo”\n/, esc)
    await seeing('Decline, and leave out what you entered?', esc)
    await seeing('❯ Send these answers', enter)
    expect(await ended).toBe(0)
    expect(await record()).toMatchObject({
      responses: {
        colour: { selected: ['青い'], notes: 'not 黒' },
        extras: { selected: ['CI', 'Docs'], freeText: 'a logo' },
        city: { selected: ['Essen'] },
        name: { freeText: 'it' },
      },
    })
  })

  it('follows the size of the terminal', async () => {
    const { seeing, view, resize, ended, record } = await ask([colour], { columns: 200, rows: 40 })
    await seeing(/❯ 1\. ○ Red {20,}Preview of Red[\s\S]*Ctrl-C/)
    resize(60, 30)
    await seeing(/❯ 1\. ○ Red\n {2}2\. ○ 青い\n\nPreview of Red\n│ All red\n/)
    resize(140, 24)
    await seeing(/❯ 1\. ○ Red {20,}Preview of Red[\s\S]*Ctrl-C/, down)
    await seeing('❯ 2. ○ 青い', '1', enter)
    expect(await ended).toBe(0)
    expect(await record()).toMatchObject({ responses: { colour: { selected: ['Red'] } } })
    expect(await view()).toMatch(/Answered:\n {2}Which colour\?\n {4}→ Red\n/)
  })

  it('takes a pasted text as own words, puts the cursor where characters come in, and leaves the terminal as it was', async () => {
    const { seeing, cursor, view, output, ended, record } = await ask([colour])
    await seeing('Ctrl-C', '\u001b[200~1 漢字\r\n2\u001b[201~')
    await seeing(/❯ Own answer: 1 漢字\n {14}2\n/)
    const lines = (await view()).split('\n')
    await expect
      .poll(cursor)
      .toEqual({ x: 15, y: lines.findIndex((line) => line.startsWith('❯ Own answer')) + 1 })
    await seeing('Own answer', enter)
    expect(await ended).toBe(0)
    expect(await record()).toMatchObject({ responses: { colour: { selected: [], freeText: '1 漢字\n2' } } })
    expect(output().lastIndexOf('\u001b[?2004l')).toBeGreaterThan(output().lastIndexOf('\u001b[?2004h'))
    expect(output().lastIndexOf('\u001b[?25h')).toBeGreaterThan(output().lastIndexOf('\u001b[?25l'))
  })

  it('goes when somebody else answers, and takes no key from before it was there', async () => {
    const { seeing, press, sandbox, ended } = await ask([colour])
    press('1', '1', enter)
    await seeing(/❯ 1\. ○ Red[\s\S]*Ctrl-C/)
    const responses = { colour: { selected: ['青い'], source: 'human' as const } }
    await submitAnswer(sandbox, { toolCallId: 'r-1', responses, status: 'completed' }, { answeredBy: 'Ann' })
    await seeing(/Answered elsewhere by Ann\.\n {2}Which colour\?\n {4}→ 青い/)
    expect(await ended).toBe(0)
  })

  it('declines with a reason after it has asked, and stops the agent by Ctrl-C', async () => {
    const first = await ask([colour])
    await first.seeing('Ctrl-C', esc)
    await first.seeing('Decline to answer?', down)
    await first.seeing('❯ Decline, because', 'too early', enter)
    expect(await first.ended).toBe(0)
    expect(await first.record()).toMatchObject({ state: 'declined', reason: 'too early' })
    const second = await ask([colour])
    await second.seeing('Ctrl-C', '\u0003')
    expect(await second.ended).toBe(130)
    expect(await second.record()).toMatchObject({ state: 'aborted' })
  })

  it('shows every end of a line as one', async () => {
    const ends = ['\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029']
    const text = ends.map((end, index) => `a${index}${end}b${index}`).join(' ')
    for (const textFormat of ['markdown', 'plain']) {
      const option = { label: text, description: text, preview: text }
      const terminal = await ask([{ question: text, textFormat, options: [option, { label: 'No' }] }])
      await terminal.seeing('Preview of')
      const view = await terminal.view()
      for (const index of ends.keys()) {
        expect(view).not.toContain(`a${index}b${index}`)
        expect(view).toMatch(new RegExp(`^│ (?:b\\d )?a${index}\\s*$`, 'm'))
      }
      terminal.close()
    }
  })

  it('keeps the signs of names in labels, and labels that would look the same', async () => {
    const names = ['D:\\data\\_old', '__init__.py', 'src/**/*.ts', '**Bold**']
    const alike = ['D:\\data\\_old', 'D:\\data_old', '**Red**', 'Red']
    for (const labels of [names, alike]) {
      const options = labels.map((label) => ({ label }))
      const terminal = await ask([{ question: 'Which **one**?', options }])
      await terminal.seeing('Which one?')
      const view = await terminal.view()
      for (const label of labels.map((each) => (each === '**Bold**' ? 'Bold' : each)))
        expect(view.split('\n').map((line) => line.trimEnd().split('○ ')[1])).toContain(label)
      terminal.close()
    }
  })

  it('shows what an approval permits with all its signs', async () => {
    const workdir = await tempDir()
    const description = 'This file alone: Edit(/src/**), Read(//etc/**), __init__.py'
    const { allowOnce, deny } = APPROVAL_OPTIONS
    const permission = {
      id: 'permission',
      question: 'May the agent use Edit(/src/**)?',
      options: [{ ...allowOnce, description }, deny],
      allowFreeText: false,
    }
    const record = openRecord('toolu_1', {
      kind: 'approval',
      questions: [permission],
      subject: { toolName: 'Edit', input: { file_path: 'src/**' } },
    })
    await createFileRunnerChannel({ workdir }).open(record)
    const args = [main, 'answer', 'toolu_1', '--workdir', workdir]
    const terminal = startInTerminal(process.execPath, args)
    await terminal.seeing('May the agent use Edit(/src/**)?')
    await terminal.seeing(description)
  })
})
