import type { RunnerChannel } from '@sandagent/core'
import { createFileHostChannel, createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type AskOptions, askUser } from '@sandagent/runner'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createTerminalChannel } from '../../src/terminal/terminal-channel.ts'
import { createFakeTerminal, type FakeTerminal, KEYS } from '../fake-terminal.ts'
import { writeScenario } from '../write-scenario.ts'

const { enter, down, esc, space, ctrlC } = KEYS
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
    await terminal.at('Which colour?', down, enter)
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).toContain('All set.')
    expect(await state()).toMatchObject({
      record: { state: 'answered', responses: { colour: { selected: ['Blue'], source: 'human' } } },
      answerFile: { status: 'completed', answers: { 'Which colour?': 'Blue' } },
    })
  })

  it('marks what the agent recommends, and answers with the agent’s own label', async () => {
    const options = [{ label: 'Red', recommended: true }, { label: 'Blue (Recommended)' }, { label: 'Green' }]
    const { exitCode, state } = await ask({ ...colour, options })
    await terminal.at('Which colour?', down, enter)
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).toMatch(/1\. Red \(recommended\)\s.*2\. Blue \(recommended\)\s.*3\. Green\s/s)
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
    })
    const asker = { agent: 'code-\u202ereviewer' }
    const outcome = askUser(channel, { toolCallId: 'c', runId: 'r', questions: [colour], asker })
    await terminal.at('Which colour?', enter)
    expect(terminal.screen()).toContain('A subagent asks')
    expect(terminal.screen()).toContain('code-reviewer')
    expect(await outcome).toMatchObject({ kind: 'answered' })
  })

  it('takes a number alone where one is asked for', async () => {
    const { exitCode, state } = await ask({ id: 'count', question: 'How many?', number: { min: 1, max: 10 } })
    await terminal.at('How many?', '11', enter)
    await terminal.at('Type a number, at least 1 and at most 10', '\u007f', enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({ record: { responses: { count: { freeText: '1' } } } })
  })

  it('can be read where the terminal does not know its size', async () => {
    terminal = createFakeTerminal({ columns: 0, rows: 0 })
    const options = [1, 2, 3, 4, 5].map((size) => ({ label: `Size ${size}` }))
    const { exitCode } = await ask({ id: 'size', question: 'Which size?', options })
    await terminal.at('Size 5', enter)
    expect(terminal.screen()).toContain('Which size?')
    expect(await exitCode).toBe(0)
  })

  it('is answered in one’s own words, after empty ones were refused', async () => {
    const { exitCode, state } = await ask(colour)
    await terminal.at('Which colour?', down, down, enter)
    await terminal.at('Your own answer', enter)
    await terminal.at('Type an answer', 'Teal', enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({
      record: { responses: { colour: { selected: [], freeText: 'Teal' } } },
    })
  })

  it('leads from its own words back to the choice', async () => {
    const { exitCode, state } = await ask(colour)
    await terminal.at('Which colour?', down, down, enter)
    await terminal.at('Your own answer', esc)
    await terminal.at('Which colour?', enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({ record: { responses: { colour: { selected: ['Red'] } } } })
  })

  it('takes several options, and own words beside them', async () => {
    const { exitCode, state } = await ask(extras)
    await terminal.at('Which extras?', space, down, space, down, space, enter)
    await terminal.at('Your own answer', 'CI', enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({
      record: { responses: { extras: { selected: ['Tests', 'README, with usage'], freeText: 'CI' } } },
      answerFile: { answers: { 'Which extras?': 'Tests, "README, with usage", "CI"' } },
    })
  })

  it('may be left out when it is not required', async () => {
    const { exitCode, state } = await ask({ ...colour, required: false, allowFreeText: false }, name)
    await terminal.at('Which colour?', down, down, enter)
    await terminal.at('What name?', 'x', enter)
    await terminal.at('Send these answers?', enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({ record: { responses: { name: { freeText: 'x' } } } })
  })

  it('has no option that could pass for a choice of the program, or for two', async () => {
    const { exitCode } = await ask({
      ...colour,
      options: [
        { label: 'Type your own answer' },
        { label: 'Blue\n○ Decline to answer', description: 'a\n○ b' },
      ],
    })
    await terminal.at('Which colour?', down, enter)
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).toMatch(/[●○] 1\. Type your own answer/)
    expect(terminal.screen()).toMatch(/[●○] Type your own answer/)
    expect(terminal.screen()).toMatch(/[●○] 2\. Blue ○ Decline to answer \(a ○ b\)/)
    expect(terminal.screen()).not.toMatch(/^\W*(Decline|b)/m)
  })

  it('has no line that could pass for another prompt', async () => {
    const fake = '\n◆  Give it all away?'
    const { exitCode } = await ask(
      { ...colour, question: `Which colour?${fake}` },
      { ...extras, question: `Which extras?${fake}` },
      { ...name, question: `What name?${fake}` },
    )
    await terminal.at('Which colour?', enter)
    await terminal.at('Which extras?', space, enter)
    await terminal.at('What name?', 'x', enter)
    await terminal.at('Send these answers?', enter)
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).toMatch(/^◆ {2}Send these answers\?/m)
    expect(terminal.screen()).toContain('Give it all away?')
    expect(terminal.screen()).not.toMatch(/^\W? {2}Give it all away\?/m)
  })

  it('shows previews, and nothing of an agent that could deceive', async () => {
    const { exitCode } = await ask({
      ...colour,
      question: 'Which\u001b[2J colour\u202e?',
      options: [{ label: 'Red\u0007', preview: '```css\ncolor: red\n```' }, { label: 'Blue' }],
    })
    await terminal.at('Which colour?', enter)
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).toContain('color: red')
    expect(terminal.screen()).not.toMatch(/```|\p{Cf}/u)
  })
})

describe('a permission on the terminal', () => {
  it('shows the whole input that it is for, and writes out what cannot be seen', async () => {
    const sandbox = new LocalSandbox({ workdir: await tempDir() })
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
    const outcome = askPermission(createTerminalChannel({ channel, sandbox, io: terminal.io }))
    await terminal.at('May it?', down, enter)
    expect(await outcome).toMatchObject({ kind: 'answered', responses: { q1: { selected: ['No'] } } })
    expect(terminal.screen()).toContain('Write')
    expect(terminal.screen()).toContain('"file_path": "a.txt"')
    expect(terminal.screen()).toContain('"content": "one\\n\\"file_path\\": \\"b.txt\\" <U+3164><U+202E>"')
  })

  it('is for what was shown there, whatever has become of the question’s file', async () => {
    const sandbox = new LocalSandbox({ workdir: await tempDir() })
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
    const stop = new AbortController()
    const asking = createTerminalChannel({ channel, sandbox, io: terminal.io })
    const outcome = askPermission(asking, {
      signal: stop.signal,
      async onAsked(record) {
        const edited = { ...record, subject: { toolName: 'Write', input: { file_path: 'b.txt' } } }
        await sandbox.files.writeAtomic('.sandagent/questions/w.json', JSON.stringify(edited))
      },
    })
    await terminal.at('May it?', enter)
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

    const asking = createTerminalChannel({ channel, sandbox, io: terminal.io })
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
    await terminal.at('May it?', down, enter)
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
    input: { file_path: 'a.txt', content: 'one\n"file_path": "b.txt" \u3164\u202e' },
  }
  return askUser(channel, { toolCallId: 'w', kind: 'approval', questions, subject, runId: 'r' }, options)
}

describe('keys pressed before a question appeared', () => {
  it('do not answer it', async () => {
    terminal.io.stdin.push(enter + enter)
    const { exitCode, state } = await ask(colour)
    await terminal.at('Which colour?', down, enter)
    expect(await exitCode).toBe(0)
    expect(await state()).toMatchObject({ record: { responses: { colour: { selected: ['Blue'] } } } })
  })
})

describe('several questions on the terminal', () => {
  it('save a draft after each, and are sent after a last look at what was entered', async () => {
    const { exitCode, state } = await ask(colour, extras, name)
    await terminal.at('1/3  Which colour?', enter)
    await terminal.at('2/3  Which extras?', space, enter)
    await terminal.at('3/3  What name?')
    expect(await state()).toMatchObject({
      record: { state: 'open' },
      answerFile: {
        status: 'pending',
        responses: { colour: { selected: ['Red'] }, extras: { selected: ['Tests'] } },
      },
    })
    await terminal.at('', 'it', enter)
    await terminal.at('Send these answers?', down, enter)
    await terminal.at('1/3  Which colour?', down, enter)
    await terminal.at('2/3  Which extras?', down, space, enter)
    await terminal.at('3/3  What name?', 's', enter)
    await terminal.at('Send these answers?', enter)
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
})

describe('backing out of a question on the terminal', () => {
  it('asks before it declines, and tells the agent why', async () => {
    const { exitCode, state } = await ask(colour)
    await terminal.at('Which colour?', esc)
    await terminal.at('Leave without an answer?', enter)
    await terminal.at('Which colour?', esc)
    await terminal.at('Leave without an answer?', down, enter)
    await terminal.at('Why?', 'too early', enter)
    expect(await exitCode).toBe(0)
    expect((await state()).record).toMatchObject({ state: 'declined', reason: 'too early' })
    expect(terminal.screen()).not.toContain('All set.')
  })

  it('stops the run with Ctrl-C, at once', async () => {
    const { exitCode, state } = await ask(colour)
    await terminal.at('Which colour?', ctrlC)
    expect(await exitCode).toBe(130)
    expect((await state()).record).toMatchObject({ state: 'aborted' })
    expect(terminal.screen()).toContain('Stopped.')
    expect(terminal.screen()).not.toContain('Leave without an answer?')
  })
})

describe('a question that is answered elsewhere', () => {
  it('goes from the terminal', async () => {
    const { exitCode, sandbox } = await ask(colour, name)
    await terminal.at('Which colour?')
    const answer = { toolCallId: 'r-1', answers: { 'Which colour?': 'Blue', 'What name?': 'it' } }
    await submitAnswer(sandbox, answer, { answeredBy: 'the page' })
    await terminal.at('Answered elsewhere by the page.')
    expect(await exitCode).toBe(0)
    expect(terminal.screen()).toContain('All set.')
    expect(terminal.io.stdin.listenerCount('keypress')).toBe(0)
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
