import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { nodeFault } from '../src/cli.ts'
import { createFakeTerminal } from './fake-terminal.ts'
import { writeScenario } from './write-scenario.ts'

const terminal = () => createFakeTerminal({ isTTY: false })

describe('sandagent', () => {
  it.each([[['--help']], [['-h']], [['help']]])('tells its commands for %j', async (args) => {
    const { run, screen } = terminal()
    expect(await run(...args)).toBe(0)
    expect(screen()).toContain('Usage: sandagent COMMAND')
  })

  it.each([[['run', '--help']], [['help', 'run']]])('tells the options of a command for %j', async (args) => {
    const { run, screen } = terminal()
    expect(await run(...args)).toBe(0)
    expect(screen()).toContain('--timeout-ms')
  })

  it('tells the commands of a group', async () => {
    const { run, screen } = terminal()
    expect(await run('runs', '--help')).toBe(0)
    expect(screen().match(/^ {2}\w+ \w+/gm)).toEqual([
      '  runs list',
      '  runs logs',
      '  runs stop',
      '  runs prune',
    ])
  })

  it.each([
    ...['run', 'mcp', 'relay', 'completion', 'questions', 'answer', 'init'],
    ...['runs list', 'runs logs', 'runs stop', 'runs prune'],
  ])('gives an example in the help of %s', async (command) => {
    const { run, screen } = terminal()
    expect(await run(...command.split(' '), '--help')).toBe(0)
    expect(screen()).toMatch(new RegExp(`^Usage: sandagent ${command}`))
    expect(screen()).toMatch(new RegExp(`\n\nExamples:\n  sandagent ${command}.*\n      `))
    for (const line of screen().split('\n')) expect(line.length).toBeLessThanOrEqual(110)
  })

  it('shows what there is when no command is given', async () => {
    const { run, errors } = terminal()
    expect(await run()).toBe(2)
    expect(errors()).toContain('Commands:')
  })

  it('tells its version', async () => {
    const { run, screen } = terminal()
    expect(await run('--version')).toBe(0)
    expect(screen()).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('leaves the prompt to the agent, whatever is in it', async () => {
    const directory = await tempDir()
    const { run, screen } = terminal()
    const scenario = await writeScenario(directory, { say: '{{prompt}}' })
    expect(await run('run', '--scenario', scenario, '--workdir', directory, '--', 'Explain', '--help')).toBe(
      0,
    )
    expect(screen()).toContain('--help')
  })

  it.each([
    [['fly'], 'There is no command fly'],
    [['help', 'fly'], 'There is no command fly'],
    [['toString'], 'There is no command toString'],
    [['run'], 'What is to run?'],
    [['run', '--speed', '3'], 'There is no option --speed\n'],
    [['run', '--scenaro', 'x'], 'There is no option --scenaro. Did you mean --scenario?'],
    [['run', '--timeout', '3'], 'There is no option --timeout. Did you mean --timeout-ms?'],
    [['mcp', '--wrokdir', '.'], 'There is no option --wrokdir. Did you mean --workdir?'],
    [
      ['run', '--agent', 'cluade'],
      '--agent takes scripted, claude, codex, command, acp, ag-ui, eve, not cluade. Did you mean claude?',
    ],
    [['rnu'], 'There is no command rnu. Did you mean run?'],
    [['run', '--scenario', 'x', '--on-timeout', 'panic'], '--on-timeout takes partial, defaults, decline'],
    [['mcp', '--via', 'channel'], '--via channel needs --workdir DIR'],
    [['mcp', '--workdir', '.', '--via', 'mail'], '--via takes channel, client, auto'],
    [['mcp', '--workdir', '.', '--on-timeout', 'panic'], '--on-timeout takes partial, defaults, decline'],
    [['mcp', 'now'], "Unexpected argument 'now'"],
    [['completion', 'bsh'], 'completion takes bash, zsh, fish, not bsh. Did you mean bash?'],
    [['completion'], 'Which shell: bash, zsh, fish?'],
  ])('ends with 2 for wrong usage: %j', async (args, message) => {
    const { run, errors, screen } = terminal()
    expect(await run(...args)).toBe(2)
    expect(errors()).toContain(message)
    expect(screen()).toBe('')
    const command = ['run', 'mcp', 'completion'].find((name) => name === args[0])
    const help = command === undefined ? 'sandagent --help' : `sandagent ${command} --help`
    expect(errors()).toContain(`\n${help} tells how it is used.\n`)
  })

  it('ends with 1 for a scenario that is not there or not right, and says what is wrong', async () => {
    const directory = await tempDir()
    const missing = terminal()
    expect(await missing.run('run', '--scenario', join(directory, 'none.json'))).toBe(1)
    expect(missing.errors()).toMatch(/There is no file .*none\.json/)

    await writeScenario(directory, { say: 'Hello' })
    const other = terminal()
    expect(await other.run('run', '--scenario', join(directory, 'none.json'))).toBe(1)
    expect(other.errors()).toContain(`. In ${directory} there are: scenario.json\n`)

    const folder = terminal()
    expect(await folder.run('run', '--scenario', directory)).toBe(1)
    expect(folder.errors()).toBe(`sandagent: ${directory} is a folder, not a scenario\n`)

    const wrong = terminal()
    const scenario = await writeScenario(directory, { sya: 'Hello' })
    expect(await wrong.run('run', '--scenario', scenario)).toBe(1)
    expect(wrong.errors()).toContain('steps.0: expected an object with one of the keys say')
  })

  it('ends with 1 for a workdir that is a file, and says so', async () => {
    const directory = await tempDir()
    const scenario = await writeScenario(directory, { say: 'Hello' })
    const { run, errors } = terminal()
    expect(await run('run', '--scenario', scenario, '--workdir', scenario)).toBe(1)
    expect(errors()).toBe(`sandagent: The folder ${scenario} cannot be used: it is no folder\n`)
  })
})

describe('Node', () => {
  it.each(['18.20.8', '20.18.3'])('%s is refused, and the newer one is named', (node) => {
    expect(nodeFault(node)).toBe(`This is Node ${node}. Install Node 20.19 or newer`)
  })

  it.each(['20.19.0', '22.1.0'])('%s is taken', (node) => {
    expect(nodeFault(node)).toBeNull()
  })
})
