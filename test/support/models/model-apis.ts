import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A model that calls one tool once, and then is done. It speaks the APIs of Codex, opencode and Gemini CLI. */
export interface ModelApis {
  url: string
  /** What the model was told that the tool gave, once it was. */
  result(): string | undefined
  /** The names of the tools that the model was offered. */
  tools(): string[]
  close(): Promise<void>
}

interface Turn {
  tools: string[]
  result: string | undefined
}

/** One API: what a request holds, and how a call of a tool and a last word are streamed. */
interface Api {
  matches(path: string): boolean
  read(body: never): Turn
  call(name: string, input: object): object[]
  done(): object[]
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** OpenAI's Responses API: Codex. Tools of MCP servers stand in a namespace. */
const responses: Api = {
  matches: (path) => path.endsWith('/responses'),
  read({ tools = [], input = [] }: { tools?: NamedTool[]; input?: { type: string; output?: unknown }[] }) {
    const output = input.find(({ type }) => type === 'function_call_output')?.output
    return {
      tools: tools.flatMap((tool) =>
        tool.tools ? tool.tools.map(({ name }) => `${tool.name}/${name}`) : [tool.name ?? ''],
      ),
      result: output === undefined ? undefined : asText(output),
    }
  },
  call(name, input) {
    const [namespace, own] = name.includes('/') ? name.split('/') : [undefined, name]
    const item = { type: 'function_call', call_id: 'call_1', name: own, arguments: JSON.stringify(input) }
    return response({ ...item, ...(namespace !== undefined && { namespace }) })
  },
  done: () =>
    response({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }),
}

interface NamedTool {
  name?: string
  tools?: { name: string }[]
}

const response = (item: object): object[] => {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  return [
    { type: 'response.created', response: { id: 'r' } },
    { type: 'response.output_item.done', item },
    { type: 'response.completed', response: { id: 'r', usage } },
  ]
}

/** OpenAI's chat completions: opencode. */
const completions: Api = {
  matches: (path) => path.endsWith('/chat/completions'),
  read(body: { tools?: { function: { name: string } }[]; messages: { role: string; content: unknown }[] }) {
    const content = body.messages.find(({ role }) => role === 'tool')?.content
    return {
      tools: (body.tools ?? []).map((tool) => tool.function.name),
      result: content === undefined ? undefined : asText(content),
    }
  },
  call: (name, input) =>
    completion('tool_calls', {
      tool_calls: [
        { index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } },
      ],
    }),
  done: () => completion('stop', { content: 'Done.' }),
}

const completion = (finish_reason: string, delta: object): object[] => {
  const head = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'stub' }
  return [
    { ...head, choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason }] },
  ]
}

/** Google's Gemini API: Gemini CLI. */
const gemini: Api = {
  matches: (path) => path.includes(':streamGenerateContent'),
  read(body: GeminiBody) {
    const parts = body.contents.flatMap((content) => content.parts ?? [])
    const output = parts.find((part) => part.functionResponse)?.functionResponse?.response
    return {
      tools: (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []).map(({ name }) => name),
      result: output === undefined ? undefined : asText(output),
    }
  },
  call: (name, args) => candidate({ functionCall: { id: 'call_1', name, args } }),
  done: () => candidate({ text: 'Done.' }),
}

interface GeminiBody {
  contents: { parts?: { functionResponse?: { response: unknown } }[] }[]
  tools?: { functionDeclarations?: { name: string }[] }[]
}

const candidate = (part: object): object[] => [
  {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  },
]

const APIS = [responses, completions, gemini]

/** Starts the model on a port of its own. @param toolName how the name of the tool ends that it calls */
export async function startModelApis(input: object, toolName = 'ask_user_question'): Promise<ModelApis> {
  let offered: string[] = []
  let result: string | undefined
  const answer = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const api = request.method === 'POST' ? APIS.find((each) => each.matches(pathname)) : undefined
    if (!api) return void reply.writeHead(404).end()
    const turn = api.read((await json(request)) as never)
    if (turn.tools.length > 0) offered = turn.tools
    result ??= turn.result
    const tool = turn.tools.find((name) => name.endsWith(toolName))
    const events = tool !== undefined && turn.result === undefined ? api.call(tool, input) : api.done()
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) {
      if ('type' in event) reply.write(`event: ${event.type}\n`)
      reply.write(`data: ${JSON.stringify(event)}\n\n`)
    }
    reply.end(api === completions ? 'data: [DONE]\n\n' : '')
  }
  const server = createServer((request, reply) => void answer(request, reply).catch(() => reply.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    result: () => result,
    tools: () => offered,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
