import { AskError, type QuestionState } from '@sandagent/core'
import type { Access } from './access.ts'

/** Who was let in to follow questions, and whether that still holds. */
interface Admissions {
  /** As `Access.admit`. */
  admit: Access['admit']
  /**
   * Whether the one who was admitted may see this state too. It is asked anew when a link was what admitted them, for that
   * is used up some time; and when the question is another one, for an id may be used anew, by another run.
   */
  stillHold(request: Request, state: QuestionState): Promise<boolean>
}

/** Remembers admissions for one stream. */
export function createAdmissions({ admit }: Pick<Access, 'admit'>): Admissions {
  const askings = new Map<string, string | undefined>()

  const admitAndRemember: Access['admit'] = async (request, state) => {
    const facts = await admit(request, state)
    if (facts.link === undefined) askings.set(state.toolCallId, state.record?.nonce)
    return facts
  }

  return {
    admit: admitAndRemember,
    async stillHold(request, state) {
      const { toolCallId, record } = state
      if (askings.has(toolCallId) && askings.get(toolCallId) === record?.nonce) return true
      try {
        await admitAndRemember(request, state)
        return true
      } catch (error) {
        if (error instanceof AskError) return false
        throw error
      }
    },
  }
}
