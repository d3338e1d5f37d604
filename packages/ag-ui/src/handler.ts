import { type AGUIEvent, EventType, PROTOCOL_VERSION, type RunAgentInput } from '@ag-ui/core'
import { RunAgentInputSchema } from '@ag-ui/core/schemas'
import { AskError, invalid, systemClock } from '@sandagent/core/internal'
import { type Agents, errorResponse, type NodeHandler, toNodeHandler, type WebHandler } from '@sandagent/sdk'
import { EVENT_STREAM_HEADERS, eventStream, logError, readJson } from '@sandagent/sdk/internal'
import { createInnerRequests, type InnerRequests, Refusal } from './inner-requests.ts'
import { readResume, storeAnswers } from './resume.ts'
import { runEvents } from './run-stream.ts'

/** One way in for clients of AG-UI. */
export interface AgUiHandler {
  /** Takes a `RunAgentInput`, and streams events. */
  web: { POST: WebHandler }
  /** The same for Express, `http.createServer` and `pages/api`. */
  node: NodeHandler
}

/** Clients send the whole thread each time. */
const MAX_INPUT_BYTES = 4 * 1024 * 1024

/**
 * Lets clients of AG-UI 1.0, such as `HttpAgent` and CopilotKit, talk to the agents of `createAgents`. A thread is a chat. A
 * question or an approval ends a run with an interrupt. The next run answers it by `resume`, as the user whom `createAgents`
 * knows: the answer is checked, signed and stored like that of any page. The agent itself waits meanwhile, and pages can
 * answer, too.
 */
export function createAgUiHandler({ web }: Pick<Agents, 'web'>): AgUiHandler {
  const take: WebHandler = async (request) => {
    const gone = new AbortController()
    try {
      const input = inputIn(await readJson(request, MAX_INPUT_BYTES))
      const inner = createInnerRequests(web, request, gone.signal)
      const begun = await beginReply(inner, input).catch((error: unknown) => refusalIn(error))
      const stream = eventStream(
        async function* (signal) {
          signal.addEventListener('abort', () => gone.abort())
          try {
            yield* eventsOf(begun, { input, inner, signal })
          } finally {
            gone.abort()
          }
        },
        { clock: systemClock, onError: logError, signal: request.signal },
      )
      return new Response(stream, { headers: EVENT_STREAM_HEADERS })
    } catch (error) {
      gone.abort()
      return error instanceof Refusal ? error.response : errorResponse(error)
    }
  }
  const handlers = { POST: take }
  return { web: handlers, node: toNodeHandler(handlers) }
}

type Input = Pick<RunAgentInput, 'threadId' | 'runId' | 'messages' | 'resume'>

/** @throws AskError `INVALID_REQUEST` */
function inputIn(body: unknown): Input {
  const parsed = RunAgentInputSchema.safeParse(body)
  if (parsed.success) return parsed.data as Input
  const faults = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), expected: message }))
  throw invalid('INVALID_REQUEST', 'This is no RunAgentInput of AG-UI', faults)
}

type Begun = Pick<Parameters<typeof runEvents>[0], 'chunks' | 'told' | 'answered'>

/** Answers what the thread waits for, or starts its agent. */
async function beginReply(inner: InnerRequests, { threadId, messages, resume = [] }: Input): Promise<Begun> {
  if (resume.length > 0) {
    const { answers, ...rest } = await readResume(inner, threadId, resume)
    // Before the answers: the reply may end at once.
    const chunks = await inner.reply(threadId)
    if (!chunks)
      throw new AskError('GONE', 'The run of this thread has ended. Send a message to begin another')
    await storeAnswers(inner, answers)
    return { chunks, ...rest }
  }
  const last = messages.at(-1)
  if (last?.role !== 'user')
    throw invalid('INVALID_REQUEST', 'This starts no agent', [
      { path: 'messages', expected: 'a message of the user at the end, or `resume`' },
    ])
  const { id, content } = last
  const text =
    typeof content === 'string'
      ? content
      : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return { chunks: await inner.start(threadId, { id, text }), told: 0, answered: [] }
}

/** What a client reads as the end of its run. Whoever may not come in gets the status instead. */
function refusalIn(error: unknown): { code: string; message: string } {
  if (error instanceof Refusal && ![401, 403].includes(error.response.status)) return error
  if (error instanceof AskError) return error
  throw error
}

async function* eventsOf(
  begun: Begun | { code: string; message: string },
  { input, inner, signal }: { input: Input; inner: InnerRequests; signal: AbortSignal },
): AsyncGenerator<string, void> {
  const { threadId, runId } = input
  yield lineOf({ type: EventType.RUN_STARTED, threadId, runId, protocolVersion: PROTOCOL_VERSION })
  if ('code' in begun)
    return yield lineOf({ type: EventType.RUN_ERROR, code: begun.code, message: begun.message })
  try {
    for await (const event of runEvents({ ...begun, input, inner }, signal)) yield lineOf(event)
  } catch (error) {
    logError(error)
    yield lineOf({ type: EventType.RUN_ERROR, ...BROKEN_OFF })
  }
}

/** The host's log says why. */
const BROKEN_OFF = {
  code: 'UNREACHABLE',
  message: 'The reply broke off on its way, and the agent goes on. Send the same request again',
}

const lineOf = (event: AGUIEvent): string => `data: ${JSON.stringify(event)}\n\n`
