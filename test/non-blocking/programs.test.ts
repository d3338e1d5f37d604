import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { declineQuestion, type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { worksOnRow } from '../support/matrix/agent-row.ts'
import { startInTerminal } from '../support/terminal/pseudo-terminal.ts'
import { tempSandbox } from '../support/workspace.ts'

const DATABASE = {
  id: 'db',
  question: 'Which database?',
  options: [{ label: 'Postgres' }, { label: 'SQLite' }],
  defaultOption: 'Postgres',
}
const ASK = { type: 'ask', id: 'db', wait: false, questions: [DATABASE] }
const runner = JSON.stringify(join(root, 'packages/runner/dist/index.js'))

/** `sandagent run` with a program in this language. */
async function start(command: string[], script: string, name: string) {
  const sandbox = await tempSandbox()
  await writeFile(join(sandbox.workdir, name), script)
  const run = (): { child: ChildProcess; said: () => string; ended: Promise<unknown> } => {
    const cli = [join(root, 'packages/cli/dist/main.js'), 'run', '--workdir', sandbox.workdir]
    const child = spawn(process.execPath, [...cli, '--run-id', 'r', '--', ...command, name], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 60_000,
    })
    const ended = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await ended
    })
    let said = ''
    child.stdout.on('data', (data) => (said += data))
    return { child, said: () => said.replaceAll('\\"', '"'), ended }
  }
  return { sandbox, ...run(), again: run }
}

/** A program that works on without an answer, looks whether there is one, and prints the reply that it reads in the end. */
const inShell = (more = '') =>
  start(
    ['sh'],
    `echo '${JSON.stringify(ASK)}'
echo working
${more}
read -r answer; echo "read $answer"`,
    'agent.sh',
  )

const open = (sandbox: LocalSandbox) =>
  vi.waitFor(async () => {
    const [view, ...others] = await listQuestions(sandbox)
    if (!view) throw new Error('Nothing is asked')
    expect(others).toEqual([])
    return view
  })
const says = (said: () => string, text: string) => vi.waitFor(() => expect(said()).toContain(text))
const answer = (sandbox: LocalSandbox, db: string) =>
  submitAnswer(sandbox, { toolCallId: 'r-db', answers: { 'Which database?': db } })

describe('a program that goes on without an answer', () => {
  const asks = '`wait: false`, or `ask(…, { blocking: false })`'
  worksOnRow('Programs', [asks, 'as a line, or by the promise'], async () => {
    const { sandbox, said } = await inShell()
    expect(await open(sandbox)).toMatchObject({ toolCallId: 'r-db', blocking: false })
    await says(said, 'working')
    await answer(sandbox, 'Postgres')
    await says(said, '"held":{"db":true}')
    await says(said, 'as you assumed')
  })

  it('is told what to undo', async () => {
    const { sandbox, said } = await inShell()
    await open(sandbox)
    await answer(sandbox, 'SQLite')
    await says(said, '"held":{"db":false}')
    await says(said, 'which does not hold: undo what you based on it')
  })

  it('is told that a refusal confirms nothing', async () => {
    const { sandbox, said } = await inShell()
    await open(sandbox)
    await declineQuestion(sandbox, { toolCallId: 'r-db' })
    await says(said, '"held":{}')
    await says(said, 'What you assumed is not confirmed')
  })

  it('withdraws its question, and is told that it is gone', async () => {
    const { sandbox, said, ended } = await inShell(`echo '{"type":"withdraw","id":"db"}'`)
    await says(said, '"kind":"aborted"')
    await ended
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('cannot withdraw what it has not asked', async () => {
    const { said } = await inShell(`echo '{"type":"withdraw","id":"other"}'`)
    await says(said, '"code":"NOT_FOUND"')
  })

  it('keeps what it assumed when nobody answers in time', async () => {
    const { said } = await start(
      ['sh'],
      `echo '${JSON.stringify({ ...ASK, timeoutMs: 1 })}'\nread -r answer; echo "read $answer"`,
      'agent.sh',
    )
    await says(said, '"kind":"timed-out"')
    await says(said, '"db":{"selected":["Postgres"],"source":"default"}')
  })

  it('gets an answer that was given while it was killed, and asks nothing twice', async () => {
    const { sandbox, child, ended, again } = await inShell()
    await open(sandbox)
    child.kill('SIGKILL')
    await ended
    await answer(sandbox, 'SQLite')
    const { said } = again()
    await says(said, '"held":{"db":false}')
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('leaves nothing open when it ends first', async () => {
    const { sandbox, ended } = await start(['sh'], `echo '${JSON.stringify(ASK)}'`, 'agent.sh')
    await ended
    expect(await listQuestions(sandbox)).toEqual([])
  })
})

describe('ask() with blocking: false', () => {
  const program = (rest: string) =>
    start(
      ['node'],
      `import { ask } from ${runner}
const stop = new AbortController()
const database = ask('Which database?', ['Postgres', 'SQLite'], {
  id: 'db', blocking: false, defaultOption: 'Postgres', signal: stop.signal,
})
console.log('working')
${rest}`,
      'agent.mjs',
    )

  it('lets the program work on, and await the answer later', async () => {
    const { sandbox, said, ended } = await program("console.log('It is', await database)")
    await says(said, 'working')
    await open(sandbox)
    await answer(sandbox, 'SQLite')
    await says(said, 'It is SQLite')
    await ended
  })

  it('takes a default that is typed', async () => {
    const { sandbox, said } = await start(
      ['node'],
      `import { ask } from ${runner}
console.log('It is', await ask('Which name?', undefined, { id: 'db', blocking: false, defaultText: 'app' }))`,
      'agent.mjs',
    )
    expect((await open(sandbox)).questions[0]).toMatchObject({ defaultText: 'app' })
    await submitAnswer(sandbox, { toolCallId: 'r-db', answers: { 'Which name?': 'shop' } })
    await says(said, 'It is shop')
  })

  it('withdraws by its signal', async () => {
    const { sandbox, said, ended } = await program("stop.abort(); console.log('It is', await database)")
    await says(said, 'It is null')
    await ended
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('asks anew what it has just withdrawn, under the same id', async () => {
    const { sandbox, said } = await program(`setTimeout(() => {}, 60_000)
const more = { id: 'db', blocking: false, defaultOption: 'Postgres' }
stop.abort()
const again = ask('Which database?', ['Postgres', 'SQLite'], more)
console.log('It was', await database)
console.log('It is', await again)
process.exit()`)
    await says(said, 'It was null') // An answer to the first question, while it was open, would have counted for it.
    await open(sandbox)
    await answer(sandbox, 'SQLite')
    await says(said, 'It is SQLite')
  })

  it('says in which folder it asks, when it was started without a run', async () => {
    const { workdir } = await tempSandbox()
    const script = `import { ask } from ${runner}
await ask('Which name?', [], { blocking: false, defaultText: 'app', timeoutMs: 1000 })`
    const args = ['--input-type=module', '-e', script]
    const terminal = startInTerminal(process.execPath, args, {
      env: { SANDAGENT_WORKDIR: workdir },
      columns: 300,
    })
    expect(await terminal.ended).toBe(0)
    expect(terminal.output()).toContain(`in another terminal, in ${workdir}: npx sandagent answer`)
  })
})
