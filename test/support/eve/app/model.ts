import { MockLanguageModelV4 } from 'ai-7/test'

type Part = { type: string; [name: string]: unknown }

/** A model that calls the tools which the last message names, as `[["tool", {…}]]`, and says what they return. */
export const scripted = () =>
  new MockLanguageModelV4({
    provider: 'scripted',
    modelId: 'scripted',
    doStream: async ({ prompt }) => {
      const last = prompt.at(-1)
      const isResult = last?.role === 'tool'
      const content = (last?.content ?? []) as { text?: string; output?: unknown }[]
      const parts: Part[] = isResult
        ? said(`The tools returned ${JSON.stringify(content.map(({ output }) => output))}`)
        : calls(JSON.parse(content.find(({ text = '' }) => text.startsWith('[['))?.text ?? '[]'))
      const finish = {
        type: 'finish',
        finishReason: { unified: isResult ? 'stop' : 'tool-calls', raw: '' },
        usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      }
      const all = [{ type: 'stream-start', warnings: [] }, ...parts, finish]
      return { stream: streamOf(all) as never }
    },
  })

const streamOf = (parts: readonly Part[]): ReadableStream<Part> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

const said = (delta: string): Part[] => [
  { type: 'text-start', id: 'text' },
  { type: 'text-delta', id: 'text', delta },
  { type: 'text-end', id: 'text' },
]

const calls = (list: [toolName: string, input: object][]): Part[] =>
  list.map(([toolName, input]) => ({
    type: 'tool-call',
    toolCallId: `call_${crypto.randomUUID()}`,
    toolName,
    input: JSON.stringify(input),
  }))
