import type { QuestionRecord, RunnerChannel } from '@sandagent/core'
import { createFileHostChannel, createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type AskOptions, askUser } from '@sandagent/runner'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { holdDialog } from '../../src/terminal/dialog.ts'
import { createTerminalChannel } from '../../src/terminal/terminal-channel.ts'
import { createFakeTerminal, type FakeTerminal, KEYS } from '../fake-terminal.ts'
import { writeScenario } from '../write-scenario.ts'

const { enter, down, up, esc, space, tab, ctrlC } = KEYS
const colour = { id: 'colour', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
const extras = {
  id: 'extras',
  question: 'Which extras?',
  multiSelect: true,
  options: [{ label: 'Tests' }, { label: 'README, with usage', description: 'How to start it.' }],
}
const name = { id: 'name', question: 'What name?', placeholder: 'hello', required: false }

let terminal: FakeTerminal
beforeEach(() => {
  terminal = createFakeTerminal()
})

/** Runs a scenario that asks these questions on the terminal. */
async function ask(...questions: unknown[]) {
  const workdir = await tempDir()
  const scenario = await writeScenario(workdir, { ask: { questions } }, { say: 'All set.' })
  const sandbox = new LocalSandbox({ workdir })
  const host = createFileHostChannel({ files: sandbox.files })
  return {
    exitCode: terminal.run('run', '--scenario', scenario, '--workdir', workdir, '--run-id', 'r'),
    sandbox,
    state: () => host.read('r-1'),
  }
}

describe('a question on the terminal', () => {
  it('is answered by picking an option', async () => {
    const { exitCode, state } = await ask(colour)
    await terminal.inForm('Which colour?', down, enter, enter)
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).toContain('All set.')
    expect(await terminal.view()).toMatch(/^\nAnswered:\n {2}Which colour\?\n {4}→ Blue\n\nAll set\./)
    expect(await state()).toMatchObject({
      record: { state: 'answered', responses: { colour: { selected: ['Blue'], source: 'human' } } },
      answerFile: { status: 'completed', answers: { 'Which colour?': 'Blue' } },
    })
  })

  it('is picked by the number of an option, and sent by Enter after a pause', async () => {
    const { exitCode, state } = await ask(colour)
    await terminal.inForm('Which colour?', '2')
    await terminal.at('❯ 2. ● Blue', enter)
    await terminal.at('Sends in 3 s: Blue · Undo (z or Esc)')
    expect((await state()).record).toMatchObject({ state: 'open' })
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({ record: { responses: { colour: { selected: ['Blue'] } } } })
  })

  it('marks what the agent recommends, and answers with the agent’s own label', async () => {
    const options = [{ label: 'Red', recommended: true }, { label: 'Blue (Recommended)' }, { label: 'Green' }]
    const { exitCode, state } = await ask({ ...colour, options })
    await terminal.inForm('3. ○ Green', down, enter)
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).toMatch(
      /1\. ○ Red \(recommended\)\s.*2\. ○ Blue \(recommended\)\s.*3\. ○ Green\s/s,
    )
    expect(await state()).toMatchObject({
      answerFile: { answers: { 'Which colour?': 'Blue (Recommended)' } },
    })
  })

  it('names the subagent that asks', async () => {
    const workdir = await tempDir()
    const sandbox = new LocalSandbox({ workdir })
    const channel = createTerminalChannel({
      channel: createFileRunnerChannel({ workdir }),
      sandbox,
      io: terminal.io,
      keyboard: terminal.keyboard,
    })
    const asker = { agent: 'code-\u202ereviewer' }
    const outcome = askUser(channel, { toolCallId: 'c', runId: 'r', questions: [colour], asker })
    await terminal.inForm('Which colour?', enter, enter)
    expect(terminal.screen()).toContain('A subagent asks: code-reviewer')
    expect(terminal.screen()).toContain('Subagent code-reviewer asks')
    expect(await outcome).toMatchObject({ kind: 'answered' })
  })

  it('takes a number alone where one is asked for', async () => {
    const { exitCode, state } = await ask({
      id: 'count',
      question: 'How many?',
      typed: { kind: 'number', min: 1, max: 10 },
    })
    await terminal.inForm('How many?', '11', enter)
    await terminal.at('Type a number, at least 1 and at most 10', '\u007f', enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({ record: { responses: { count: { freeText: '1' } } } })
  })

  it('changes a number by the arrow keys, within its limits, and says it with its unit', async () => {
    const { exitCode, state } = await ask({
      id: 'wait',
      question: 'How long?',
      typed: { kind: 'number', min: 0, max: 1, step: 0.25, unit: 's' },
    })
    const [up, down] = ['\u001b[A', '\u001b[B']
    await terminal.inForm('How long?', down, up, up, up)
    await terminal.at('0.75', enter)
    expect(terminal.screen()).toContain('↑/↓ change')
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).toContain('0.75 s')
    expect(await state()).toMatchObject({ record: { responses: { wait: { freeText: '0.75' } } } })
  })

  it('says how a date is written, and takes one within its limits', async () => {
    const { exitCode, state } = await ask({
      id: 'day',
      question: 'Which day?',
      typed: { kind: 'date', earliest: '2026-01-01' },
    })
    await terminal.inForm('a date such as 2026-01-31, not before 2026-01-01', '31.1.26', enter)
    await terminal.at('Type a date such as 2026-01-31', ...Array(7).fill('\u007f'), '2026-02-28', enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({ record: { responses: { day: { freeText: '2026-02-28' } } } })
  })

  it('can be read where the terminal does not know its size', async () => {
    terminal = createFakeTerminal({ columns: 0, rows: 0 })
    const options = [1, 2, 3, 4, 5].map((size) => ({ label: `Size ${size}` }))
    const { exitCode } = await ask({ id: 'size', question: 'Which size?', options })
    await terminal.inForm('Size 5', enter)
    await terminal.at('● Size 1', enter)
    expect(terminal.screen()).toContain('Which size?')
    expect(await exitCode).toBe(0)
  })

  it('is taken back before it leaves, and then left open by Ctrl-C', async () => {
    const { exitCode, state } = await ask(colour)
    await terminal.inForm('Which colour?', '2', enter)
    await terminal.at('Undo (z or Esc)', 'z')
    await terminal.at('Enter send', '1', enter)
    await terminal.at('Sends in 3 s: Red', ctrlC)
    expect(await exitCode).toBe(130)
    expect((await state()).record).toMatchObject({ state: 'aborted' })
  })

  it('is answered in one’s own words, after empty ones were refused', async () => {
    const { exitCode, state } = await ask(colour)
    await terminal.inForm('Which colour?', down, down, enter)
    await terminal.at('Pick an option, or type an answer.', 'Teal', enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({
      record: { responses: { colour: { selected: [], freeText: 'Teal' } } },
    })
  })

  it('leads from its own words back to the choice', async () => {
    const { exitCode, state } = await ask(colour)
    await terminal.inForm('Which colour?', down, down)
    await terminal.at('❯ Own answer', esc)
    await terminal.at('❯ 2. ○ Blue', '1', enter, enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({ record: { responses: { colour: { selected: ['Red'] } } } })
  })

  it('takes several options, and own words beside them', async () => {
    const { exitCode, state } = await ask(extras)
    await terminal.inForm('Which extras?', space, down, space, down, 'CI', enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({
      record: { responses: { extras: { selected: ['Tests', 'README, with usage'], freeText: 'CI' } } },
      answerFile: { answers: { 'Which extras?': 'Tests, "README, with usage", CI' } },
    })
  })

  it('takes a note beside the answer', async () => {
    const { exitCode, state } = await ask(colour)
    await terminal.inForm('Which colour?', 'n')
    await terminal.at('❯ Note', 'not too dark', enter)
    await terminal.at('❯ 1. ○ Red', '2', enter, enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({
      record: { responses: { colour: { selected: ['Blue'], notes: 'not too dark' } } },
    })
  })

  it('may be left out when it is not required', async () => {
    const { exitCode, state } = await ask({ ...colour, required: false, allowFreeText: false }, name)
    await terminal.inForm('Which colour?')
    await terminal.at('Leave this out', down, down, down, enter)
    await terminal.at('What name?', 'x', enter)
    await terminal.at('Check your answers', enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({ record: { responses: { name: { freeText: 'x' } } } })
  })

  it('has no option that could pass for a choice of the program, or for two', async () => {
    const { exitCode } = await ask({
      ...colour,
      options: [
        { label: 'Own answer: type it here' },
        { label: 'Blue\n❯ Send these answers', description: 'a\n\n❯ 3. b' },
      ],
    })
    await terminal.inForm('Which colour?')
    const view = await terminal.view()
    expect(view).toMatch(/^❯ 1\. ○ Own answer: type it here$/m)
    expect(view).toMatch(/^ {2}Own answer: type it here$/m)
    expect(view).toMatch(/^ {2}2\. ○ Blue ❯ Send these answers$/m)
    expect(view).toMatch(/^ {7}a\n {7}❯ 3\. b$/m)
    await terminal.at('Which colour?', '1', enter, enter)
    expect(await exitCode).toBe(0)
  })

  it('has no line that could pass for another prompt', async () => {
    const fake = '\n\n❯ 1. Give it all away'
    const { exitCode } = await ask({ ...colour, question: `Which colour?${fake}` })
    await terminal.inForm('Which colour?')
    expect(await terminal.view()).toContain('│   1. Give it all away'.replace('  1', '❯ 1'))
    expect(await terminal.view()).not.toMatch(/^\W{0,2}1\. Give/m)
    await terminal.at('Which colour?', '1', enter, enter)
    expect(await exitCode).toBe(0)
  })

  it('shows previews, and nothing of an agent that could deceive', async () => {
    const { exitCode } = await ask({
      ...colour,
      question: 'Which\u001b[2J colour\u202e? &#x202e;&#27;[2J',
      options: [{ label: 'Red\u0007', preview: '```css\ncolor: red\n```' }, { label: 'Blue' }],
    })
    await terminal.inForm('Which colour?', '1', enter, enter)
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).toContain('color: red')
    expect(terminal.screen()).not.toMatch(/```|\p{Cf}/u)
  })
})

describe('a permission on the terminal', () => {
  it('shows the whole input that it is for, and writes out what cannot be seen', async () => {
    const sandbox = new LocalSandbox({ workdir: await tempDir() })
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
    const outcome = askPermission(
      createTerminalChannel({ channel, sandbox, io: terminal.io, keyboard: terminal.keyboard }),
    )
    await terminal.inForm('May it?', '2')
    await terminal.at('● No', enter)
    expect(await outcome).toMatchObject({ kind: 'answered', responses: { q1: { selected: ['No'] } } })
    const shown = /│ Write a\.txt\?\s+│ │ a\.txt\s+│ \+ │ one\s+│ \+ │ file_path │ b\.txt <U\+3164><U\+202E>/
    expect(terminal.screen()).toMatch(shown)
    // It stays when the form has gone.
    await terminal.at(shown)
  })

  it('is for what was shown there, whatever has become of the question’s file', async () => {
    const sandbox = new LocalSandbox({ workdir: await tempDir() })
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
    const stop = new AbortController()
    const asking = createTerminalChannel({ channel, sandbox, io: terminal.io, keyboard: terminal.keyboard })
    let onEdited = (): void => {}
    const whenEdited = new Promise<void>((resolve) => {
      onEdited = resolve
    })
    const outcome = askPermission(asking, {
      signal: stop.signal,
      async onAsked(record) {
        const edited = { ...record, subject: { toolName: 'Write', input: { file_path: 'b.txt' } } }
        await sandbox.files.writeAtomic('.sandagent/questions/w.json', JSON.stringify(edited))
        onEdited()
      },
    })
    await whenEdited
    await terminal.inForm('May it?', down, enter)
    await vi.waitFor(() => expect(terminal.screen()).toContain('The answer was not taken'))
    expect(await sandbox.files.list('.sandagent/approvals')).toEqual([])
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'aborted' })
  })
})

describe('a question that was there before', () => {
  it('is asked anew on the terminal where it may not be taken up', async () => {
    const sandbox = new LocalSandbox({ workdir: await tempDir() })
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
    const leave = new AbortController()
    const earlier = askPermission(channel, { detachSignal: leave.signal, onAsked: () => leave.abort() })
    expect(await earlier).toMatchObject({ kind: 'aborted' })

    const asking = createTerminalChannel({ channel, sandbox, io: terminal.io, keyboard: terminal.keyboard })
    const offered: string[] = []
    const outcome = askPermission({
      ...asking,
      open: (record) =>
        asking.open(record, {
          async mayAdopt({ nonce }) {
            offered.push(nonce)
            return false
          },
        }),
    })
    await terminal.inForm('May it?', down, enter)
    expect(await outcome).toMatchObject({ kind: 'answered' })
    const record = await sandbox.files.read('.sandagent/questions/w.json')
    expect(offered).toHaveLength(1)
    expect(record).not.toContain(offered[0])
  })
})

const askPermission = (channel: RunnerChannel, options?: AskOptions) => {
  const questions = [
    { question: 'May it?', options: [{ label: 'Yes' }, { label: 'No' }], allowFreeText: false },
  ]
  const subject = {
    toolName: 'Write',
    input: { file_path: 'a.txt', content: 'one\nfile_path │ b.txt \u3164\u202e' },
  }
  return askUser(channel, { toolCallId: 'w', kind: 'approval', questions, subject, runId: 'r' }, options)
}

describe('keys pressed before a question appeared', () => {
  it('do not answer it', async () => {
    terminal.io.stdin.push(enter + enter)
    const { exitCode, state } = await ask(colour)
    await terminal.inForm('Which colour?', down, enter, enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({ record: { responses: { colour: { selected: ['Blue'] } } } })
  })
})

describe('several questions on the terminal', () => {
  it('save a draft after each, and are sent after a last look at what was entered', async () => {
    const { exitCode, state } = await ask(colour, extras, name)
    await terminal.inForm('Which colour?', '1')
    await terminal.at('Which extras?', space, enter)
    await terminal.at('What name?')
    await vi.waitFor(async () =>
      expect(await state()).toMatchObject({
        record: { state: 'open' },
        answerFile: {
          status: 'pending',
          responses: { colour: { selected: ['Red'] }, extras: { selected: ['Tests'] } },
        },
      }),
    )
    await terminal.at('What name?', 'it', enter)
    await terminal.at('Check your answers', '\u001b[A', '\u001b[A', '\u001b[A', enter)
    await terminal.at('❯ 1. ● Red', '2')
    await terminal.at('Which extras?', down, space, enter)
    await terminal.at('❯ Answer: it', 's', enter)
    await terminal.at(/Check your answers[\s\S]*Blue[\s\S]*Tests, README, with usage[\s\S]*“its”/, enter)
    expect(await exitCode).toBe(0)
    expect((await state()).record).toMatchObject({
      state: 'answered',
      responses: {
        colour: { selected: ['Blue'] },
        extras: { selected: ['Tests', 'README, with usage'] },
        name: { freeText: 'its' },
      },
    })
  })

  it('are sent without an optional one, and no warning', async () => {
    const { exitCode, state } = await ask(colour, name)
    await terminal.inForm('Which colour?', '1')
    await terminal.at('What name?', tab)
    await terminal.at('Check your answers')
    expect(await terminal.view()).toMatch(/ ✓ Which colour\?\n +Red\n +- What name\?\n +Left out\n/)
    expect(await terminal.view()).not.toMatch(/!|not answered/i)
    await terminal.at('❯ Send these answers', enter)
    expect(await exitCode).toBe(0)
    expect((await state()).record).toMatchObject({ responses: { colour: { selected: ['Red'] } } })
  })

  it('are sent without those that are not answered, after a warning', async () => {
    const { exitCode, state } = await ask(colour, extras, name)
    await terminal.inForm('Which colour?', tab, tab)
    await terminal.at('What name?', 'x', enter)
    await terminal.at(/2 questions are not answered[\s\S]*❯ ! Which colour/, down, down, down)
    await terminal.at('❯ Send without the others', enter)
    expect(await exitCode).toBe(0)
    expect((await state()).record).toMatchObject({
      responses: { colour: { skipped: true }, extras: { skipped: true }, name: { freeText: 'x' } },
    })
  })
})

describe('questions one after the other', () => {
  it('have a form each, and what the agent prints stands between them', async () => {
    const workdir = await tempDir()
    const scenario = await writeScenario(
      workdir,
      { ask: { questions: [colour] } },
      { say: 'Thanks.' },
      { ask: { questions: [extras] } },
      { say: 'All set.' },
    )
    const exitCode = terminal.run('run', '--scenario', scenario, '--workdir', workdir, '--run-id', 'r')
    await terminal.inForm('Which colour?', '2', enter, enter)
    await terminal.inForm('Which extras?', '1', enter, enter)
    expect(await exitCode).toBe(0)
    expect(await terminal.view()).toMatch(/→ Blue\n+Thanks\.\n+Answered:[\s\S]*→ Tests\n+All set\./)
  })
})

describe('backing out of a question on the terminal', () => {
  it('asks before it declines, and tells the agent why', async () => {
    const { exitCode, state } = await ask(colour)
    await terminal.inForm('Which colour?', esc)
    await terminal.at('Decline to answer?', enter)
    await terminal.at('Which colour?', esc)
    await terminal.at('Decline to answer?', down)
    await terminal.at('❯ Decline, because', 'too early', enter)
    expect(await exitCode).toBe(0)
    expect((await state()).record).toMatchObject({ state: 'declined', reason: 'too early' })
    expect(terminal.screen()).toContain('Declined. Reason: too early')
    expect(terminal.screen()).not.toContain('All set.')
  })

  it('stops the run with Ctrl-C, at once', async () => {
    const { exitCode, state } = await ask(colour)
    await terminal.at('Which colour?', ctrlC)
    expect(await exitCode).toBe(130)
    expect((await state()).record).toMatchObject({ state: 'aborted' })
    expect(terminal.screen()).toContain('Stopped.')
    expect(terminal.screen()).not.toContain('To come back to it')
  })
})

describe('a dialog beside the run that asks', () => {
  it('leaves the question open with Ctrl-C, keeps what was entered, and says how to come back', async () => {
    const sandbox = new LocalSandbox({ workdir: await tempDir() })
    let resolve = (_: QuestionRecord): void => {}
    const asked = new Promise<QuestionRecord>((done) => {
      resolve = done
    })
    const outcome = askUser(
      createFileRunnerChannel({ workdir: sandbox.workdir }),
      { toolCallId: 'a b', runId: 'r', questions: [colour, name] },
      { onAsked: async (record) => resolve(record) },
    )
    const hold = async (keys: FakeTerminal) =>
      holdDialog(await asked, {
        sandbox,
        io: keys.io,
        keyboard: keys.keyboard,
        dismissal: new AbortController().signal,
      })
    const first = hold(terminal)
    await terminal.inForm('Which colour?', '2')
    await terminal.at('What name?', 'it', ctrlC)
    await first
    expect(await terminal.view()).toContain(
      `The question stays open. To come back to it:\n  sandagent answer 'a b' --workdir ${sandbox.workdir}`,
    )
    const second = createFakeTerminal({ columns: 200 })
    const answered = hold(second)
    await second.inForm('● Blue', tab)
    await second.at('❯ Answer: it', enter)
    await second.at('Check your answers', enter)
    await answered
    expect(await outcome).toMatchObject({
      responses: { colour: { selected: ['Blue'] }, name: { freeText: 'it' } },
    })
  })
})

describe('a question that is answered elsewhere', () => {
  it('goes from the terminal, which says who answered what', async () => {
    const { exitCode, sandbox } = await ask(colour, name)
    await terminal.at('Which colour?')
    const answer = { toolCallId: 'r-1', answers: { 'Which colour?': 'Blue', 'What name?': 'it' } }
    await submitAnswer(sandbox, answer, { answeredBy: 'the page' })
    await terminal.at(
      /Answered elsewhere by the page\.\n {2}Which colour\?\n {4}→ Blue\n {2}What name\?\n {4}→ “it”/,
    )
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).toContain('All set.')
    expect(terminal.io.stdin.listenerCount('data')).toBe(0)
  })

  it('says elsewhere for another terminal of the same person too, and keeps what was typed here', async () => {
    const { sandbox, state, exitCode } = await ask(colour)
    await terminal.inForm('Which colour?', down, down)
    await terminal.at('❯ Own answer', 'Teal')
    await terminal.at('Own answer: Teal')
    const other = createFakeTerminal()
    const dismissal = new AbortController().signal
    const held = holdDialog((await state()).record as QuestionRecord, {
      sandbox,
      io: other.io,
      keyboard: other.keyboard,
      dismissal,
    })
    // By arrows: the two terminals share what is picked and not sent.
    await other.inForm('Which colour?', down, up, enter, enter)
    await held
    expect(other.screen()).toMatch(/Answered:\s+Which colour\?\s+→ Red/)
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).toMatch(
      /Answered elsewhere\.\s+Which colour\?\s+→ Red\s+You had entered:\s+Which colour\?\s+→ “Teal”/,
    )
  })

  it('is shown with what somebody else has entered, which can be taken over', async () => {
    const { exitCode, sandbox, state } = await ask(colour, name)
    await terminal.inForm('Which colour?')
    const responses = { colour: { selected: ['Blue'], source: 'human' as const } }
    await submitAnswer(sandbox, { toolCallId: 'r-1', responses, status: 'pending' }, { answeredBy: 'Ann' })
    await terminal.at('Ann has entered Blue')
    await terminal.at('Take over what Ann has entered', '\u001b[A', enter)
    await terminal.at('● Blue', tab)
    await terminal.at('What name?', 'x', enter)
    await terminal.at('Check your answers', enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({ record: { responses: { colour: { selected: ['Blue'] } } } })
  })

  it('waits for that when nobody is at a keyboard', async () => {
    terminal = createFakeTerminal({ isTTY: false })
    const workdir = await tempDir()
    const scenario = await writeScenario(workdir, { ask: { questions: [colour] } }, { say: 'All set.' })
    const exitCode = terminal.run(
      'run',
      '--format',
      'text',
      '--scenario',
      scenario,
      '--workdir',
      workdir,
      '--run-id',
      'r',
    )
    await terminal.at('Waiting for the answer')
    await vi.waitFor(() =>
      submitAnswer(new LocalSandbox({ workdir }), { toolCallId: 'r-1', answers: { 'Which colour?': 'Red' } }),
    )
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).toMatch(/\? Which colour\?\n {2}- Red[\s\S]*All set\./)
  })
})
