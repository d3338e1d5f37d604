import * as v from 'valibot'
import { listOf } from '../../lib/schema.ts'
import { inQuotes } from '../../lib/text/quoted-name.ts'
import { approvalQuestion, pickIn } from '../../permission/approval.ts'
import { APPROVAL_OPTIONS } from '../../question/approval-options.ts'
import { QUESTION_LIMITS } from '../../question/limits.ts'
import type { Question, QuestionOption } from '../../question/question.ts'
import type { Outcome } from '../../record/outcome/outcome.ts'
import type { ApprovalSubject } from '../../record/question-record.ts'
import { readRequest } from '../dialect.ts'
import { callSchema, subjectOf } from './call.ts'

/** What an option of a permission does, in the order in which a person sees them. */
const KINDS = {
  allow_once: APPROVAL_OPTIONS.allowOnce,
  allow_always: { value: undefined, label: 'Allow always' },
  reject_once: APPROVAL_OPTIONS.deny,
  reject_always: { value: undefined, label: 'Deny always' },
} as const

type OptionKind = keyof typeof KINDS
const ORDER = Object.keys(KINDS) as OptionKind[]

interface PermissionOption {
  optionId: string
  name: string
  kind: OptionKind
}

const optionSchema: v.GenericSchema<unknown, PermissionOption> = v.object({
  optionId: v.string(),
  name: v.string(),
  kind: v.picklist(ORDER),
})

const permissionSchema = v.object({
  toolCall: callSchema,
  options: v.pipe(
    listOf(optionSchema, QUESTION_LIMITS.options, `at most ${QUESTION_LIMITS.options} options`),
    v.minLength(1, 'at least one option'),
    v.check(
      (options) => new Set(options.map(({ optionId }) => optionId)).size === options.length,
      'options with ids of their own: otherwise you could not tell which one was chosen',
    ),
  ),
})

/** What to ask before a tool call of an agent runs. */
export interface AcpPermission {
  toolCallId: string
  question: Question
  subject: ApprovalSubject
}

/** The result of a `session/request_permission` request. */
export interface PermissionResult {
  outcome: { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' }
}

/**
 * Reads the `params` of a `session/request_permission` request. The first option of a kind is "Allow once" or "Deny". All
 * others say in their label what they do, and quote the agent's name for them: nobody else knows what "always" covers.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parsePermission(params: unknown): AcpPermission {
  const { toolCall, options } = readRequest(permissionSchema, params)
  const subject = subjectOf(toolCall)
  const question: Question = {
    ...approvalQuestion(subject.toolName),
    // In Markdown, a name could draw something else.
    textFormat: 'plain',
    options: choicesOf(options).map(({ option }) => option),
  }
  return { toolCallId: toolCall.toolCallId, question, subject }
}

/**
 * Writes the outcome of the question of `parsePermission`. Only what a person picked is selected. A decline is the option that
 * rejects once, where there is one. Everything else is `cancelled`: nothing then runs.
 *
 * @throws AskError `INVALID_QUESTIONS` when `params` are no such request.
 */
export function formatPermission(outcome: Outcome, params: unknown): PermissionResult {
  const choices = choicesOf(readRequest(permissionSchema, params).options)
  const picked = pickIn(outcome)?.selected[0]
  const choice =
    picked === undefined
      ? choices.find(({ kind }) => outcome.kind === 'declined' && kind === 'reject_once')
      : choices.find(({ option }) => option.value === picked)
  return {
    outcome: choice ? { outcome: 'selected', optionId: choice.optionId } : { outcome: 'cancelled' },
  }
}

interface Choice extends PermissionOption {
  option: QuestionOption
}

function choicesOf(options: readonly PermissionOption[]): Choice[] {
  const labels = new Set<string>()
  const sorted = options
    .map((option, index) => ({ ...option, number: index + 1 }))
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
  return sorted.map(({ number, ...option }, place) => {
    const { value, label } = KINDS[option.kind]
    const isFirst = value !== undefined && sorted[place - 1]?.kind !== option.kind
    const name = option.name.trim() === '' ? option.optionId : option.name
    let shown = isFirst ? label : `${label}: ${inQuotes(name)}`
    while (labels.has(shown)) shown += ` (${number})`
    labels.add(shown)
    const whole = inQuotes(name, name.length)
    const isSaid = isFirst ? name.trim().toLowerCase() === label.toLowerCase() : shown.includes(whole)
    return {
      ...option,
      option: {
        label: shown,
        value: isFirst ? value : `option-${number}`,
        ...(!isSaid && { description: `The agent calls this ${whole}` }),
      },
    }
  })
}
