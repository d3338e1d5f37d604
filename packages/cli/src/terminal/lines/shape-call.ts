import {
  type ApprovalSubject,
  type AskedQuestion,
  type AskSession,
  type GrantScope,
  optionFor,
  printable,
} from '@sandagent/core/internal'
import { allow } from '../form/choose.ts'
import { hanging, wrap } from '../form/draw/wrap.ts'
import { beginEdit, changedCall } from '../form/edit/call-edit.ts'
import { changeLines } from '../form/edit/change-lines.ts'
import type { Asked } from '../subject-lines.ts'

/** What a command about a call leads to: lines to read, or what is wrong with it. */
type Shaped = { lines: string[] } | { fault: string }

const SHAPES = ['edit', 'more', 'allow'] as const
export type Shape = (typeof SHAPES)[number]

export const isShape = (command: string): command is Shape => SHAPES.includes(command as Shape)

/**
 * Changes a call, or allows more than it, in plain lines: `/edit` and `/more` show that, and `/allow` sends what was shown
 * last.
 */
export function createShaping(session: AskSession, { subject }: Asked) {
  let changed: ApprovalSubject | undefined
  let scopes: readonly GrantScope[] = []

  const edit = (text: string, width: number): Shaped => {
    if (!subject?.editable) return { fault: 'This call cannot be changed. Type the number of a decision.' }
    const begun = beginEdit(subject)
    const what = begun.field === null ? 'all of the input as JSON, in one line' : `the whole ${begun.field}`
    if (text === '')
      return {
        lines: [
          ...wrap(begun.text, width - 2).map((line) => `│ ${line}`),
          `Type ${what} behind /edit, with your changes.`,
        ],
      }
    const made = changedCall({ ...begun, text }, subject)
    if ('fault' in made) return { fault: `${made.fault} Behind /edit stands ${what}.` }
    changed = made
    return {
      lines: [
        ...changeLines(subject, made, width - 2).map((line) => `│ ${line}`),
        '/allow allows this changed call, once. A number decides about the call as the agent asked it.',
      ],
    }
  }
  const more = (width: number): Shaped => {
    scopes = session.getSnapshot().view?.scopes ?? []
    if (scopes.length === 0) return { fault: 'Nothing can be allowed here beyond this call.' }
    return {
      lines: [
        ...scopes.flatMap(({ covers }, index) =>
          hanging(`  ${index + 1}. `, wrap(printable(covers), width - 6)),
        ),
        '/allow NUMBER allows that, and this call.',
      ],
    }
  }

  return {
    /** Forgets what was shown. */
    reset(): void {
      changed = undefined
      scopes = []
    },
    /** Resolves a command. `null` once it has sent something. */
    take(
      command: Shape,
      text: string,
      { question, width }: { question: AskedQuestion; width: number },
    ): Shaped | null {
      if (!optionFor(question, 'allowOnce')) return { fault: `/${command} is for approvals.` }
      if (command !== 'allow') {
        this.reset()
        return command === 'edit' ? edit(text, width) : more(width)
      }
      const scope = /^\d+$/.test(text) ? scopes[Number(text) - 1] : undefined
      if (scope) allow({ session }, question, { scope: scope.id })
      else if (changed && text === '') allow({ session }, question, { input: changed.input })
      else return { fault: '/allow sends what /edit has shown, and /allow NUMBER a line of /more.' }
      return null
    },
  }
}
