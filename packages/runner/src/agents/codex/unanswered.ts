import { createReadStream } from 'node:fs'
import { isObject, jsonOrText } from '@sandagent/core/internal'
import { linesOf } from '../../run/lines-of.ts'

/** A question of a turn that has broken off. */
export interface LeftQuestion {
  turnId: string
  itemId: string
  /** What the model asked, as `item/tool/requestUserInput` has it. */
  params: unknown
}

/** The open questions of a thread, by the file where Codex keeps it. */
export async function leftQuestions(path: string): Promise<LeftQuestion[]> {
  try {
    return await leftIn(linesOf(createReadStream(path)))
  } catch (error) {
    // A thread without a turn has no transcript yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/**
 * The questions of the last turn in a transcript that have no result. Codex writes each call of its model there, and each result.
 */
export async function leftIn(lines: AsyncIterable<string>): Promise<LeftQuestion[]> {
  const left = new Map<string, LeftQuestion>()
  let turnId = ''
  for await (const line of lines) {
    const { type, payload } = recordIn(line)
    if (type === 'turn_context' && typeof payload.turn_id === 'string') {
      if (payload.turn_id !== turnId) left.clear()
      turnId = payload.turn_id
    }
    const { call_id: itemId } = payload
    if (type !== 'response_item' || typeof itemId !== 'string') continue
    if (payload.type === 'function_call_output' && !isBrokenOff(payload.output)) left.delete(itemId)
    if (payload.type === 'function_call' && payload.name === 'request_user_input')
      left.set(itemId, { turnId, itemId, params: argumentsIn(payload.arguments) })
  }
  return [...left.values()]
}

/** What Codex writes when its client goes during a call, as if the user had stopped it. */
const isBrokenOff = (output: unknown): boolean => typeof output === 'string' && output.startsWith('aborted')

function recordIn(line: string): { type?: unknown; payload: Record<string, unknown> } {
  // The last line of a killed Codex may be cut off.
  const record = jsonOrText(line)
  return isObject(record) && isObject(record.payload)
    ? { type: record.type, payload: record.payload }
    : { payload: {} }
}

/** The model is told that its client adds words of the person's own; only the app server says so in the request. */
function argumentsIn(text: unknown): unknown {
  const input = jsonOrText(String(text))
  if (!isObject(input) || !Array.isArray(input.questions)) return input
  return { questions: input.questions.map((question) => ({ isOther: true, ...question })) }
}
