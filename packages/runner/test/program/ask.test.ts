import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCommandAgent } from '../../src/index.ts'
import { createRun } from '../agent-run.ts'
import { createWorkspace, picked, typed } from '../workspace.ts'

const program = (script: string): string[] => [
  '--input-type=module',
  '--eval',
  `import { ask } from ${JSON.stringify(join(import.meta.dirname, '../../dist/index.js'))}
const tell = (value) => console.log('=' + JSON.stringify(value))
${script}`,
]

const ONE = `tell(await ask('Where to?', ['Staging', { label: 'Production', value: 'prod' }]))`
const MANY = `tell(await ask.many('Which parts?', ['Tests', 'Docs']))`
const FORM = `tell(await ask.all({ db: { question: 'Which one?', options: ['SQLite'] }, name: { question: 'Name?' } }))`

const toldIn = (text: string): unknown[] =>
  text.split('\n').flatMap((line) => (line.startsWith('=') ? [JSON.parse(line.slice(1))] : []))

/** Starts a program that nobody else has started: its folder has the question. */
async function alone(script: string, env: Record<string, string> = { SANDAGENT_RUN_ID: 'run_1' }) {
  const space = await createWorkspace()
  const start = () => {
    const running = execa(process.execPath, program(script), { cwd: space.workdir, env, reject: false })
    onTestFinished(() => void running.kill('SIGKILL'))
    return running
  }
  const running = start()
  return { space, start, running, told: running.then(({ stdout }) => toldIn(stdout)) }
}

/** Starts the same program as an agent of a run: the run asks, and its page shows the question. */
async function inRun(script: string) {
  const { run, space, text, chunks } = await createRun()
  const ended = createCommandAgent(process.execPath, program(script))(run)
  return { space, chunks, told: ended.then(() => toldIn(text())) }
}

/** Starts the program from an agent of a run, which keeps its output for itself or passes its own on. */
async function below(script: string, stdio: 'pipe' | 'inherit') {
  const child = `const { spawnSync } = await import('node:child_process')
const { stdout } = spawnSync(process.execPath, ${JSON.stringify(program(script))}, {
  encoding: 'utf8', stdio: [${JSON.stringify(stdio === 'pipe' ? 'ignore' : 'inherit')}, ${JSON.stringify(stdio)}, 'inherit'],
})
console.log(stdout ?? '')`
  return inRun(child)
}

it.each(['pipe', 'inherit'] as const)(
  'a program of the agent is heard, whose output is: %s',
  async (stdio) => {
    const { space, told } = await below(`tell(await ask('Where to?', ['Staging'], { id: 'below' }))`, stdio)
    const asked = await vi.waitFor(async () => {
      const names = await readdir(join(space.workdir, '.sandagent/questions'))
      const name = names.find((each) => each.endsWith('.json')) // Beside a file that is being written.
      return JSON.parse(await readFile(join(space.workdir, '.sandagent/questions', String(name)), 'utf8'))
    })
    expect(asked.questions).toMatchObject([{ question: 'Where to?' }])
    await space.respond(asked.toolCallId, { q1: picked('Staging') })
    expect(await told).toEqual(['Staging'])
  },
)

describe.each([
  ['alone', alone],
  ['in a run', inRun],
])('ask, in a program %s', (_name, start) => {
  it('returns the label that was picked', async () => {
    const { space, told } = await start(ONE)
    await vi.waitFor(() => space.record('run_1-1'))
    await space.respond('run_1-1', { q1: picked('prod') })
    expect(await told).toEqual(['Production'])
  })

  it.each([
    ['the words that were typed', 'To Mars, "soon"'],
    ['a long text whole', 'To Mars. '.repeat(10_000).trim()],
  ])('returns %s', async (_what, words) => {
    const { space, told } = await start(ONE)
    await vi.waitFor(() => space.record('run_1-1'))
    await space.respond('run_1-1', { q1: typed(words) })
    expect(await told).toEqual([words])
  })

  it('returns null when the person declines', async () => {
    const { space, told } = await start(ONE)
    await vi.waitFor(() => space.record('run_1-1'))
    await space.respond('run_1-1', {}, { status: 'declined' })
    expect(await told).toEqual([null])
  })

  it('asks anew under the id of a call that it has just withdrawn', async () => {
    const { space, told } = await start(`const stop = new AbortController()
const first = ask('Where to?', ['Staging'], { id: 'where', signal: stop.signal })
const { existsSync } = await import('node:fs')
while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 10))
stop.abort()
const second = ask('Where to?', ['Staging'], { id: 'where' })
tell(await first)
tell(await second)`)
    const { nonce } = await vi.waitFor(() => space.record('run_1-where'))
    await writeFile(join(space.workdir, 'go'), '')
    await vi.waitFor(async () => expect((await space.record('run_1-where')).nonce).not.toBe(nonce))
    await space.respond('run_1-where', { q1: picked('Staging') })
    expect(await told).toEqual([null, 'Staging'])
  })

  it('returns null when the time runs out', async () => {
    const { told } = await start(`tell(await ask('Where to?', ['Staging'], { timeoutMs: 1 }))`)
    expect(await told).toEqual([null])
  })

  it('returns all choices of a question that takes several', async () => {
    const { space, told } = await start(MANY)
    await vi.waitFor(() => space.record('run_1-1'))
    await space.respond('run_1-1', { q1: { ...picked('Tests', 'Docs'), freeText: 'Types' } })
    expect(await told).toEqual([['Tests', 'Docs', 'Types']])
  })

  it('returns the answers of a form by its keys', async () => {
    const { space, told } = await start(FORM)
    await vi.waitFor(() => space.record('run_1-1'))
    await space.respond('run_1-1', { db: picked('SQLite'), name: { skipped: true, source: 'human' } })
    expect(await told).toEqual([{ kind: 'partial', answers: { db: 'SQLite', name: null } }])
  })

  it('asks one after the other, and at once', async () => {
    const { space, told } = await start(`
      tell(await Promise.all([ask('A?', ['a']), ask('B?', ['b'])]))
      tell(await ask('C?', ['c'], { id: 'third' }))
    `)
    await vi.waitFor(() => Promise.all([space.record('run_1-1'), space.record('run_1-2')]))
    await space.respond('run_1-2', { q1: picked('b') })
    await space.respond('run_1-1', { q1: picked('a') })
    await vi.waitFor(() => space.record('run_1-third'))
    await space.respond('run_1-third', { q1: picked('c') })
    expect(await told).toEqual([['a', 'b'], 'c'])
  })

  it('rejects for a question with faults, and goes on', async () => {
    const { space, told } = await start(`
      await ask('Where to?', ['Staging', 'Staging']).catch(({ code }) => tell(code))
      ${ONE}
    `)
    await vi.waitFor(() => space.record('run_1-1'))
    await space.respond('run_1-1', { q1: picked('Staging') })
    expect(await told).toEqual(['INVALID_QUESTIONS', 'Staging'])
  })

  it.each([
    ['ask()', "ask: its question: expected a text, such as 'Where to?'"],
    ["ask(['Staging'])", 'ask: its question: expected a text'],
    ["ask('Where to?', { typed: { kind: 'date' } })", "all else comes third: ask('Where to?', [], { … })"],
    ["ask('Where to?', 'Staging')", "ask: its choices: expected a list, such as ['Yes', 'No'] or []"],
    ["ask.many('Where to?', { timeoutMs: 1 })", 'ask: its choices: expected a list'],
    ["ask('Where to?', ['Staging'], 1000)", 'ask: its extras: expected an object'],
    ["ask('Where to?', ['Staging'], { timeout: 1 })", 'ask: its extras: timeout: expected no such name'],
    ["ask('Where to?', [], { blocking: 'false' })", 'blocking: expected one of true, false'],
    ["ask('Where to?', [], { blocking: 0 })", 'blocking: expected one of true, false'],
    ["ask('Where to?', [], { id: '' })", 'id: expected text that is not empty'],
    ["ask('Where to?', [{ label: 'Here', desc: '' }])", 'questions.0.options.0.desc: expected no such key'],
    ["ask.all({ a: { question: 'A?', blocking: false } })", 'questions.0.blocking: expected no such key'],
    [
      "ask.all({ a: { question: 'A?', files: { most: 1 } } })",
      'questions.0.files.most: expected no such key',
    ],
    ['ask.secret({})', 'ask: its question: expected a text'],
    ["ask.secret('Key?', [])", 'ask: its extras: expected an object'],
    ["ask.all('Name?')", 'ask.all: its questions: expected questions by keys'],
    ["ask.all({ name: 'Name?' })", "such as { name: { question: 'Which name?' } }"],
  ])('rejects for %s, and says what is expected', async (call, message) => {
    const { told } = await start(`await ${call}.catch(({ message }) => tell(message))`)
    expect(await told).toEqual([expect.stringContaining(message)])
  })

  it('gives both the answer where the same call is made twice at once', async () => {
    const { space, told } = await start(`
      const twice = () => ask('A?', ['a'], { id: 'same' })
      tell(await Promise.all([twice(), twice()]))
    `)
    await vi.waitFor(() => space.record('run_1-same'))
    await space.respond('run_1-same', { q1: picked('a') })
    expect(await told).toEqual([['a', 'a']])
  })

  it('rejects for a call that has asked something else before', async () => {
    const { space, told } = await start(`
      const first = ask('A?', ['a'], { id: 'same' })
      await ask('B?', ['b'], { id: 'next', timeoutMs: 1 })
      await ask('C?', ['c'], { id: 'same' }).catch(({ code }) => tell(code))
      tell(await first)
    `)
    await vi.waitFor(() => Promise.all(['run_1-same', 'run_1-next'].map((id) => space.record(id))))
    await space.respond('run_1-same', { q1: picked('a') })
    expect(await told).toEqual(['CONFLICT', 'a'])
  })
})

describe('ask, in a program alone', () => {
  it('asks nothing twice after a crash', async () => {
    const { space, start, running } = await alone(ONE)
    await vi.waitFor(() => space.record('run_1-1'))
    running.kill('SIGKILL')
    await running
    await space.respond('run_1-1', { q1: picked('Staging') })
    expect(toldIn((await start()).stdout)).toEqual(['Staging'])
  })

  it('asks again what a run of `sandagent run` withdrew when it ended', async () => {
    const { run, space } = await createRun()
    const stop = new AbortController()
    const ended = createCommandAgent(process.execPath, program(ONE))({ ...run, signal: stop.signal })
    await vi.waitFor(() => space.record('run_1-1'))
    stop.abort()
    await ended
    expect(await space.record('run_1-1')).toMatchObject({ state: 'aborted' })
    const env = { SANDAGENT_RUN_ID: 'run_1' }
    const running = execa(process.execPath, program(ONE), { cwd: run.workdir, env })
    onTestFinished(() => void running.kill('SIGKILL'))
    await vi.waitFor(async () => expect(await space.record('run_1-1')).toMatchObject({ state: 'open' }))
    await space.respond('run_1-1', { q1: picked('Staging') })
    expect(toldIn((await running).stdout)).toEqual(['Staging'])
  })

  it('has told the page what it got, before it goes on', async () => {
    const { space, told } = await alone(`${ONE}; process.exit()`)
    await vi.waitFor(() => space.record('run_1-1'))
    await space.respond('run_1-1', { q1: picked('Staging') })
    expect(await told).toEqual(['Staging'])
    expect(await space.record('run_1-1')).toMatchObject({ state: 'answered' })
  })

  it('asks anew at each start without an id of its run', async () => {
    const { space, running, start } = await alone(ONE, {})
    const asked = async () => (await space.host.questions({ unsettled: true })).map(({ runId }) => runId)
    await vi.waitFor(async () => expect(await asked()).toHaveLength(1))
    running.kill('SIGKILL')
    start()
    await vi.waitFor(async () => expect(new Set(await asked()).size).toBe(2))
  })

  it('takes no answer that the host has not signed, if it has the host’s keys', async () => {
    const { running } = await alone(ONE, { SANDAGENT_PUBLIC_KEYS: '{"keys":[]}' })
    expect((await running).stderr).toContain('SANDAGENT_PUBLIC_KEYS holds no public keys')
  })

  it('asks nothing if it has passkeys to demand and no keys of the host', async () => {
    const { running, space } = await alone(ONE, { SANDAGENT_PASSKEYS: '{}' })
    expect((await running).stderr).toContain('SANDAGENT_PUBLIC_KEYS is not: set both')
    expect(await space.host.questions()).toEqual([])
  })
})

describe('ask, in a run', () => {
  it('shows the question in the stream of the run', async () => {
    const { space, chunks, told } = await inRun(ONE)
    await vi.waitFor(() => space.record('run_1-1'))
    await space.respond('run_1-1', { q1: picked('Staging') })
    await told
    expect(chunks()).toContainEqual(
      expect.objectContaining({ type: 'tool-input-available', toolCallId: 'run_1-1' }),
    )
  })

  it('rejects for a time-out that is none', async () => {
    const { told } = await inRun(`await ask('A?', ['a'], { timeoutMs: -1 }).catch(({ code }) => tell(code))`)
    expect(await told).toEqual(['INVALID_REQUEST'])
  })

  it('rejects each call once nobody replies any more', async () => {
    const running = execa(
      process.execPath,
      program(`
        for (const text of ['A?', 'B?']) await ask(text, ['a']).catch(({ code }) => tell(code))
      `),
      { env: { SANDAGENT_PROMPT: '' }, input: '', reject: false },
    )
    expect(toldIn((await running).stdout)).toEqual(['UNREACHABLE', 'UNREACHABLE'])
  })
})
