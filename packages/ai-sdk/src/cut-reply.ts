import { ASK_TOOL_NAMES } from '@sandagent/core'
import { systemClock } from '@sandagent/core/internal'
import type { LocalSandbox, Run } from '@sandagent/sdk'
import { chunkOf, followLog, latestRecord } from '@sandagent/sdk/internal'
import type { UIMessageChunk } from 'ai'

/** What is worth keeping of a reply whose server was killed. */
export interface CutReply {
  chunks: UIMessageChunk[]
  /** The model has nothing more to say. */
  isComplete: boolean
}

export const NOTHING_SAID: CutReply = { chunks: [], isComplete: false }

/** The name of the earlier start in a run's metadata. */
export const CONTINUES = 'continues'

/**
 * Reads what a server that has ended had said, by the log of the run. A server that was killed before it had copied an earlier
 * log leaves an empty one: then the earlier log counts.
 */
export async function readCutReply(sandbox: LocalSandbox, run: Run): Promise<CutReply> {
  const { attempt, runId } = run
  const record = await latestRecord(sandbox, runId, { before: attempt + 1 })
  if (record?.attempt !== attempt) return NOTHING_SAID
  const chunks: UIMessageChunk[] = []
  const { signal } = new AbortController()
  for await (const events of followLog(sandbox, record, { follow: false, signal, clock: systemClock }))
    for (const chunk of events.map(chunkOf)) if ('type' in chunk) chunks.push(chunk as UIMessageChunk)
  const earlier = Number(record.metadata[CONTINUES])
  if (chunks.length > 0 || !earlier) return settled(chunks)
  return readCutReply(sandbox, { ...run, attempt: earlier })
}

/** The model reads it in place of a tool's result. */
const LOST =
  'The server stopped before this tool had a result. Whether it had an effect is not known. Look before you call it again.'

/**
 * Whole steps are kept. Of the last step, a call of a tool is kept with its result, and a question without one, because its
 * answer may still come. The model says the rest again.
 */
export function settled(said: readonly UIMessageChunk[]): CutReply {
  if (said.some(({ type }) => type === 'finish')) return { chunks: [...said], isComplete: true }
  const chunks = said.filter(({ type }) => type !== 'error' && type !== 'abort')
  const start = chunks.findLastIndex(({ type }) => type === 'start-step')
  if (start === -1) return NOTHING_SAID
  const step = chunks.slice(start)
  const calls = step.filter(isCall)
  if (!calls.some(({ providerExecuted }) => providerExecuted !== true)) {
    const isComplete = step.some(({ type }) => type === 'finish-step')
    return { chunks: isComplete ? chunks : chunks.slice(0, start), isComplete }
  }
  const closed = new Set(step.flatMap((chunk) => (isEnd(chunk) ? [idOf(chunk)] : [])))
  const waits = new Set<unknown>()
  const lost: UIMessageChunk[] = []
  for (const { toolCallId, toolName, providerExecuted, dynamic } of calls.filter(
    (call) => !closed.has(idOf(call)),
  ))
    if (ASK_TOOL_NAMES.some((name) => name === toolName)) waits.add(toolCallId)
    else if (providerExecuted !== true) {
      waits.add(toolCallId)
      lost.push({ type: 'tool-output-error', toolCallId, errorText: LOST, ...(dynamic && { dynamic }) })
    }
  const isKept = (chunk: UIMessageChunk): boolean => {
    const id = idOf(chunk)
    return id === undefined || closed.has(id) || waits.has(id)
  }
  return { chunks: [...chunks.slice(0, start), ...step.filter(isKept), ...lost], isComplete: false }
}

type Call = Extract<UIMessageChunk, { type: 'tool-input-available' | 'tool-input-error' }>

const isCall = (chunk: UIMessageChunk): chunk is Call =>
  chunk.type === 'tool-input-available' || chunk.type === 'tool-input-error'

/** The call, the text or the reasoning that a chunk is a part of. */
const idOf = (chunk: UIMessageChunk): unknown => {
  if ('toolCallId' in chunk) return chunk.toolCallId
  return /^(text|reasoning)-/.test(chunk.type) && 'id' in chunk ? chunk.id : undefined
}

/** Whether this chunk ends the part that it belongs to. */
const isEnd = (chunk: UIMessageChunk): boolean =>
  chunk.type === 'tool-output-available'
    ? chunk.preliminary !== true
    : ['text-end', 'reasoning-end', 'tool-input-error', 'tool-output-error', 'tool-output-denied'].includes(
        chunk.type,
      )
