import * as v from 'valibot'
import { own } from '../../lib/objects.ts'
import { approvalQuestion } from '../../permission/approval.ts'
import { reasonsOf } from '../../permission/reasons-of.ts'
import { parseQuestions, questionsSchema } from '../../question/parse-questions.ts'
import type { AskedQuestion, Question } from '../../question/question.ts'
import { isShortSchema } from '../../question/tool-input.ts'
import type { ApprovalSubject } from '../../record/question-record.ts'
import { formatRequest as formatForm } from '../mcp/form.ts'
import { approvalSchemaIn } from './approval-schema.ts'
import { formOf } from './form.ts'
import { type Interrupt, messageWithMetadata, OURS, oursIn, readInterrupt } from './interrupt.ts'

/** The tool call that an interrupt is about, as the events before it told. */
export interface InterruptedCall {
  toolName: string
  input: unknown
}

/** What an interrupt asks. */
export interface InterruptRequest {
  kind: 'question' | 'approval'
  questions: AskedQuestion[]
  /** Of an approval: the call as it will run. */
  subject?: ApprovalSubject
}

/**
 * Reads an interrupt as a question, or as an approval where it asks whether the given call may run. What no form can ask is
 * typed as JSON. Questions of a host of ours are read as they are.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault
 */
export function parseInterrupt(input: unknown, call?: InterruptedCall): InterruptRequest {
  const interrupt = readInterrupt(input)
  const approval = approvalSchemaIn(interrupt)
  if (!approval)
    return { kind: 'question', questions: ownQuestions(interrupt) ?? formOf(interrupt).questions }
  // What is permitted is not in sight: the agent's words are all that there is.
  if (!call) {
    const { header: _, ...question } = approvalQuestion('tool')
    const text = messageWithMetadata(interrupt)
    return { kind: 'question', questions: parseQuestions([{ ...question, question: text }]) }
  }
  const { editedArgs } = approval
  const isSchemaKept = editedArgs && Object.keys(editedArgs).length > 0 && isShortSchema(editedArgs)
  return {
    kind: 'approval',
    questions: parseQuestions([approvalQuestion(call.toolName)]),
    subject: {
      ...call,
      reasons: reasonsOf({ agent: [interrupt.message] }),
      ...(editedArgs && { editable: true }),
      ...(isSchemaKept && { schema: editedArgs }),
    },
  }
}

/** Reads an interrupt as questions. @throws AskError `INVALID_QUESTIONS` with every fault */
export const parseRequest = (input: unknown): AskedQuestion[] => parseInterrupt(input).questions

/** The questions that a host of ours wrote beside the form; `null` if there are none. */
export function ownQuestions(interrupt: Interrupt): AskedQuestion[] | null {
  const { success, output } = v.safeParse(questionsSchema, own(oursIn(interrupt), 'questions'))
  return success ? output : null
}

/** What is known of a question beside its texts. */
export interface InterruptFacts {
  id: string
  toolCallId?: string | undefined
  /** ISO 8601. */
  deadline?: string | null | undefined
  /** Of an approval: the call that it permits. */
  subject?: ApprovalSubject | undefined
}

/**
 * Writes a question or an approval as an interrupt. The form has the fields of the dialect of MCP, and `metadata.sandagent` has
 * the questions as they are.
 */
export function formatRequest(
  questions: readonly Question[],
  { id, toolCallId, deadline, subject }: InterruptFacts,
): Interrupt {
  const { message, requestedSchema } = formatForm(questions)
  return {
    id,
    reason: subject ? 'tool_call' : 'input_required',
    message,
    ...(toolCallId !== undefined && { toolCallId }),
    responseSchema: subject ? approvalSchema(subject) : requestedSchema,
    ...(deadline != null && { expiresAt: deadline }),
    metadata: { [OURS]: { questions } },
  }
}

const approvalSchema = ({ editable, schema = { type: 'object' } }: ApprovalSubject) => ({
  type: 'object',
  properties: { approved: { type: 'boolean' }, ...(editable && { editedArgs: schema }) },
  required: ['approved'],
})
