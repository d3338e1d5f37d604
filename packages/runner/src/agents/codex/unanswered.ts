import { createReadStream } from 'node:fs'
import { isObject, jsonOrText } from '@sandagent/core/internal'
import { linesOf } from '../../run/lines-of.ts'
import { type CodexItem, itemIn } from './items.ts'

/** A question that an earlier run of a thread has left. */
export interface LeftQuestion {
  turnId: string
  itemId: string
  /** What the model asked, as `item/tool/requestUserInput` has it, or the message by which it asked without waiting. */
  params: unknown
  blocking: boolean
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

/** The first line of the message that tells a model an answer for which it did not wait. */
export const answerHeading = (turnId: string, itemId: string): string =>
  `About the question with the id ${turnId}-${itemId}:`

/**
 * The questions in a transcript for which nobody has told an answer: those of the last turn without a result, and those of any
 * turn that its model did not wait for. Codex writes each call of its model there, each result, and each message.
 */
export async function leftIn(lines: AsyncIterable<string>): Promise<LeftQuestion[]> {
  const left = new Map<string, LeftQuestion>()
  let unawaited: LeftQuestion[] = []
  let turnId = ''
  for await (const line of lines) {
    const { type, payload } = recordIn(line)
    const message = type === 'event_msg' && payload.type === 'item_completed' ? itemIn(payload) : null
    if (message?.questions?.length)
      unawaited.push({
        turnId: String(payload.turn_id),
        itemId: message.id,
        params: message,
        blocking: false,
      })
    if (message?.type === 'UserMessage') unawaited = unawaited.filter((each) => !tells(message, each))
    if (type === 'turn_context' && typeof payload.turn_id === 'string') {
      if (payload.turn_id !== turnId) left.clear()
      turnId = payload.turn_id
    }
    const { call_id: itemId } = payload
    if (type !== 'response_item' || typeof itemId !== 'string') continue
    if (payload.type === 'function_call_output' && !isBrokenOff(payload.output)) left.delete(itemId)
    if (payload.type === 'function_call' && payload.name === 'request_user_input')
      left.set(itemId, { turnId, itemId, params: argumentsIn(payload.arguments), blocking: true })
  }
  return [...left.values(), ...unawaited]
}

/** Whether a message of the user has the answer to a question. */
const tells = ({ content }: CodexItem, { turnId, itemId }: LeftQuestion): boolean =>
  JSON.stringify(content).includes(answerHeading(turnId, itemId))

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
