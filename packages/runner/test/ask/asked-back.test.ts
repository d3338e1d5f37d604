import { describe, expect, it, vi } from 'vitest'
import { createCommandSession } from '../../src/agents/command/session.ts'
import { createScriptedAgent, parseScenario, runAgent } from '../../src/index.ts'
import { createRun } from '../agent-run.ts'

const COLOUR = { id: 'colour', question: 'Colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
const askedBack = { status: 'declined', asksBack: true, reason: 'Why?' } as const

type Run = Awaited<ReturnType<typeof createRun>>

async function answer({ space }: Run, toolCallId: string, value: string | null): Promise<void> {
  const { questions } = await vi.waitFor(() => space.record(toolCallId))
  const [question] = questions
  const picked = { selected: [value ?? ''], source: 'human' as const }
  if (value === null) await space.respond(toolCallId, {}, askedBack)
  else await space.respond(toolCallId, { [question?.id ?? '']: picked })
}

describe('an agent that is asked back says its reply, and its next call follows', () => {
  it('as a script', async () => {
    const a = await createRun()
    const steps = [
      { say: 'Hello.' },
      { ask: { questions: [COLOUR], explain: 'For the roof.' } },
      { say: 'Paint it {{answers.colour}}.' },
    ]
    const done = runAgent(createScriptedAgent(parseScenario({ steps })), a.run)
    await answer(a, 'run_1-2', null)
    await answer(a, 'run_1-2-again', null)
    await answer(a, 'run_1-2-again-again', 'Red')
    await done
    const follows = { question: 'Why?', reply: 'For the roof.' }
    expect(await a.space.record('run_1-2')).not.toHaveProperty('follows')
    expect(await a.space.record('run_1-2-again')).toMatchObject({
      follows: { toolCallId: 'run_1-2', ...follows },
    })
    expect(await a.space.record('run_1-2-again-again')).toMatchObject({
      follows: { toolCallId: 'run_1-2-again', ...follows },
    })
    expect(a.text()).toContain('Paint it Red.')
  })

  it('as a script that runs a command, which does not run before it is allowed', async () => {
    const a = await createRun()
    const run = { command: 'echo', args: ['ran'], needsApproval: true, explain: 'It prints a word.' }
    const done = runAgent(
      createScriptedAgent(parseScenario({ steps: [{ run }, { say: 'It said {{output}}' }] })),
      a.run,
    )
    await answer(a, 'run_1-1', null)
    await vi.waitFor(() => a.space.record('run_1-1-again'))
    const outputs = () => a.chunks().filter(({ type }) => type === 'tool-output-available')
    expect(outputs()).toEqual([])
    expect(await a.space.record('run_1-1-again')).toMatchObject({
      follows: { toolCallId: 'run_1-1', question: 'Why?', reply: run.explain },
    })
    await answer(a, 'run_1-1-again', 'allow-once')
    await done
    expect(outputs()).toHaveLength(1)
  })

  it('as a program, in its lines', async () => {
    const a = await createRun()
    const replies: object[] = []
    await runAgent(async (run) => {
      const session = createCommandSession({ run, signal: run.signal, reply: (line) => replies.push(line) })
      const take = (line: object): Promise<void> => session.take(JSON.stringify(line))
      await take({ type: 'ask', id: 'a', questions: [COLOUR], takesQuestions: true })
      await answer(a, 'run_1-a', null)
      await vi.waitFor(() =>
        expect(replies).toMatchObject([{ id: 'a', kind: 'declined', asksBack: true, reason: 'Why?' }]),
      )
      await session.take('For the roof.')
      await take({ type: 'say', text: 'It is red now.' })
      await take({ type: 'ask', id: 'b', questions: [COLOUR], takesQuestions: true })
      await answer(a, 'run_1-b', 'Red')
      await session.end()
    }, a.run)
    expect(await a.space.record('run_1-b')).toMatchObject({
      takesQuestions: true,
      follows: { toolCallId: 'run_1-a', question: 'Why?', reply: 'For the roof.\n\n\nIt is red now.' },
    })
  })
})

it('a reply has what the agent said since, as much as a model reads', async () => {
  const a = await createRun()
  const steps = [{ ask: { questions: [COLOUR], explain: 'x'.repeat(40_000) } }]
  const done = runAgent(createScriptedAgent(parseScenario({ steps })), a.run)
  await answer(a, 'run_1-1', null)
  await answer(a, 'run_1-1-again', 'Red')
  await done
  const { follows } = await a.space.record('run_1-1-again')
  expect(follows?.reply).toHaveLength(32_000)
  expect(follows?.reply).toMatch(/ … \(cut here: of 40000 characters/)
})
