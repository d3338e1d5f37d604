import { describe, expect, it } from 'vitest'
import { parseRunArgs } from '../../../src/commands/run/run-args.ts'

const parse = (...args: string[]) => parseRunArgs(['--scenario', 's.json', ...args], { isTerminal: false })

describe('parseRunArgs', () => {
  it('has sensible defaults', () => {
    expect(parse()).toEqual({
      agent: { name: 'scripted', scenario: 's.json' },
      workdir: '.',
      runId: undefined,
      timeoutMs: 'never',
      timeoutPolicy: 'partial',
      sweepAfterMs: undefined,
      format: 'stream',
      screenReader: undefined,
      continues: [],
      isolation: 'none',
      prompt: '',
    })
  })

  it('reads every option, and the prompt after --', () => {
    expect(
      parse(
        ...['--workdir', 'w', '--run-id', 'r', '--timeout-ms', '1000', '--on-timeout', 'decline'],
        ...['--format', 'text', '--screen-reader', '--', 'Create', 'a project'],
      ),
    ).toMatchObject({
      workdir: 'w',
      runId: 'r',
      timeoutMs: 1000,
      timeoutPolicy: 'decline',
      format: 'text',
      screenReader: true,
      prompt: 'Create a project',
    })
  })

  it('removes old questions after a time, or never', () => {
    expect(parse('--sweep-after-ms', '60000').sweepAfterMs).toBe(60_000)
    expect(parse('--sweep-after-ms', 'never').sweepAfterMs).toBe(false)
    expect(() => parse('--sweep-after-ms', 'soon')).toThrow('--sweep-after-ms takes milliseconds')
  })

  it('isolates on request, where no terminal is asked by the same process', () => {
    expect(parse('--isolation', 'strict').isolation).toBe('strict')
    expect(() => parse('--isolation', 'auto', '--format', 'text')).toThrow(
      '--isolation takes --format stream',
    )
    expect(() => parse('--isolation', 'much')).toThrow('--isolation takes none, auto, strict')
  })

  it('shows text in a terminal, and still the stream on request', () => {
    const args = ['--scenario', 's.json']
    expect(parseRunArgs(args, { isTerminal: true }).format).toBe('text')
    expect(parseRunArgs([...args, '--format', 'stream'], { isTerminal: true }).format).toBe('stream')
  })

  it('takes what stands after -- for the program of a command agent', () => {
    const args = ['--agent', 'command', '--prompt', 'Greet me', '--', 'sh', 'greet.sh', '--loud']
    expect(parseRunArgs(args, { isTerminal: false })).toMatchObject({
      agent: { name: 'command', command: 'sh', args: ['greet.sh', '--loud'] },
      prompt: 'Greet me',
    })
    expect(parse('--prompt', 'Greet me').prompt).toBe('Greet me')
  })

  it('reads what a Claude agent needs to know, and keeps a rule with a comma whole', () => {
    const args = [
      ...['--agent', 'claude', '--model', 'm', '--system-prompt', 'Be brief', '--resume', 's'],
      ...['--allowed-tools', 'Read, Bash(git log:*,git diff:*),Grep', '--defer-after-ms', '500'],
      ...['--unattended', '--', 'Go', 'on'],
    ]
    expect(parseRunArgs(args, { isTerminal: false })).toMatchObject({
      agent: {
        name: 'claude',
        options: {
          model: 'm',
          systemPrompt: 'Be brief',
          allowedTools: ['Read', 'Bash(git log:*,git diff:*)', 'Grep'],
          resume: 's',
          deferAfterMs: 500,
          unattended: true,
        },
      },
      prompt: 'Go on',
    })
  })

  it.each([
    [['node', 'agent.mjs'], { name: 'command', command: 'node', args: ['agent.mjs'] }],
    [
      ['--', 'node', '--watch', 'agent.mjs'],
      { name: 'command', command: 'node', args: ['--watch', 'agent.mjs'] },
    ],
    [['--scenario', 's.json'], { name: 'scripted', scenario: 's.json' }],
  ])('takes %j without --agent', (args, agent) => {
    expect(parseRunArgs(args, { isTerminal: false }).agent).toEqual(agent)
  })

  it.each([
    [[], 'What is to run?'],
    [['sh', '-c', 'echo'], 'There is no option -c. Options of the program stand behind --'],
    [['--run-id', '', 'sh'], '--run-id takes an id, not an empty text'],
    [['--agent', 'command'], 'What is to run?'],
    [['--agent', 'codex', '--unattended', '--', 'x'], '--unattended is for --agent claude, not codex'],
    [['--scenario', 's.json', '--model', 'm'], '--model is for --agent claude or codex, not scripted'],
    [['--resume', 's', '--', 'sh'], '--resume is for --agent claude or codex or eve or acp, not command'],
    [['--agent', 'claude', '--scenario', 's.json'], '--scenario is for --agent scripted, not claude'],
    [['--agent', 'command', '--unattended', '--', 'sh'], '--unattended is for --agent claude, not command'],
    [['--scenario', 's.json', '--prompt', 'this', '--', 'that'], 'The prompt is given twice'],
  ])('refuses %j', (args, message) => {
    expect(() => parseRunArgs(args, { isTerminal: false })).toThrow(message)
  })

  it.each(['soon', '-1', '1.5', '', '1e3', '99999999999999'])('refuses %j as a time-out', (text) => {
    expect(() => parse(`--timeout-ms=${text}`)).toThrow('--timeout-ms takes milliseconds')
  })
})
