import { expect, it, vi } from 'vitest'
import { createApprover, inputOf } from '../../../src/agents/scripted/approver.ts'
import { createRun } from '../../agent-run.ts'
import { picked } from '../../workspace.ts'

const command = (toolCallId: string, program = 'npm') => ({
  toolCallId,
  toolName: 'Bash',
  words: [program, 'test'],
})

async function start(given = {}) {
  const a = await createRun(given)
  const approve = createApprover(a.run)
  const respond = async (id: string, value: string, notes?: string) => {
    await vi.waitFor(() => a.space.record(id))
    await a.space.respond(id, { permission: { ...picked(value), ...(notes !== undefined && { notes }) } })
  }
  return { ...a, approve, respond }
}

it('the question names the tool and its input, and says what the session would allow', async () => {
  const { approve, respond, space } = await start()
  const done = approve(command('a'))
  await respond('a', 'allow-once')
  expect(await done).toEqual({ words: ['npm', 'test'] })
  const { kind, toolName, subject, runId, questions } = await space.record('a')
  expect({ kind, toolName, subject, runId }).toEqual({
    kind: 'approval',
    toolName: 'Bash',
    subject: { toolName: 'Bash', input: { command: 'npm test' }, editable: true, schema: expect.any(Object) },
    runId: 'run_1',
  })
  const session = questions[0]?.options?.find(({ label }) => label === 'Allow for this session')
  expect(session?.description).toBe('Until the run ends, without asking: npm')
})

it('a command that is allowed once is asked for again', async () => {
  const { approve, respond, space } = await start()
  const first = approve(command('a'))
  await respond('a', 'allow-once')
  await first
  const second = approve(command('b'))
  await respond('b', 'deny', 'Not twice')
  expect(await second).toMatchObject({ refusal: expect.stringContaining('denied it, saying "Not twice"') })
  expect(await space.host.questions()).toHaveLength(2)
})

it('a program that is allowed for the session is not asked for again, but others are', async () => {
  const { approve, respond, space } = await start()
  const first = approve(command('a'))
  await respond('a', 'allow-session')
  const words = ['npm', 'test']
  expect([await first, await approve(command('b'))]).toEqual([{ words }, { words }])
  const other = approve(command('c', 'rm'))
  await respond('c', 'deny')
  expect(await other).toMatchObject({ refusal: expect.stringContaining('Bash was not run.') })
  expect((await space.host.questions()).map(({ toolCallId }) => toolCallId)).toEqual(['a', 'c'])
})

it('nobody’s answer allows nothing', async () => {
  const { approve } = await start({ timeoutMs: 0 })
  expect(await approve(command('a'))).toMatchObject({ refusal: expect.stringContaining('Nobody answered') })
})

it('a command whose words hold spaces shows them apart', () => {
  expect(inputOf(['npm', 'run', 'a'])).toEqual({ command: 'npm run a' })
  expect(inputOf(['node', '-e', 'a b'])).toEqual({ command: 'node', args: ['-e', 'a b'] })
  expect(inputOf(['echo', ''])).toEqual({ command: 'echo', args: [''] })
  expect(inputOf(['my program'])).toEqual({ command: 'my program', args: [] })
})

it.each<[string, object, readonly string[]]>([
  ['one text', { command: 'npm  run "a' }, ['npm', 'run', '"a']],
  ['a list of arguments', { command: 'my npm', args: ['run it', ''] }, ['my npm', 'run it', '']],
])('a command that a person edited as %s runs word by word', async (_, input, words) => {
  const { approve, space } = await start()
  const done = approve(command('a'))
  await vi.waitFor(() => space.record('a'))
  await space.respond('a', { permission: { ...picked('allow-once'), input } })
  expect(await done).toEqual({
    words,
    changed: expect.stringContaining('The user changed the input of Bash before allowing it.'),
  })
})

it.each([{ command: ' ' }, { command: 5 }, { args: [] }, { command: 'a', args: [5] }])(
  'what a person edited to no command does not run: %j',
  async (input) => {
    const { approve, space } = await start()
    const done = approve(command('a'))
    await vi.waitFor(() => space.record('a'))
    await space.respond('a', { permission: { ...picked('allow-once'), input } })
    expect(await done).toEqual({ refusal: expect.stringContaining('no command') })
  },
)
