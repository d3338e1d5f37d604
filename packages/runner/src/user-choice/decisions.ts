import { AskError, parseJson, parseWith } from '@sandagent/core'
import type { ToolInvocation } from '@sandagent/core/dialects/user-choice'
import * as v from 'valibot'
import { hashOf } from './call-token.ts'
import type { ChoiceRequest, Picked } from './operation.ts'
import type { UserChoiceStorage } from './storage.ts'

const decisionSchema = v.object({ version: v.literal(1), label: v.string(), decidedAt: v.string() })

/** What users decided for the rest of their conversation. */
export interface Decisions {
  /** What was decided for this very operation, scope, conversation and user, if it still is among the choices. */
  recall(invocation: ToolInvocation, request: ChoiceRequest): Promise<Picked | null>
  /** Keeps a choice if it is one that holds for longer. */
  keep(invocation: ToolInvocation, request: ChoiceRequest, index: number, now: number): Promise<void>
  /** Forgets what was decided in a conversation. */
  forget(groupId: string): Promise<void>
}

export function createDecisions(storage: UserChoiceStorage): Decisions {
  const folderOf = (groupId: string): string => `decisions/${hashOf(groupId)}`
  const pathOf = ({ group_id, user_id = null, operation }: ToolInvocation, scope: string): string =>
    `${folderOf(group_id)}/${hashOf(user_id, operation, scope)}.json`

  return {
    async recall(invocation, { choices, remember }) {
      if (!remember) return null
      const label = labelIn(await storage.read(pathOf(invocation, remember.scope)))
      const index = remember.choices.find((choice) => choices[choice] === label)
      return index === undefined || label === null ? null : { index, label, isRemembered: true }
    },

    async keep(invocation, { choices, remember }, index, now) {
      if (!remember?.choices.includes(index)) return
      const decision = { version: 1, label: choices[index], decidedAt: new Date(now).toISOString() }
      await storage.writeAtomic(pathOf(invocation, remember.scope), JSON.stringify(decision))
    },

    forget: (groupId) => storage.remove(folderOf(groupId)),
  }
}

/** A decision that cannot be read is none: the user is asked again. */
function labelIn(text: string | null): string | null {
  const what = 'This is no decision'
  try {
    return text === null
      ? null
      : parseWith(decisionSchema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what).label
  } catch (error) {
    if (error instanceof AskError) return null
    throw error
  }
}
