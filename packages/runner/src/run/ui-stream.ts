export interface ToolCall {
  toolCallId: string
  toolName: string
}

/** Shows an agent's work. Each call resolves when its chunk is written, so that an agent does not outrun its reader. */
export interface UiStream {
  /** Begins the message. It replaces an earlier message with this id on the page. */
  start(messageId: string): Promise<void>
  startStep(): Promise<void>
  finishStep(): Promise<void>
  textStart(id: string): Promise<void>
  textDelta(id: string, delta: string): Promise<void>
  textEnd(id: string): Promise<void>
  reasoningStart(id: string): Promise<void>
  reasoningDelta(id: string, delta: string): Promise<void>
  reasoningEnd(id: string): Promise<void>
  toolInputStart(call: ToolCall): Promise<void>
  /** A piece of the input's JSON text. */
  toolInputDelta(toolCallId: string, inputTextDelta: string): Promise<void>
  /** The whole input. Write it before the call's output, also in a replay. */
  toolInput(call: ToolCall & { input: unknown }): Promise<void>
  toolOutput(toolCallId: string, output: unknown): Promise<void>
  /** Ends a tool call that failed or was declined. */
  toolError(toolCallId: string, errorText: string): Promise<void>
  /** Writes a part of type `data-NAME`. The same `id` again replaces the part. */
  data(name: string, data: unknown, id?: string): Promise<void>
  /** Adds facts about the whole message. */
  metadata(facts: object): Promise<void>
  /** The run failed. Readers throw this text. */
  error(errorText: string): Promise<void>
  /** The run was stopped. */
  abort(): Promise<void>
  finish(): Promise<void>
  /** Ends the stream. */
  done(): Promise<void>
}

// Version 5 of the AI SDK looks for a static tool part when `dynamic` is missing. `providerExecuted` keeps a page
// from sending the chat again once the answer is there.
const DYNAMIC = { dynamic: true, providerExecuted: true }

/**
 * Writes UI message chunks of the AI SDK as server-sent events, with `data: [DONE]` at the end. Versions 5, 6 and 7 of
 * `ai` accept all of them.
 *
 * @param write takes the text of one event; its promise is awaited
 */
export function createUiStream(write: (text: string) => void | Promise<void>): UiStream {
  const event = async (data: string): Promise<void> => write(`data: ${data}\n\n`)
  const send = (type: string, fields: object = {}): Promise<void> =>
    event(JSON.stringify({ type, ...fields }, withoutPrototypeKeys))
  return {
    start: (messageId) => send('start', { messageId }),
    startStep: () => send('start-step'),
    finishStep: () => send('finish-step'),
    textStart: (id) => send('text-start', { id }),
    textDelta: (id, delta) => send('text-delta', { id, delta }),
    textEnd: (id) => send('text-end', { id }),
    reasoningStart: (id) => send('reasoning-start', { id }),
    reasoningDelta: (id, delta) => send('reasoning-delta', { id, delta }),
    reasoningEnd: (id) => send('reasoning-end', { id }),
    toolInputStart: ({ toolCallId, toolName }) =>
      send('tool-input-start', { toolCallId, toolName, ...DYNAMIC }),
    toolInputDelta: (toolCallId, inputTextDelta) => send('tool-input-delta', { toolCallId, inputTextDelta }),
    toolInput: ({ toolCallId, toolName, input }) =>
      send('tool-input-available', { toolCallId, toolName, input, ...DYNAMIC }),
    toolOutput: (toolCallId, output) => send('tool-output-available', { toolCallId, output, ...DYNAMIC }),
    toolError: (toolCallId, errorText) => send('tool-output-error', { toolCallId, errorText, ...DYNAMIC }),
    data: (name, data, id) => send(`data-${name}`, { data, id }),
    metadata: (messageMetadata) => send('message-metadata', { messageMetadata }),
    error: (errorText) => send('error', { errorText }),
    abort: () => send('abort'),
    finish: () => send('finish'),
    done: () => event('[DONE]'),
  }
}

/** Leaves out keys that could reach a prototype: readers throw away a chunk that has one. */
const withoutPrototypeKeys = (key: string, value: unknown): unknown =>
  key === '__proto__' || (key === 'constructor' && Object.hasOwn(Object(value), 'prototype'))
    ? undefined
    : value
