import { fileURLToPath } from 'node:url'
import { createFileHostChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { startInTerminal } from '../../../../../test/support/terminal/pseudo-terminal.ts'
import { writeScenario } from '../../write-scenario.ts'

const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))
const [PUSHED, POPPED] = ['\u001b[>5u', '\u001b[<u']

async function asking() {
  const workdir = await tempDir()
  const questions = [{ id: 'q', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }]
  const scenario = await writeScenario(workdir, { ask: { questions } }, { say: 'All set.' })
  const host = createFileHostChannel({ files: new LocalSandbox({ workdir }).files })
  return {
    args: [main, 'run', '--scenario', scenario, '--workdir', workdir, '--run-id', 'r'],
    record: async () => (await host.read('r-1')).record,
  }
}

/** Whether the terminal sends keys as every program expects them. */
const isRestored = (output: string): boolean =>
  output.split(PUSHED).length === output.split(POPPED).length &&
  output.lastIndexOf('\u001b[?2004l') > output.lastIndexOf('\u001b[?2004h')

describe('the keys of the kitty keyboard protocol', () => {
  it('answer, and are gone when the form is', async () => {
    const { args, record } = await asking()
    const terminal = startInTerminal(process.execPath, args)
    await terminal.seeing('Ctrl-C', '\u001b[27u')
    await terminal.seeing('Decline to answer?', '\u001b[27u')
    await terminal.seeing('2. ○ B')
    expect(isRestored(terminal.output())).toBe(false)
    terminal.press('\u001b[57401u', '\u001b[13u')
    expect(await terminal.ended).toBe(0)
    expect(await record()).toMatchObject({ responses: { q: { selected: ['B'] } } })
    expect(isRestored(terminal.output())).toBe(true)
  })

  it('stop the agent with Ctrl-C', async () => {
    const { args, record } = await asking()
    const terminal = startInTerminal(process.execPath, args)
    await terminal.seeing('Ctrl-C', '\u001b[99;5u')
    expect(await terminal.ended).toBe(130)
    expect(await record()).toMatchObject({ state: 'aborted' })
    expect(isRestored(terminal.output())).toBe(true)
  })

  it('are gone after a crash', async () => {
    const { args } = await asking()
    const crash = "process.on('SIGUSR2', () => { throw new Error('a crash') })"
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(crash)}`
    const terminal = startInTerminal(process.execPath, args, { env: { NODE_OPTIONS } })
    await terminal.seeing('Ctrl-C')
    process.kill(terminal.pid, 'SIGUSR2')
    expect(await terminal.ended).not.toBe(0)
    expect(terminal.screen()).toContain('a crash')
    expect(isRestored(terminal.output())).toBe(true)
  })

  it('do not reach the shell that comes next, where a person types on', async () => {
    const { args, record } = await asking()
    const terminal = startInTerminal('/bin/bash', ['--norc', '--noprofile', '-i'], {
      env: { PS1: 'shell> ', INPUTRC: '/dev/null' },
    })
    await terminal.seeing('shell>', `bind 'set enable-bracketed-paste off'\r`)
    terminal.press(`${[process.execPath, ...args].join(' ')}\r`)
    await terminal.seeing(/○ B[\s\S]*Ctrl-C/, '2')
    await terminal.seeing('● B', '\r', '\r', 'typed', '\r', 'on', '\r')
    await expect.poll(record).toMatchObject({ responses: { q: { selected: ['B'] } } })
    await terminal.seeing(/All set\.[\s\S]*shell>/, 'echo then $?\r')
    await terminal.seeing('then 0')
    expect(terminal.screen()).not.toMatch(/command not found|typed/)
  })

  it('are gone while Ctrl-Z has stopped the command, as its form is, and come back with it', async () => {
    const { args, record } = await asking()
    const terminal = startInTerminal('/bin/bash', ['--norc', '--noprofile', '-i'], {
      env: { PS1: 'shell> ', INPUTRC: '/dev/null' },
    })
    await terminal.seeing('shell>', `bind 'set enable-bracketed-paste off'\r`)
    terminal.press(`${[process.execPath, ...args].join(' ')}\r`)
    await terminal.seeing(/○ B[\s\S]*Ctrl-C/)
    terminal.press('\u001a')
    await terminal.seeing(/Stopped/)
    expect(isRestored(terminal.output())).toBe(true)
    // The form is not where the shell writes, and comes again.
    expect(await terminal.view()).not.toContain('○ B')
    terminal.press('fg\r')
    await terminal.seeing(/fg[\s\S]*○ B[\s\S]*Ctrl-C/)
    expect((await terminal.view()).split('○ B')).toHaveLength(2)
    terminal.press('2')
    await terminal.seeing('● B', '\r')
    await expect.poll(record).toMatchObject({ responses: { q: { selected: ['B'] } } })
    await terminal.seeing(/All set\.[\s\S]*shell>/)
    expect(isRestored(terminal.output())).toBe(true)
  })

  it('go on after Ctrl-Z where no shell could let the command go on', async () => {
    const { args, record } = await asking()
    const terminal = startInTerminal(process.execPath, args)
    await terminal.seeing(/○ B[\s\S]*Ctrl-C/, '\u001a', '2')
    await terminal.seeing('● B', '\r')
    expect(await terminal.ended).toBe(0)
    expect(await record()).toMatchObject({ responses: { q: { selected: ['B'] } } })
  })
})
