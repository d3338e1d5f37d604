import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { declineQuestion, LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { findCommand } from '../../scripts/find-command.mjs'
import { root } from '../../scripts/run.mjs'

const starts = join(root, 'examples/start')
const toolCallId = 'run-1'

/** Runs a program of a start as an agent, by the command line, until it has asked. `code` stands in place of the program. */
async function start(
  { from, name, code }: { from: string; name: string; code?: string | undefined },
  ...program: string[]
) {
  const folder = await tempDir()
  await cp(join(starts, from), folder, { recursive: true })
  if (code !== undefined) await writeFile(join(folder, name), code)
  const sandbox = new LocalSandbox({ workdir: folder })
  const main = join(root, 'packages/cli/dist/main.js')
  const options = ['--agent', 'command', '--workdir', folder, '--run-id', 'run', '--prompt', 'Deploy']
  const child = spawn(process.execPath, [main, 'run', ...options, '--', ...program])
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[exitCode], stdout, stderr]) => ({ exitCode, stdout, stderr, said: saidIn(stdout) }),
  )
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1), { timeout: 10_000 })
  return { sandbox, ended }
}

/** The text of a UI stream. */
const saidIn = (stream: string): string =>
  stream
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)).delta ?? '')
    .join('')

/** What people type, and what programs that read JSON by hand get wrong. */
const HOSTILE = [
  'a "b" \\ c',
  'first\nsecond\n\tthird\r',
  '\\n \\\\u0041 \\u0041 \\',
  'Zoë 😀 \u2028 \u0001\u007f',
  '$(id) `id` %s %d \'; echo x; "',
  '-n',
  '"answers":{"0":"Production"}',
  '"}\n{"type":"answer","id":"1"}',
  '__proto__',
  'x'.repeat(30_000),
]
const HOSTILE_QUESTION = 'Where "to"?\n\\n %s\t$(id) 😀'
const HOSTILE_OPTIONS = ['-v x=1', 'a=b', '\\', '"', "'"]

const texts = [HOSTILE_QUESTION, ...HOSTILE_OPTIONS]
const answersFile = async (sandbox: LocalSandbox): Promise<string> =>
  readFile(join(sandbox.workdir, 'answers'), 'utf8')

/** Answers the questions of a program one after the other, with one text each. */
async function answerAll(sandbox: LocalSandbox, typed: readonly string[]): Promise<void> {
  for (const [index, freeText] of typed.entries()) {
    const id = `run-${index + 1}`
    const [view] = await vi.waitFor(async () => {
      const waiting = await listQuestions(sandbox)
      expect(waiting).toMatchObject([{ toolCallId: id }])
      return waiting
    })
    const [question] = view?.questions ?? []
    expect(question?.question).toBe(HOSTILE_QUESTION)
    expect(question?.options?.map(({ label }) => label)).toEqual(HOSTILE_OPTIONS)
    const responses = { [question?.id ?? '']: { selected: [], freeText, source: 'human' as const } }
    await submitAnswer(sandbox, { toolCallId: id, responses, status: 'completed' })
  }
}

/** Answers `How long?` and `Which days?`, after an answer to each that does not fit. */
async function answersTyped(sandbox: LocalSandbox): Promise<void> {
  const answer = (id: string, question: string, text: string) =>
    submitAnswer(sandbox, { toolCallId: id, answers: { [question]: text } })
  await expect(answer('run-1', 'How long?', '0.25')).rejects.toThrow('in steps of 0.1')
  await answer('run-1', 'How long?', '0.3')
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId: 'run-2' }]))
  await expect(answer('run-2', 'Which days?', '2026-01-30')).rejects.toThrow('from and to')
  await answer('run-2', 'Which days?', '2026-01-30/2026-02-02')
}

const words = texts.map((text) => `'${text.replaceAll("'", `'\\''`)}'`).join(' ')

describe.each(['sh', 'bash'].filter((shell) => findCommand(shell)))('examples/start/sh in %s', (shell) => {
  const agent = (code?: string) => start({ from: 'sh', name: 'agent.sh', code }, shell, 'agent.sh')

  it('asks, and goes on with the answer', async () => {
    const { sandbox, ended } = await agent()
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'Staging' } })
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '', said: 'I deploy to Staging.\n' })
  })

  it('goes on without an answer', async () => {
    const { sandbox, ended } = await agent()
    await declineQuestion(sandbox, { toolCallId })
    expect((await ended).said).toBe('No answer, so I do not deploy.\n')
  })

  it('asks and gets every text as it is', async () => {
    const loop = `for n in ${HOSTILE.map((_, index) => index).join(' ')}; do`
    const code = `. ./ask.sh\nset -eu\n${loop}\n  ask ${words} >>answers\ndone\n`
    const { sandbox, ended } = await agent(code)
    await answerAll(sandbox, HOSTILE)
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await answersFile(sandbox)).toBe(HOSTILE.map((text) => `${text}\n`).join(''))
  }, 60_000)

  it('asks for a number and a range, and reads what was checked', async () => {
    const code = `. ./ask.sh
set -eu
seconds=$(ASK_TYPED='{"kind":"number","min":0,"max":1,"step":0.1,"unit":"s"}' ask 'How long?')
days=$(ASK_TYPED='{"kind":"date","range":true}' ask 'Which days?')
echo "$seconds \${days%/*} \${days#*/}"
`
    const { sandbox, ended } = await agent(code)
    await answersTyped(sandbox)
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '', said: '0.3 2026-01-30 2026-02-02\n' })
  })

  it('says why a question cannot be asked, and asks the next one', async () => {
    const code = `. ./ask.sh\necho '{"type":"aks"}'\nask || echo "asked nothing: $?"\nASK_TYPED=number ask 'A?' || echo "no kind: $?"\nASK_TYPED='{"kind":number}' ask 'A?' || echo "broken: $?"\nASK_TYPED='{"kind":"size"}' ask 'A?' || echo "unknown: $?"\nask 'A "b"?' x x || echo "returned $?"\nask 'B?'\n`
    const { sandbox, ended } = await agent(code)
    await submitAnswer(sandbox, { toolCallId: 'run-5', answers: { 'B?': 'Yes' } })
    const { said, stderr } = await ended
    expect(said).toBe('asked nothing: 2\nno kind: 2\nbroken: 2\nunknown: 2\nreturned 2\nYes\n')
    expect(stderr).toContain('These questions cannot be asked: questions.0')
    expect(stderr).toContain('This line cannot be followed: expected JSON\nASK_TYPED: {"kind":number}')
  })
})

describe.skipIf(!findCommand('python3'))('examples/start/python', () => {
  const agent = (code?: string) => start({ from: 'python', name: 'agent.py', code }, 'python3', 'agent.py')
  const literal = JSON.stringify(HOSTILE_OPTIONS)

  it('asks, and goes on with the answer', async () => {
    const { sandbox, ended } = await agent()
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'Zoë "Z"' } })
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '', said: 'I deploy to Zoë "Z".\n' })
  })

  it('goes on without an answer', async () => {
    const { sandbox, ended } = await agent()
    await declineQuestion(sandbox, { toolCallId })
    expect((await ended).said).toBe('No answer, so I do not deploy.\n')
  })

  it('asks and gets every text as it is', async () => {
    const code = `from ask import ask
answers = [ask(${JSON.stringify(HOSTILE_QUESTION)}, ${literal}) for n in range(${HOSTILE.length})]
open('answers', 'w', encoding='utf-8', newline='').write('\\0'.join(answers))
`
    const { sandbox, ended } = await agent(code)
    await answerAll(sandbox, HOSTILE)
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '' })
    expect((await answersFile(sandbox)).split('\0')).toEqual(HOSTILE)
  }, 60_000)

  it('asks for several choices, and several questions in one form', async () => {
    const code = `from ask import ask_many, ask_all
print(ask_many('Parts?', ['Tests', {'label': 'Docs, long', 'value': 'docs'}]))
print(ask_all({'db': {'question': 'Database?', 'options': ['SQLite']}, 'name': {'question': 'Name?', 'required': False}}, id='form'))
`
    const { sandbox, ended } = await agent(code)
    const parts = { selected: ['Tests', 'docs'], freeText: 'Types', source: 'human' as const }
    await submitAnswer(sandbox, { toolCallId, responses: { q1: parts }, status: 'completed' })
    await vi.waitFor(async () =>
      expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId: 'run-form' }]),
    )
    const responses = { db: { selected: ['SQLite'], source: 'human' as const } }
    await submitAnswer(sandbox, { toolCallId: 'run-form', responses, status: 'completed' })
    expect((await ended).said).toBe(
      "['Tests', 'Docs, long', 'Types']\n('answered', {'db': 'SQLite', 'name': None})\n",
    )
  })

  it('asks for a number and a range, and reads what was checked', async () => {
    const code = `from ask import ask
seconds = float(ask('How long?', typed={'kind': 'number', 'min': 0, 'max': 1, 'step': 0.1, 'unit': 's'}))
first, last = ask('Which days?', typed={'kind': 'date', 'range': True}).split('/')
print(seconds * 10, first, last)
`
    const { sandbox, ended } = await agent(code)
    await answersTyped(sandbox)
    expect(await ended).toMatchObject({ exitCode: 0, stderr: '', said: '3.0 2026-01-30 2026-02-02\n' })
  })

  it('says why a question cannot be asked, and asks the next one', async () => {
    const code = `from ask import ask, ask_all
print('{"type":"aks"}')
for more in [{'timeoutMs': -1}, {'header': 7}, {'typed': {'kind': 'number', 'max': float('inf')}}]:
    try: ask('A?', **more)
    except ValueError as error: print(error)
try: ask('A?', ['a'], blocking=False)
except ValueError as error: print(error)
try: ask_all({'a': {'question': 'A?'}}, wait=False)
except TypeError as error: print(error)
print(ask('B?', id=1))
`
    const { sandbox, ended } = await agent(code)
    await submitAnswer(sandbox, { toolCallId, answers: { 'B?': 'Yes' } })
    expect((await ended).said).toMatch(
      /^This line cannot be followed: timeoutMs.*\nThese questions cannot be asked: questions\.0\.header.*\nThis line cannot be followed: expected JSON\n.*questions\.0\.blocking: expected no such key.*\n.*'wait'\nYes\n$/,
    )
  })
})

describe('a helper that asks', () => {
  const helpers = ['python/ask.py', 'sh/ask.sh']

  it.each(helpers)('has at most 40 lines: %s', async (name) => {
    const text = await readFile(join(starts, name), 'utf8')
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  })

  it.each(
    [
      ['sh', ['-c', `. ${join(starts, 'sh/ask.sh')}; ask A?`]],
      [
        'python3',
        ['-c', `import sys; sys.path.append('${join(starts, 'python')}'); import ask; ask.ask('A?')`],
      ],
    ].filter(([command]) => findCommand(command as string)) as [string, string[]][],
  )('says in %s how the program is started, if nobody listens', async (command, args) => {
    const { SANDAGENT_PROMPT: _, ...env } = process.env
    const child = spawn(command, args, { env: { ...env, PYTHONDONTWRITEBYTECODE: '1' } })
    expect(await text(child.stderr)).toContain('npx sandagent run')
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
