import { spawnSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { startInTerminal } from '../../../../test/support/terminal/pseudo-terminal.ts'
import { createHome } from '../command-process.ts'
import { createFakeTerminal } from '../fake-terminal.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

const completed = async (...words: string[]): Promise<string[]> => {
  const { run, screen } = createFakeTerminal({ isTTY: false })
  expect(await run('completion', 'words', '--', ...words)).toBe(0)
  return screen().split('\n').slice(0, -1)
}

describe('sandagent completion', () => {
  it.each([
    [['rel'], ['relay']],
    [
      ['runs', ''],
      ['list', 'logs', 'stop', 'prune'],
    ],
    [['runs', 'logs', '--f'], ['--follow']],
    [['completion', 'z'], ['zsh']],
    [['run', '--time'], ['--timeout-ms']],
    [
      ['run', '--agent', 'c'],
      ['claude', 'codex', 'command'],
    ],
    [
      ['run', '--agent', '=', 'c'],
      ['claude', 'codex', 'command'],
    ],
    [
      ['run', '--agent=c'],
      ['--agent=claude', '--agent=codex', '--agent=command'],
    ],
    [['run', '--scenario', ''], []],
    [['run', '--', '--a'], []],
    [['mcp', '--h'], ['--help']],
    [['--v'], ['--version']],
    [['fly', ''], []],
  ])('completes %j', async (words, expected) => {
    expect(await completed(...words)).toEqual(expected)
  })

  it('offers every command first', async () => {
    const words = await completed('')
    expect(words).toEqual(
      expect.arrayContaining(['run', 'mcp', 'relay', 'completion', '--help', '--version']),
    )
    expect(new Set(words).size).toBe(words.length)
  })
})

describe('the completion of sandagent answer', () => {
  it('offers the ids of the questions that wait, and the labels of their options', async () => {
    const home = await createHome()
    await home.asking('first')
    await home.asking('second', {
      ask: { questions: [{ question: 'What?', options: [{ label: 'Own words' }] }] },
    })
    const offered = async (...words: string[]) =>
      (await home.run('completion', 'words', '--', 'answer', ...words)).stdout.split('\n').slice(0, -1)
    expect((await offered('')).sort()).toEqual(['first-1', 'second-1'])
    expect(await offered('sec')).toEqual(['second-1'])
    expect(await offered('second-1', '--option', '')).toEqual(['Own words'])
    expect(await offered('first', '--option', 'R')).toEqual(['Red'])
    expect(await offered('first-1', '')).toEqual([])
    expect(await offered('--role', 'x', '--decline', '--json', '{}', '')).toEqual([])
  })
})

/** A folder in whose `bin` is the command by its name. */
async function withCommand(): Promise<{ folder: string; env: NodeJS.ProcessEnv }> {
  const folder = await tempDir()
  await mkdir(join(folder, 'bin'))
  await symlink(main, join(folder, 'bin/sandagent'))
  return { folder, env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder } }
}

const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined

describe.skipIf(!isInstalled('bash'))('the completion of bash', () => {
  it('completes a command, an option, its value and a file, as a person types them', async () => {
    const { folder, env } = await withCommand()
    await writeFile(join(folder, 'scenario.json'), '{}')
    const terminal = startInTerminal('bash', ['--norc', '--noprofile', '-i'], {
      cwd: folder,
      env: { ...env, PS1: 'ready> ' },
    })
    await terminal.at('ready>', 'eval "$(sandagent completion bash)"\r')
    await terminal.at('ready>', 'sandagent mc\t')
    await terminal.at('sandagent mcp ', '--wor\t')
    await terminal.at('--workdir ', '\u0015sandagent run --agent=cl\t')
    await terminal.at('--agent=claude ', '--scenario sce\t')
    await terminal.at('--scenario scenario.json')
  })

  it('takes a label with a star for no pattern', async () => {
    const { folder, env } = await withCommand()
    await writeFile(join(folder, 'Run it'), '')
    const script = `eval "$(sandagent completion bash)"
      sandagent() { printf '%s\\n' 'Run *' 'Wait'; }
      COMP_WORDS=(sandagent answer); COMP_CWORD=1; _sandagent
      printf '%s,' "\${COMPREPLY[@]}"`
    const { stdout } = spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' })
    expect(stdout).toBe('Run\\ \\*,Wait,')
  })
})
