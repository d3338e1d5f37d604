import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { startInTerminal } from '../support/terminal/pseudo-terminal.ts'
import { tempSandbox } from '../support/workspace.ts'

const DATABASE = {
  question: 'Which database?',
  options: [{ label: 'Postgres' }, { label: 'SQLite' }],
  defaultOption: 'Postgres',
}
const ask = (id: string, question = DATABASE.question) =>
  `echo '${JSON.stringify({ type: 'ask', id, wait: false, questions: [{ ...DATABASE, question }] })}'`
const TAB = '\t'
const CTRL_C = '\u0003'
const LINE = '? Which database? · The agent goes on with Postgres · Tab opens it'

/** `sandagent run` in a terminal. The program takes a step whenever `step` is called. */
async function start(...asks: string[]) {
  const sandbox = await tempSandbox()
  const { workdir } = sandbox
  const script = `${asks.join('\n')}
for step in one two three; do
  until [ -e "$step" ]; do sleep 0.05; done
  echo "step $step"
done
while read -r answer; do echo "read $answer"; done`
  await writeFile(join(workdir, 'agent.sh'), script)
  const args = [join(root, 'packages/cli/dist/main.js'), 'run', '--workdir', workdir, '--run-id', 'r']
  const terminal = startInTerminal(process.execPath, [...args, '--', 'sh', 'agent.sh'], { rows: 40 })
  const step = (name: string) => writeFile(join(workdir, name), '')
  return { sandbox, terminal, step }
}

describe('a question whose agent works on, in the terminal of its run', () => {
  it('waits in a line below what the agent prints, and a key opens it', async () => {
    const { terminal, step } = await start(ask('db'))
    await terminal.seeing(LINE)
    await step('one')
    await terminal.seeing(/step one\s+\? Which database\?/)
    terminal.press(TAB)
    // What the agent prints now would tear the form apart.
    await terminal.seeing('leave it open')
    await step('two')
    terminal.press(CTRL_C)
    await terminal.seeing(/step two\s+\? Which database\?.*Tab opens it/)
    terminal.press(TAB)
    await terminal.seeing('leave it open')
    terminal.press('2', '\r')
    await terminal.seeing('Answered:')
    await step('three')
    await terminal.seeing('step three')
    await terminal.seeing('"held":{"q1":false}')
    expect(await terminal.view()).not.toContain('Tab opens it')
  })

  it.each([
    ['in one piece with it', [`${TAB}${CTRL_C}`]],
    ['right after it', [TAB, CTRL_C]],
  ])('is left open by Ctrl-C that comes with the key which opens its form, %s', async (_, keys) => {
    const { sandbox, terminal, step } = await start(ask('db'))
    await terminal.seeing(LINE, ...keys)
    await step('one')
    await terminal.seeing(/step one\s+\? Which database\?.*Tab opens it/)
    expect(await listQuestions(sandbox)).toMatchObject([{ state: 'open', responses: {} }])
    terminal.press(CTRL_C)
    expect(await terminal.ended).toBe(130)
  })

  it('takes no other key for an answer', async () => {
    const { sandbox, terminal, step } = await start(ask('db'))
    await terminal.seeing(LINE, '2', '\r', ' ', 'y', '\u001b[B', '\r')
    await step('one')
    await terminal.seeing(/step one\s+\? Which database\?/)
    expect(await listQuestions(sandbox)).toMatchObject([{ state: 'open', responses: {} }])
  })

  it('leaves the line when it is answered elsewhere, and the next one comes', async () => {
    const { sandbox, terminal } = await start(ask('db'), ask('cache', 'Which cache?'))
    await terminal.seeing('Tab opens it, and 1 more waits')
    await submitAnswer(sandbox, { toolCallId: 'r-db', answers: { 'Which database?': 'SQLite' } })
    await terminal.seeing(/Answered elsewhere\.\s+Which database\?\s+→ SQLite/)
    await terminal.seeing('? Which cache? · The agent goes on with Postgres · Tab opens it')
  })

  it('says that it is over when its agent withdraws it under a person who answers, and the agent prints on', async () => {
    const withdraw = `until [ -e enough ]; do sleep 0.05; done\necho '{"type":"withdraw","id":"db"}'`
    const { sandbox, terminal, step } = await start(ask('db'), withdraw)
    await terminal.seeing(LINE, TAB)
    await terminal.seeing('leave it open', '2')
    await terminal.seeing('● SQLite')
    await step('enough')
    await terminal.seeing(/The agent withdrew the question\.[\s\S]*You had entered:[\s\S]*→ SQLite/)
    for (const name of ['one', 'two', 'three']) await step(name)
    await terminal.seeing('step three')
    await terminal.seeing('"kind":"aborted"')
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('is withdrawn with its run, by Ctrl-C outside of its form', async () => {
    const { sandbox, terminal } = await start(ask('db'))
    await terminal.seeing(LINE, CTRL_C)
    expect(await terminal.ended).toBe(130)
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toEqual([]))
  })
})
