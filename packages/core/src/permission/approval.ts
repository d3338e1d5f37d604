import { type GivenResponse, responseTo } from '../answer/response.ts'
import { isPlainName, quotedName } from '../lib/text/quoted-name.ts'
import { APPROVAL_OPTIONS, type ApprovalDecision, decisionOf } from '../question/approval-options.ts'
import { optionValue, type Question, type QuestionOption } from '../question/question.ts'
import { asModelsRead, type Outcome } from '../record/outcome/outcome.ts'

export interface ApprovalQuestionOptions {
  /** What "Allow for this session" would allow. Without it, the option is not offered. */
  sessionScope?: string | undefined
  /** Whether "Deny" comes first. Default false. */
  denyFirst?: boolean | undefined
}

/**
 * The question that asks for the approval of a tool call. It is asked alone, with `kind: 'approval'` and the call as its
 * `subject`.
 */
export function approvalQuestion(
  toolName: string,
  { sessionScope, denyFirst = false }: ApprovalQuestionOptions = {},
): Question {
  const { allowOnce, allowSession, deny } = APPROVAL_OPTIONS
  const options = [
    allowOnce,
    ...(sessionScope === undefined ? [] : [{ ...allowSession, description: sessionScope }]),
    { ...deny, description: 'A note tells the agent why.' },
  ]
  return {
    id: 'permission',
    question: `May the agent use ${quotedName(toolName)}?`,
    // In Markdown, a name could draw something else.
    ...(!isPlainName(toolName) && { textFormat: 'plain' }),
    header: 'Permission',
    options: denyFirst ? options.reverse() : options,
    allowFreeText: false,
  }
}

/** The option of a question that stands for a decision. */
export const optionFor = (
  question: Pick<Question, 'options'> | undefined,
  decision: ApprovalDecision,
): QuestionOption | undefined =>
  question?.options?.find((option) => decisionOf(optionValue(option)) === decision)

/** What a person decided. */
export interface Approval {
  decision?: ApprovalDecision | undefined
  /** The note beside the decision, as a model reads it. */
  note?: string | undefined
  /** Of an allowed call that the person edited: the input to run, in the place of the agent's. */
  input?: unknown
}

/** What a person picked. Defaults, drafts and missing answers are no decision. */
export function pickIn({ kind, questions, responses }: Outcome): GivenResponse | undefined {
  const [question] = questions
  const response = question && responseTo(responses, question)
  if (kind !== 'answered' || response === undefined || 'skipped' in response) return undefined
  return response.source === 'human' ? response : undefined
}

/** What a person decided, and the note beside it. */
export function approvalIn(outcome: Outcome): Approval {
  const response = pickIn(asModelsRead(outcome))
  if (!response) return {}
  const decision = decisionOf(response.selected[0])
  const isEdited = decision === 'allowOnce' && response.input !== undefined
  return { decision, note: response.notes?.trim(), ...(isEdited && { input: response.input }) }
}
