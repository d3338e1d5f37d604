// A chat whose question survives a reload, a closed tab and a restart of the server.
import { createFileRunnerChannel } from '@sandagent/files'
import { createAskUserQuestionTool, resumeQuestions, UnansweredError } from '@sandagent/runner/ai-sdk'
import { LocalSandbox, RUN_STREAM_HEADERS, readRun, recordOwnRun, streamRun } from '@sandagent/sdk'
import * as ai from 'ai'

/**
 * Each reply is a run of its own.
 *
 * @param {string} id
 * @param {ai.UIMessage[]} messages
 */
const runOf = (id, messages) => `${id}-${messages.length}`

/** @param {unknown} error */
const onError = (error) => (error instanceof UnansweredError ? error.message : 'An error occurred.')

/**
 * `load` and `save` keep the messages of a chat, such as in your database.
 *
 * @param {{
 *   workdir: string
 *   model: ai.LanguageModel
 *   load(id: string): Promise<ai.UIMessage[]>
 *   save(id: string, messages: ai.UIMessage[]): Promise<void>
 * }} options
 */
export function createChat({ workdir, model, load, save }) {
  const sandbox = new LocalSandbox({ workdir })
  const channel = createFileRunnerChannel({ workdir })

  /**
   * Lets the model reply. What it says goes into a log, whether or not a page reads it.
   *
   * @param {string} id
   * @param {ai.UIMessage[]} messages
   * @param {ai.UIMessageChunk[]} begun what an earlier server had said
   */
  async function reply(id, messages, begun = []) {
    const runId = runOf(id, messages)
    const log = await recordOwnRun(sandbox, { runId, agent: 'ai', args: [], prompt: '' })
    const tools = { AskUserQuestion: createAskUserQuestionTool({ channel, runId }) }
    const chunks = ai.createUIMessageStream({
      originalMessages: messages,
      onError,
      onFinish: ({ messages }) => save(id, messages),
      async execute({ writer }) {
        for (const chunk of begun) writer.write(chunk)
        const known = [...messages, ...(await messagesOf(begun))]
        const answered = await resumeQuestions(known, { channel, runId, writer })
        const prompt = await ai.convertToModelMessages(answered, { tools, ignoreIncompleteToolCalls: true })
        const result = ai.streamText({ model, tools, messages: prompt, stopWhen: ai.stepCountIs(20) })
        writer.merge(result.toUIMessageStream({ onError, sendStart: begun.length === 0 }))
      },
    })
    keep(log, chunks).catch(console.error)
    return stream(runId)
  }

  /**
   * What a server that has ended had said, by its log. Only a question that waits is worth to go on with.
   *
   * @param {string} runId
   */
  async function chunksOf(runId) {
    const stream = await streamRun(sandbox, runId, { follow: false })
    /** @type {ai.UIMessageChunk[]} */
    const chunks = []
    for await (const part of ai.parseJsonEventStream({ stream, schema: ai.uiMessageChunkSchema }))
      if (part.success && part.value.type !== 'error') chunks.push(part.value)
    const [message] = await messagesOf(chunks)
    return message?.parts.some((part) => ai.isToolUIPart(part) && part.state === 'input-available')
      ? chunks
      : []
  }

  /** @param {string} runId */
  const stream = async (runId) =>
    new Response(await streamRun(sandbox, runId), { headers: RUN_STREAM_HEADERS })

  return {
    /**
     * POST /api/chat: the page sends a message.
     *
     * @param {{ id: string, messages: ai.UIMessage[] }} body
     */
    async send({ id, messages }) {
      const all = [...(await load(id)), ...messages.slice(-1)]
      await save(id, all)
      return reply(id, all)
    },
    /**
     * GET /api/chat/ID/stream: a page was opened again, with `useChat({ resume: true })`.
     *
     * @param {string} id
     */
    async resume(id) {
      const messages = await load(id)
      const run = await readRun(sandbox, runOf(id, messages))
      if (run?.state === 'crashed') return reply(id, messages, await chunksOf(run.runId))
      return run?.state === 'running' ? stream(run.runId) : new Response(null, { status: 204 })
    },
  }
}

/**
 * @param {import('@sandagent/sdk').OwnRunLog} log
 * @param {ReadableStream<ai.UIMessageChunk>} chunks
 */
async function keep(log, chunks) {
  try {
    for await (const event of chunks.pipeThrough(new ai.JsonToSseTransformStream())) await log.write(event)
  } finally {
    await log.close()
  }
}

/**
 * The message that chunks make: one, or none without chunks.
 *
 * @param {ai.UIMessageChunk[]} chunks
 */
async function messagesOf(chunks) {
  /** @type {ai.UIMessage[]} */
  let messages = []
  const stream = ai.simulateReadableStream({ chunks })
  for await (const message of ai.readUIMessageStream({ stream })) messages = [message]
  return messages
}
