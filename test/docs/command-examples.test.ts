import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { declineQuestion, LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { findCommand } from '../../scripts/find-command.mjs'
import { root } from '../../scripts/run.mjs'

const greetInShell = join(root, 'examples/greet.sh')
const greetInPython = join(root, 'examples/greet.py')
const toolCallId = 'run-1'

/** Runs a program as an agent, by the command line, until it has asked. */
async function start(...program: string[]) {
  const folder = await tempDir()
  const sandbox = new LocalSandbox({ workdir: folder })
  const main = join(root, 'packages/cli/dist/main.js')
  const options = ['--agent', 'command', '--workdir', folder, '--run-id', 'run', '--prompt', 'Greet me']
  const child = spawn(process.execPath, [main, 'run', ...options, '--', ...program])
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[exitCode], stdout, stderr]) => ({ exitCode, stdout, stderr, said: saidIn(stdout) }),
  )
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId }]))
  return { sandbox, ended }
}

/** The text of a UI stream. */
const saidIn = (stream: string): string =>
  stream
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)).delta ?? '')
    .join('')

describe('examples/greet.sh', () => {
  it.each([
    ['English', 'Hello!\n'],
    ['Français', 'Bonjour !\n'],
  ])('greets in %s', async (language, greeting) => {
    const { sandbox, ended } = await start('sh', greetInShell)
    await submitAnswer(sandbox, { toolCallId, answers: { 'In which language?': language } })
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '' })
    expect((await ended).said).toContain('It is in `greeting.txt`.')
    expect(await readFile(join(sandbox.workdir, 'greeting.txt'), 'utf8')).toBe(greeting)
  })

  it('leaves it when the user declines', async () => {
    const { sandbox, ended } = await start('sh', greetInShell)
    await declineQuestion(sandbox, { toolCallId })
    expect(await ended).toMatchObject({ exitCode: 0 })
    expect((await ended).said).toContain('Then I leave it.')
  })

  it('ends when the program fails, with its exit code in the stream', async () => {
    const { sandbox, ended } = await start('sh', '-c', `sh ${greetInShell}; exit 3`)
    await declineQuestion(sandbox, { toolCallId })
    expect(await ended).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/"type":"error","errorText":"Command failed with exit code 3/),
      stderr: expect.stringMatching(/^sandagent: Command failed with exit code 3/),
    })
  })
})

describe.skipIf(!findCommand('python3'))('examples/greet.py', () => {
  it('greets by name', async () => {
    const { sandbox, ended } = await start('python3', greetInPython)
    await submitAnswer(sandbox, { toolCallId, answers: { 'What shall I call you?': 'Zoë "Z"' } })
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '' })
    expect((await ended).said).toBe('You said “Greet me”, so: hello, Zoë "Z"!\n')
  })

  it('greets a stranger when the user declines', async () => {
    const { sandbox, ended } = await start('python3', greetInPython)
    await declineQuestion(sandbox, { toolCallId })
    expect((await ended).said).toContain('hello, stranger!')
  })
})

describe('docs/guides/program.md', () => {
  it.each([greetInShell, greetInPython])('shows %s as it is', async (path) => {
    const page = await readFile(join(root, 'docs/guides/program.md'), 'utf8')
    expect(page).toContain(`\n${await readFile(path, 'utf8')}\`\`\`\n`)
  })
})

const COMMANDS = ['run', 'mcp', 'questions', 'answer', 'runs list', 'runs logs', 'runs stop', 'runs prune']

describe('docs', () => {
  it.each(COMMANDS)('name every option of sandagent %s', async (command) => {
    const main = join(root, 'packages/cli/dist/main.js')
    const help = await text(spawn(process.execPath, [main, ...command.split(' '), '--help']).stdout)
    const options = help.match(/(?<=^ +)--[a-z-]+/gm) ?? []
    expect(options.length).toBeGreaterThanOrEqual(4)
    const names = ['reference/command-line', 'guides/claude', 'guides/mcp']
    const pages = await Promise.all(names.map((name) => readFile(join(root, `docs/${name}.md`), 'utf8')))
    expect(options.filter((option) => !pages.join('').includes(option))).toEqual([])
  })
})
