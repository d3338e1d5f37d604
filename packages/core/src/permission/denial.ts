import type { ApprovalSubject } from '../record/question-record.ts'
import { planIn } from './call-reading.ts'
import { quoteComments } from './plan-comments.ts'

/** What the model reads about a tool call that did not run. */
export const notRunText = (toolName: string, reason: string): string => `${toolName} was not run. ${reason}`

/** What the model reads about a tool call that a person denied. */
export function denialText(subject: ApprovalSubject, note: string | undefined): string {
  const { toolName } = subject
  const plan = planIn(subject)
  if (plan !== undefined)
    return notRunText(
      toolName,
      note
        ? `The user denied it: the plan needs changes. Make them, and present it again. They say:\n\n${quoteComments(plan, note)}`
        : 'The user denied it: they do not accept the plan. Do not carry it out. Ask what to change.',
    )
  return notRunText(
    toolName,
    `The user denied it${saying(note)}. Do not try to reach the same in another way; go on without it, or stop and say what you need.`,
  )
}

/** What the model reads about a tool call that a person allowed with a note, and did not edit. */
export function allowedText(subject: ApprovalSubject, note: string): string {
  const plan = planIn(subject)
  return plan === undefined
    ? `The user allowed ${subject.toolName}${saying(note)}.`
    : `The user accepted the plan, with this to keep in mind:\n\n${quoteComments(plan, note)}`
}

const saying = (note: string | undefined): string => (note ? `, saying ${JSON.stringify(note)}` : '')

/** Whether a text is the {@link denialText} of a tool. */
export const isDenialText = (text: string): boolean => /^\S+ was not run\. The user denied it/.test(text)
