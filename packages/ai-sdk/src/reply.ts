import { createFileRunnerChannel } from '@sandagent/files'
import {
  createAskUserQuestionTool,
  createQuestionTools,
  type QuestionTools,
  type ResultWriter,
  resumeQuestions,
  UnansweredError,
} from '@sandagent/runner/ai-sdk'
import type { LocalSandbox, OwnRunLog } from '@sandagent/sdk'
import * as ai from 'ai'
import type { CutReply } from './cut-reply.ts'

/** What a caller says of the model: the options of `streamText`, and those of the question. */
export interface ReplyOptions extends Omit<Parameters<typeof ai.streamText>[0], 'messages' | 'prompt'> {
  /** How long a question waits untouched, in milliseconds. Default: for ever. */
  questionTimeoutMs?: number | undefined
  /**
   * Whether the model may ask without waiting. It is told an answer at its next step, and one that comes after the reply with
   * the next one. Default false.
   */
  tickets?: boolean | undefined
  /**
   * What the page reads of an error of the model or of a tool; the model reads the error itself. Default: 'An error occurred.'
   * If nobody answers, the page always reads the words that the model reads.
   */
  errorText?: ((error: unknown) => string) | undefined
}

/** A reply that is to be written. */
export interface Reply {
  sandbox: LocalSandbox
  runId: string
  /** The messages that are replied to. */
  messages: ai.UIMessage[]
  /** What an earlier server had said of this reply. */
  begun: CutReply
  save(messages: ai.UIMessage[]): Promise<void>
}

/** Lets the model reply. What it says goes into the log, whether or not a page reads it. */
export async function writeReply(
  log: OwnRunLog,
  { sandbox, runId, messages: saved, begun, save }: Reply,
  {
    questionTimeoutMs: timeoutMs,
    errorText = () => 'An error occurred.',
    tickets,
    ...settings
  }: ReplyOptions,
): Promise<void> {
  const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
  const onError = (error: unknown) => (error instanceof UnansweredError ? error.message : errorText(error))
  const asking = { channel, runId, timeoutMs }
  let write: ResultWriter['write'] = () => {}
  const questions = tickets
    ? createQuestionTools({ ...asking, writer: { write: (chunk) => write(chunk) } })
    : undefined
  const messages = questions ? await questions.resume(saved) : saved
  const asks = questions?.tools ?? { AskUserQuestion: createAskUserQuestionTool(asking) }
  const tools = { ...asks, ...settings.tools }
  const chunks = ai.createUIMessageStream({
    originalMessages: messages,
    onError,
    async onFinish({ messages: all, responseMessage }) {
      await questions?.close()
      await save(responseMessage.parts.length > 0 ? all : messages)
    },
    async execute({ writer }) {
      write = (chunk) => writer.write(chunk)
      for (const chunk of begun.chunks) writer.write(chunk)
      if (begun.isComplete) return
      const known = [...messages, ...(await messagesOf(begun))]
      const { abortSignal } = settings
      const resumed = await resumeQuestions(known, { ...asking, abortSignal, writer })
      const answered = questions ? await questions.resume(resumed) : resumed
      const prompt = await ai.convertToModelMessages(answered, { tools, ignoreIncompleteToolCalls: true })
      const result = ai.streamText({
        stopWhen: ai.stepCountIs(20),
        ...settings,
        ...(questions && { prepareStep: withNews(questions, settings.prepareStep) }),
        tools,
        messages: prompt,
      })
      writer.merge(result.toUIMessageStream({ onError, sendStart: begun.chunks.length === 0 }))
    },
  })
  // In one piece: a server that is killed meanwhile leaves all of it or nothing.
  await log.write(begun.chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''))
  let known = begun.chunks.length
  for await (const event of chunks.pipeThrough(new ai.JsonToSseTransformStream()))
    if (--known < 0) await log.write(event)
}

type PrepareStep = NonNullable<ReplyOptions['prepareStep']>

/** Tells the model what was answered, before the caller's own step. */
const withNews =
  (questions: QuestionTools, prepareStep: ReplyOptions['prepareStep']): PrepareStep =>
  async (step) => {
    const news = questions.prepareStep(step)
    const own = await prepareStep?.({ ...step, ...news })
    return { ...news, ...own }
  }

/**
 * The message that a reply was until it was cut: one, or none. Its questions are withdrawn. An answer that was given meanwhile
 * counts.
 */
export async function withdrawn(
  { sandbox, runId }: Pick<Reply, 'sandbox' | 'runId'>,
  cut: CutReply,
): Promise<ai.UIMessage[]> {
  const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
  const messages = await messagesOf(cut)
  const stop = new AbortController()
  const resumed = resumeQuestions(messages, { channel, runId, abortSignal: stop.signal })
  // Only now: a question that is withdrawn from the beginning is not looked up.
  stop.abort()
  return resumed
}

async function messagesOf({ chunks }: CutReply): Promise<ai.UIMessage[]> {
  let messages: ai.UIMessage[] = []
  for await (const message of ai.readUIMessageStream({ stream: ReadableStream.from(chunks) }))
    messages = [message]
  return messages
}
