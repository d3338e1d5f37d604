import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFileHostChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { createFakeTerminal } from '../../fake-terminal.ts'
import { writeScenario } from '../../write-scenario.ts'

const colour = { id: 'colour', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
const extras = {
  id: 'extras',
  question: 'Which extras?',
  multiSelect: true,
  options: [{ label: 'Tests' }, { label: 'Docs' }, { label: 'CI' }],
}

/** `sandagent run --screen-reader` with these questions. */
async function ask(...questions: object[]) {
  const terminal = createFakeTerminal()
  const workdir = await tempDir()
  const scenario = await writeScenario(workdir, { ask: { questions } }, { say: 'All set.' })
  const sandbox = new LocalSandbox({ workdir })
  const host = createFileHostChannel({ files: sandbox.files })
  const args = ['--screen-reader', '--scenario', scenario, '--workdir', workdir, '--run-id', 'r']
  const exitCode = terminal.run('run', ...args)
  return {
    terminal,
    sandbox,
    exitCode,
    record: async () => (await host.read('r-1')).record,
    type: terminal.atPrompt,
  }
}

describe('questions in plain lines', () => {
  it('take files by their paths', async () => {
    const folder = await tempDir()
    const path = join(folder, 'my shot.txt')
    await writeFile(path, 'a dog')
    const seen = { id: 'seen', question: 'What do you see?', files: {}, allowFreeText: false }
    const { type, exitCode, record } = await ask(seen)
    await type(/\/attach PATH gives a file\. Up to 20 files · 26\.2\sMB each at\s+most\./, 'a dog')
    await type('Give a file by /attach PATH.', `/attach ${join(folder, 'missing')}`)
    await type('Correct its path.', `/attach ${path}`)
    await type('Given: my shot.txt.', '/attach')
    await type('No file is given.', `/attach '${path}'`)
    await type('Given: my shot.txt.', '')
    expect(await exitCode).toBe(0)
    expect((await record())?.state).toBe('answered')
  })

  it('say why an answer is not stored yet, and store it once they can', async () => {
    const { terminal, type, exitCode, sandbox } = await ask(colour)
    const answers = join(sandbox.workdir, '.sandagent/approvals')
    await vi.waitFor(() => expect(terminal.screen()).toContain('Which colour?'))
    await rm(answers, { recursive: true, force: true })
    await writeFile(answers, 'in the way')
    await type('Which colour?', '1')
    await vi.waitFor(() =>
      expect(terminal.screen()).toContain('Not sent yet, trying again. What you entered is kept. This '),
    )
    expect(terminal.screen()).toContain('(ENOTDIR)')
    await rm(answers)
    expect(await exitCode).toBe(0)
  })

  it('that take no files say so', async () => {
    const { type, exitCode } = await ask(colour)
    await type('Type a number.', '/attach a.txt')
    await type('This question takes no files.', '1')
    expect(await exitCode).toBe(0)
  })

  it('are answered by numbers, own words and notes, and sent after a last look', async () => {
    const { type, terminal, exitCode, record } = await ask(colour, extras)
    await type(/Question 1 of 2\. Which colour\?\n {2}1\. Red\n {2}2\. Blue\n/, '3')
    await type('Type one number from 1 to 2.', '/note not too dark')
    await type('The note is kept.', '2')
    await type('Question 2 of 2. Which extras?', '1, 3')
    await type('Checked: Tests, CI.', '1')
    await type('Checked: CI.', 'a logo')
    await type('Checked: CI, “a logo”.', '')
    await type(/1\. Which colour\?: Blue\. Note: not too dark\n {2}2\. Which extras\?: CI, “a logo”/, '1')
    await type('Entered so far: Blue', '1')
    await type(/Which extras\?[\s\S]*Entered so far: CI, “a logo”/, '')
    await type('Which colour?: Red', 'send')
    expect(await exitCode).toBe(0)
    expect(await record()).toMatchObject({
      responses: {
        colour: { selected: ['Red'], notes: 'not too dark' },
        extras: { selected: ['CI'], freeText: 'a logo' },
      },
    })
    expect(terminal.screen()).toContain('Answered:')
    // Nothing is drawn again: no sequence moves the cursor.
    expect(terminal.output()).not.toContain('\u001b[')
  })

  it('are sent without an optional one, and no warning', async () => {
    const { type, terminal, exitCode, record } = await ask(colour, { ...extras, required: false })
    await type('Question 1 of 2. Which colour?', '1')
    await type('Question 2 of 2. Which extras?', '')
    await type(/1\. Which colour\?: Red\n {2}2\. Which extras\?: left out\nType send/, 'send')
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).not.toContain('ot answered')
    expect(await record()).toMatchObject({ responses: { colour: { selected: ['Red'] } } })
  })

  it('are declined with a reason', async () => {
    const { type, exitCode, record } = await ask(colour)
    await type('Which colour?', '/decline too early')
    expect(await exitCode).toBe(0)
    expect(await record()).toMatchObject({ state: 'declined', reason: 'too early' })
  })

  it('take one line of a paste, and say that they dropped those for questions nobody has read', async () => {
    const { type, terminal, exitCode, record } = await ask(colour, extras)
    await type('Which colour?', '2\n1\n\nsend')
    await type(/Which extras\?[\s\S]*3 lines were dropped: too early\./, '3')
    await type('Checked: CI.', '')
    await type('Your answers:', 'send')
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).not.toContain('A line was dropped')
    expect(await record()).toMatchObject({
      responses: { colour: { selected: ['Blue'] }, extras: { selected: ['CI'] } },
    })
  })

  it('take no mistyped command for an answer', async () => {
    const { type, exitCode, record } = await ask(colour, extras)
    await type('Which colour?', '/help')
    await type('There is no /help. /note TEXT adds a note.', ' /app')
    await type('Which extras?', '/BACK')
    await type('Entered so far: “/app”', '/Decline too early')
    expect(await exitCode).toBe(0)
    expect(await record()).toMatchObject({ state: 'declined', reason: 'too early' })
  })

  it('say what somebody else enters, and end when somebody else answers', async () => {
    const { terminal, sandbox, exitCode } = await ask(colour)
    await terminal.at('Which colour?')
    const responses = { colour: { selected: ['Blue'], source: 'human' as const } }
    const by = { answeredBy: 'Ann' }
    await submitAnswer(sandbox, { toolCallId: 'r-1', responses, status: 'pending' }, by)
    await terminal.at('Ann has entered Blue for: Which colour?')
    await submitAnswer(sandbox, { toolCallId: 'r-1', responses, status: 'completed' }, by)
    await terminal.at(/Answered elsewhere by Ann\.\n {2}Which colour\?\n {4}→ Blue/)
    expect(await exitCode).toBe(0)
  })
})
