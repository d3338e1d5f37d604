import { unknownKeys } from '../../lib/check-options.ts'
import { invalid } from '../../lib/errors.ts'
import { own } from '../../lib/objects.ts'
import { parseQuestions } from '../../question/parse-questions.ts'
import type { AskedQuestion } from '../../question/question.ts'
import type { ToolDefinition } from './tool-definition.ts'

/** The arguments of a call, as a model gave them. */
export type ToolInput = Readonly<Record<string, unknown>>

/** The keys of a call that its tool does not have. What such a key holds is no concern of the tool. */
export const keysBeside = (input: ToolInput, { inputSchema }: ToolDefinition): string[] =>
  Object.keys(input).filter((key) => !own(inputSchema.properties ?? {}, key))

/** Whether a key that the tool does not have was meant for `blocking`. */
export const isMeantForBlocking = (key: string, { inputSchema }: ToolDefinition): boolean =>
  inputSchema.properties?.blocking !== undefined && /^wait$|block/i.test(key)

/**
 * Reads a call of a tool that asks. A key that the tool does not have is a fault: with it something was meant that would not be
 * asked.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseAskCall(input: ToolInput, tool: ToolDefinition): AskedQuestion[] {
  const { inputSchema } = tool
  const faults = unknownKeys(inputSchema, input).map((fault) =>
    Object.hasOwn(input, fault.path) && isMeantForBlocking(fault.path, tool)
      ? { ...fault, expected: 'no such key: whether you wait is "blocking"' }
      : fault,
  )
  // A model that does not want to wait would wait.
  if (inputSchema.properties?.blocking && typeof (input.blocking ?? true) !== 'boolean')
    faults.push({ path: 'blocking', expected: 'true or false' })
  if (faults.length > 0) throw invalid('INVALID_QUESTIONS', 'These questions cannot be asked', faults)
  return parseQuestions(input.questions)
}
