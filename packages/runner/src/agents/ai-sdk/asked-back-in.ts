import { ASK_TOOL_NAMES, isObject, pick, questionAskedBack } from '@sandagent/core/internal'

/** What the messages of a chat tell of the last question, if a person asked back about it. */
interface AskedBefore {
  toolCallId: string
  question: string
  /** What the model said since. */
  said: string
}

/** Reads model messages of the AI SDK 5, 6 and 7: another process may have asked, and only the messages are left. */
export function askedBackIn(messages: readonly unknown[]): AskedBefore | null {
  const said: string[] = []
  for (const message of messages.toReversed()) {
    if (!isObject(message)) continue
    const parts = partsOf(message.content)
    if (message.role === 'assistant') said.unshift(...parts.flatMap(textIn))
    const result = parts.find(isResult)
    if (!result) continue
    const question = questionAskedBack(pick(result.output, 'string', ['value']).value ?? '')
    return question === null ? null : { toolCallId: result.toolCallId, question, said: said.join('\n\n') }
  }
  return null
}

const partsOf = (content: unknown): unknown[] => (Array.isArray(content) ? content : [content])

const textIn = (part: unknown): string[] => {
  if (typeof part === 'string') return [part]
  return isObject(part) && part.type === 'text' && typeof part.text === 'string' ? [part.text] : []
}

/** The result of a call of the tool here. */
const isResult = (part: unknown): part is { toolCallId: string; output: unknown } =>
  isObject(part) &&
  part.type === 'tool-result' &&
  typeof part.toolCallId === 'string' &&
  ASK_TOOL_NAMES.some((name) => name === part.toolName)
