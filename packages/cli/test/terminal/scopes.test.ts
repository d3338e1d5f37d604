import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { APPROVAL_OPTIONS } from '@sandagent/core/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { listGrants } from '@sandagent/grants'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakeTerminal, KEYS } from '../fake-terminal.ts'
import { askingApproval } from './asking-approval.ts'
import { createWaitingFolder } from './walk/waiting-folder.ts'

const { enter, esc, ctrlC } = KEYS
const { allowOnce, deny } = APPROVAL_OPTIONS
const NODE = 'Every command that starts with `node`, until this run ends'

let config: string
beforeEach(async () => {
  config = await tempDir()
})
const covered = async (): Promise<string[]> =>
  (await listGrants(join(config, 'sandagent', 'grants'))).map(({ covers }) => covers)

describe('what a person can allow beyond a call, in a terminal', () => {
  const asking = (command: string, rows?: number) =>
    askingApproval(
      { toolName: 'Bash', input: { command } },
      { env: { XDG_CONFIG_HOME: config }, scope: 'Bash(*)', ...(rows !== undefined && { rows }) },
    )

  it('is listed with the narrowest first, and each line says what it allows', async () => {
    const { seeing, view, decided, screen } = await asking('node build.js')
    await seeing(/1\. ○ Allow once[\s\S]*2\. ○ Deny[\s\S]*m allow more[\s\S]*Ctrl-C/, 'm')
    await seeing(/1\. ○ Exactly the command `node build\.js`, until this run ends\.?\n/)
    const lines = (await view()).split('\n').filter((line) => /^ +\d\. ○/.test(line))
    expect(lines.map((line) => line.replace(/^ +\d\. ○ /, '').replace(/`.*/, '…'))).toEqual([
      'Exactly the command …',
      'Every command that starts with …',
      'Every command that starts with …',
      'Every command that starts with …',
      'Exactly the command …',
      'Every command that starts with …',
    ])
    const place = lines.findIndex((line) => line.includes(NODE)) + 1
    await seeing('Esc back', `${place}`)
    await seeing(new RegExp(`❯ ${place}\\. ● ${NODE}[\\s\\S]*Enter allow`), enter)
    expect(await decided()).toEqual({ decision: allowOnce.value })
    await vi.waitFor(() => expect(screen()).toContain(`Also allowed: ${NODE}`))
    expect(await covered()).toContainEqual(expect.stringContaining('Every command that starts with `node`'))
  })

  it('permits nothing by one key, by keys typed ahead, or by going back', async () => {
    const { seeing, decided } = await asking('node build.js')
    await seeing(/m allow more[\s\S]*Ctrl-C/, 'm', enter, 'x')
    await seeing('A number picks', '9')
    await seeing('There is no option 9', '2')
    await seeing('Enter allow', esc)
    await seeing(/2\. ○ Deny/, '2')
    await seeing('● Deny', enter)
    expect(await decided()).toEqual({ decision: deny.value })
    expect(await covered()).toEqual([])
  })

  it('is offered once all of the call was shown, and where all of it can be read', async () => {
    const { seeing, resize, decided } = await asking(`node a.js ${'b '.repeat(1500)}`)
    await seeing(/Nothing can be allowed[\s\S]*Ctrl-C/, 'm')
    await seeing('There is more to read before you decide', '2')
    await seeing('● Deny')
    resize(80, 90)
    await seeing(/Tool: │ Bash[\s\S]*1\. ○ Allow once[\s\S]*Ctrl-C/, 'm')
    await seeing(/1\. ○ This exact call/)
    resize(30, 7)
    await seeing(/1\. ○ This exact/, '2', enter)
    await seeing(/more to read|larger/)
    resize(80, 30)
    await seeing('Esc back', esc)
    await seeing(/2\. ○ Deny|● Deny/, '2')
    await seeing('● Deny', enter)
    expect(await decided()).toEqual({ decision: deny.value })
    expect(await covered()).toEqual([])
  })
})

describe('what a person can allow beyond a call, in plain lines', () => {
  it('is listed by /more, and allowed by its number', async () => {
    const { seeing, decided } = await askingApproval(
      { toolName: 'Bash', input: { command: 'node build.js' } },
      { env: { XDG_CONFIG_HOME: config }, options: ['--screen-reader'], rows: 40, scope: 'Bash(*)' },
    )
    await seeing(
      /1\. Allow once\n[\s\S]*2\. Deny\n[\s\S]*\/more lists what you can allow[\s\S]*\n> *$/,
      `/allow 1${enter}`,
    )
    await seeing(/\/allow NUMBER a line of \/more\.\n> *$/, `/more${enter}`)
    await seeing(
      /4\. Every command that starts with `node`, until[\s\S]*NUMBER allows that[^\n]*\n> *$/,
      `/allow 9${enter}`,
    )
    await seeing(/allow 9\n\/allow sends what[^\n]*\n> *$/, `/allow 4${enter}`)
    expect(await decided()).toEqual({ decision: allowOnce.value })
    await seeing(/Also allowed: Every command that starts with `node`/)
    expect(await covered()).toContainEqual(expect.stringContaining('Every command that starts with `node`'))
  })
})

describe('a run in a terminal', () => {
  it('allows what is like a call, and the next one of its kind without a form', async () => {
    vi.stubEnv('XDG_CONFIG_HOME', config)
    const terminal = createFakeTerminal({ rows: 40 })
    const workdir = await tempDir()
    const asks = ['node one.js', 'node two.js', 'ls'].map((command) => {
      const subject = { toolName: 'Bash', input: { command } }
      return `echo '${JSON.stringify({ type: 'ask', subject })}'; read -r answer; echo "read $answer"`
    })
    const exitCode = terminal.run('run', '--workdir', workdir, '--', 'sh', '-c', asks.join('; '))
    await terminal.at(/node one\.js[\s\S]*m allow more[\s\S]*Ctrl-C/, 'm')
    await terminal.at(new RegExp(`4\\. ○ ${NODE}`), '4')
    await terminal.at(new RegExp(`4\\. ● ${NODE}`), enter)
    await terminal.at(/node two\.js[\s\S]*Allowed before: Every command that starts with `node`/)
    await terminal.at(/│ ls[\s\S]*2\. ○ Deny[\s\S]*Ctrl-C/, '2')
    await terminal.at('● Deny', enter)
    expect(await exitCode).toBe(0)
    expect(terminal.errors()).toBe('')
    expect(terminal.screen().match(/m allow more/g)?.length).toBeGreaterThan(0)
    expect(await covered()).toContainEqual(expect.stringContaining('Every command that starts with `node`'))
  })
})

describe('a walk', () => {
  it('allows what is like a call, takes that back by z, and answers what it covers from then on', async () => {
    vi.stubEnv('XDG_CONFIG_HOME', config)
    const terminal = createFakeTerminal({ rows: 40 })
    const workdir = join(await tempDir(), 'blog')
    await mkdir(workdir)
    const blog = await createWaitingFolder(workdir)
    await blog.askPermission('one', 'node one.js')
    await blog.askPermission('other', 'ls')
    const exitCode = terminal.run('answer', '--workdir', blog.sandbox.workdir)
    const allow = async (): Promise<void> => {
      await terminal.at(/node one\.js[\s\S]*m allow more[\s\S]*Ctrl-C/, 'm')
      await terminal.at(/3\. ○ Every command that starts with `node`, for 10/, '4')
      await terminal.at(new RegExp(`4\\. ● ${NODE}`), enter)
    }
    await allow()
    await terminal.at(/Sends in \d s: blog: Allow once: also allowed: Every/, 'z')
    await allow()
    await terminal.at(/Sends in \d s: blog: Allow once: also allowed: Every[\s\S]*│ ls[\s\S]*Ctrl-C/)
    await vi.waitFor(() => expect(blog.outcomes().one).toBe('answered allow-once'), 20_000)
    await blog.askPermission('two', 'node two.js')
    await vi.waitFor(() => expect(blog.outcomes().two).toBe('answered allow-once'), 20_000)
    await blog.askPermission('three', 'rm three.js')
    await terminal.at(/1 of 2[\s\S]*│ ls[\s\S]*Ctrl-C/, ctrlC)
    expect(await exitCode).toBe(130)
    expect(blog.outcomes()).toMatchObject({ other: 'open', three: 'open' })
    expect(terminal.screen()).toContain('Sent to')
  })
})
