import { createFileRunnerChannel } from '@sandagent/files'
import { declineQuestion, type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { aiVersions, toolBeside } from './support/models/ai-versions.ts'
import { tempSandbox } from './support/workspace.ts'

const input = JSON.stringify({ questions: [{ question: 'Which colour?', options: [{ label: 'Red' }] }] })
const callOf = (toolCallId: string): object => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'AskUserQuestion',
  input,
})
const textOf = (delta: string): object[] => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta },
  { type: 'text-end', id: 't' },
]
const why = { reason: 'What is it for?', asksBack: true } as const

describe.each([aiVersions['6'], aiVersions['7']])('a model of ai $name that is asked back', (version) => {
  const { ai, Model, finish } = version

  /** Lets a model say and call these things, by the tool of a process of its own. */
  async function converse(sandbox: LocalSandbox, messages: object[], ...turns: object[][]) {
    const { createAskUserQuestionTool } = await toolBeside(version)
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
    const streams = turns.map((parts) => {
      const isCall = parts.some((part) => 'toolCallId' in part)
      const chunks = [
        { type: 'stream-start', warnings: [] },
        ...parts,
        finish(isCall ? 'tool-calls' : 'stop'),
      ]
      return { stream: ai.simulateReadableStream({ chunks }) }
    })
    const model = new Model({ doStream: streams as never })
    const result = ai.streamText({
      model,
      messages: messages as never,
      tools: { AskUserQuestion: createAskUserQuestionTool({ channel, runId: 'chat-1' }) },
      stopWhen: ({ steps }) => steps.length === turns.length,
    })
    /** Version 6 gives all messages with the last step, version 7 those of each step. */
    const said = async (): Promise<object[]> => {
      const steps = (await result.steps).map(({ response }) => response.messages)
      return [...messages, ...(version.name === '6' ? (steps.at(-1) ?? []) : steps.flat())]
    }
    return { model, messages: said() }
  }

  const waits = (sandbox: LocalSandbox, toolCallId: string) =>
    vi.waitFor(async () => {
      const [question, ...others] = await listQuestions(sandbox)
      expect(others).toEqual([])
      expect(question).toMatchObject({ toolCallId, takesQuestions: true })
      return question
    })
  const paint = [{ role: 'user', content: 'Paint it.' }]

  it('reads the question, asks again, and the person sees what they asked', async () => {
    const sandbox = await tempSandbox()
    const reply = textOf('For the roof.')
    const chat = await converse(sandbox, paint, [callOf('a')], [...reply, callOf('b')], textOf('Done.'))
    await waits(sandbox, 'a')
    await declineQuestion(sandbox, { toolCallId: 'a', ...why })
    expect(await waits(sandbox, 'b')).toMatchObject({ thread: [{ question: why.reason }] })
    await submitAnswer(sandbox, { toolCallId: 'b', answers: { 'Which colour?': 'Red' } })
    await chat.messages
    expect(chat.model.doStreamCalls[1]?.prompt.at(-1)).toMatchObject({
      content: [
        {
          output: {
            value:
              'The user has not decided yet. They ask: "What is it for?". Answer this in plain words, then ask again.',
          },
        },
      ],
    })
  })

  it('asks again in another process, which has the messages alone', async () => {
    const sandbox = await tempSandbox()
    const first = await converse(sandbox, paint, [callOf('a')], textOf('For the roof.'))
    await waits(sandbox, 'a')
    await declineQuestion(sandbox, { toolCallId: 'a', ...why })
    const messages = [...(await first.messages), { role: 'user', content: 'And now?' }]
    const second = await converse(sandbox, messages, [callOf('b')], textOf('Done.'))
    expect(await waits(sandbox, 'b')).toMatchObject({
      thread: [{ question: why.reason, reply: 'For the roof.' }],
    })
    await submitAnswer(sandbox, { toolCallId: 'b', answers: { 'Which colour?': 'Red' } })
    await second.messages
  })
})
