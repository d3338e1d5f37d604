import { createFileRunnerChannel } from '@sandagent/files'
import { declineQuestion, type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import type { ToolSet } from 'ai-7'
import { describe, expect, it, vi } from 'vitest'
import { worksOnRow } from '../support/matrix/agent-row.ts'
import { type AiVersion, aiVersions, toolBeside } from '../support/models/ai-versions.ts'
import { tempSandbox } from '../support/workspace.ts'

const DATABASE = {
  question: 'Which database?',
  options: [{ label: 'Postgres' }, { label: 'SQLite' }],
  defaultOption: 'Postgres',
}
const callOf = (toolName: string, toolCallId: string, input: object) => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input: JSON.stringify(input),
})
const ask = callOf('AskUserQuestion', 'ask', { questions: [DATABASE], blocking: false })
const check = (action: string) => callOf('CheckQuestion', `check-${action}`, { ticket: 'ask', action })
const work = callOf('work', 'work', {})
const says = (delta: string) => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta },
  { type: 'text-end', id: 't' },
]

/** A reply of a model, by the tools of a process of its own. `work` is what it does meanwhile. */
async function reply(
  { ai, Model, finish, ...version }: AiVersion,
  sandbox: LocalSandbox,
  messages: unknown[],
  turns: object[][],
  doWork: () => Promise<unknown> = async () => {},
) {
  const { createQuestionTools } = await toolBeside({ ai, Model, finish, ...version })
  const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
  const streams = turns.map((parts) => {
    const reason = parts.some((part) => 'toolCallId' in part) ? 'tool-calls' : 'stop'
    const chunks = [{ type: 'stream-start', warnings: [] }, ...parts, finish(reason)]
    return { stream: ai.simulateReadableStream({ chunks }) }
  })
  const model = new Model({ doStream: streams as never })
  let shown: unknown[] = []
  const stream = ai.createUIMessageStream({
    async execute({ writer }) {
      const questions = createQuestionTools({ channel, runId: 'chat-1', writer: writer as never })
      const known = await questions.resume(messages as { role: string; parts: unknown[] }[])
      const tools = {
        ...questions.tools,
        work: ai.tool({
          inputSchema: ai.jsonSchema({ type: 'object' }),
          execute: async () => (await doWork()) ?? 'done',
        }),
      }
      const prompt = await ai.convertToModelMessages(known as never, { tools: tools as never })
      const result = ai.streamText({
        model,
        messages: prompt,
        tools: tools as unknown as ToolSet,
        prepareStep: (step) => questions.prepareStep(step),
        stopWhen: ({ steps }) => steps.length === turns.length,
      })
      writer.merge(result.toUIMessageStream())
      await result.consumeStream()
      await questions.close()
    },
  })
  for await (const message of ai.readUIMessageStream({ stream })) shown = [message]
  return {
    prompts: model.doStreamCalls.map(({ prompt }) => JSON.stringify(prompt)),
    messages: [...messages, ...shown],
  }
}

const answer = (sandbox: LocalSandbox, database: string) =>
  submitAnswer(sandbox, { toolCallId: 'ask', answers: { 'Which database?': database }, status: 'completed' })
/** Answers, and waits until the agent has it. */
const answerNow = async (sandbox: LocalSandbox, database: string) => {
  await answer(sandbox, database)
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toEqual([]))
}
const paint = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Build it.' }] }]
const more = { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'And now?' }] }
const partOf = (messages: unknown[]) =>
  (messages.at(-1) as { parts: { toolCallId?: string }[] }).parts.find(
    ({ toolCallId }) => toolCallId === 'ask',
  )

describe.each(Object.values(aiVersions))('a model of ai $name that does not wait', (version) => {
  const asks = 'the option `tickets`, or `createQuestionTools`'
  worksOnRow('AI SDK', [asks, 'before its next step, or with the next reply'], async () => {
    const sandbox = await tempSandbox()
    const { prompts, messages } = await reply(
      version,
      sandbox,
      paint,
      [[ask], [work], says('I undo it.')],
      () => answerNow(sandbox, 'SQLite'),
    )
    expect(prompts[1]).toContain('Ticket: ask')
    expect(prompts[1]).toContain('Postgres')
    expect(prompts[2]).toContain('About the question with the ticket ask')
    expect(prompts[2]).toContain('which does not hold: undo what you based on it')
    expect(prompts[2]?.match(/About the question/g)).toHaveLength(1)
    expect(partOf(messages)).toMatchObject({ state: 'output-available', output: { status: 'answered' } })
  })

  it('is told once, at each later step in the same place', async () => {
    const sandbox = await tempSandbox()
    const turns = [[ask], [work], [{ ...work, toolCallId: 'work-2' }], says('Done.')]
    const { prompts } = await reply(version, sandbox, paint, turns, async () => {
      if ((await listQuestions(sandbox)).length > 0) await answerNow(sandbox, 'Postgres')
    })
    expect(prompts[3]?.match(/About the question/g)).toHaveLength(1)
    expect(prompts[3]?.startsWith((prompts[2] as string).slice(0, -1))).toBe(true)
  })

  it('waits for it in the end', async () => {
    const sandbox = await tempSandbox()
    const replying = reply(version, sandbox, paint, [[ask], [check('look')], [check('wait')], says('Done.')])
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toMatchObject([{ blocking: false }]))
    await answer(sandbox, 'Postgres')
    const { prompts } = await replying
    expect(prompts[3]).toContain('as you assumed, so go on')
    expect(prompts[3]).not.toContain('About the question')
  })

  it('takes its question back', async () => {
    const sandbox = await tempSandbox()
    const { prompts } = await reply(version, sandbox, paint, [[ask], [check('withdraw')], says('Done.')])
    expect(prompts[2]).toContain('The question was withdrawn')
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('is told which key its tools do not have, and nobody is asked', async () => {
    const sandbox = await tempSandbox()
    const misspelt = { questions: [DATABASE], block: false, assumptoin: 'Postgres' }
    const asks = callOf('AskUserQuestion', 'misspelt', misspelt)
    const checks = callOf('CheckQuestion', 'check', { ticket: 'ask', acton: 'withdraw' })
    const { prompts } = await reply(version, sandbox, paint, [[asks], [ask], [checks], says('Done.')])
    expect(prompts[1]).toContain('block: expected no such key: whether you wait is')
    expect(prompts[1]).toContain('assumptoin: expected no such key')
    expect(prompts[3]).toContain('This cannot be checked: acton: expected no such key')
    expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId: 'ask' }])
  })

  it('finds in another process what was answered after its reply, once', async () => {
    const sandbox = await tempSandbox()
    const first = await reply(version, sandbox, paint, [[ask], says('I take Postgres.')])
    expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId: 'ask', state: 'open' }])
    await answer(sandbox, 'SQLite')
    const { prompts } = await reply(version, sandbox, [...first.messages, more], [says('I undo it.')])
    expect(prompts[0]).toContain('which does not hold: undo what you based on it')
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('finds a refusal in another process, and that nothing is confirmed', async () => {
    const sandbox = await tempSandbox()
    const first = await reply(version, sandbox, paint, [[ask], says('I take Postgres.')])
    await declineQuestion(sandbox, { toolCallId: 'ask' })
    const { prompts } = await reply(version, sandbox, [...first.messages, more], [says('I ask no more.')])
    expect(prompts[0]).toContain('What you assumed is not confirmed')
  })

  it('leaves an open question open in another process', async () => {
    const sandbox = await tempSandbox()
    const first = await reply(version, sandbox, paint, [[ask], says('I take Postgres.')])
    const { prompts } = await reply(version, sandbox, [...first.messages, more], [says('I wait.')])
    expect(prompts[0]).toContain('Ticket: ask')
    expect(await listQuestions(sandbox)).toHaveLength(1)
  })
})
