import { expect, it, vi } from 'vitest'
import { createApprover } from '../../../src/agents/scripted/approver.ts'
import { createRun } from '../../agent-run.ts'
import { picked } from '../../workspace.ts'

const command = (toolCallId: string, program = 'npm') => ({
  toolCallId,
  toolName: 'Bash',
  input: { command: `${program} test` },
  program,
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
  expect(await done).toBeNull()
  const { kind, toolName, subject, runId, questions } = await space.record('a')
  expect({ kind, toolName, subject, runId }).toEqual({
    kind: 'approval',
    toolName: 'Bash',
    subject: { toolName: 'Bash', input: { command: 'npm test' } },
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
  expect(await second).toContain('denied it, saying "Not twice"')
  expect(await space.host.questions()).toHaveLength(2)
})

it('a program that is allowed for the session is not asked for again, but others are', async () => {
  const { approve, respond, space } = await start()
  const first = approve(command('a'))
  await respond('a', 'allow-session')
  expect([await first, await approve(command('b'))]).toEqual([null, null])
  const other = approve(command('c', 'rm'))
  await respond('c', 'deny')
  expect(await other).toContain('Bash was not run.')
  expect((await space.host.questions()).map(({ toolCallId }) => toolCallId)).toEqual(['a', 'c'])
})

it('nobody’s answer allows nothing', async () => {
  const { approve } = await start({ timeoutMs: 0 })
  expect(await approve(command('a'))).toContain('Nobody answered')
})
