import type { ToolInvocation } from '@sandagent/core/dialects/user-choice'
import { AskError, parseJson, parseWith } from '@sandagent/core/internal'
import * as v from 'valibot'
import { hashOf } from '../lib/call-token.ts'
import type { UserChoiceStorage } from '../lib/storage.ts'
import type { ChoiceRequest } from './operation.ts'

/** A choice that holds for the rest of a conversation. */
export interface RememberedDecision {
  operation: string
  /** Where the choice holds, such as the path that may be written to. */
  scope: string
  /** `null` if the runtime named no user. */
  userId: string | null
  /** The label of the choice. */
  label: string
  /** ISO 8601. */
  decidedAt: string
  /** The file in the tool's storage. */
  path: string
}

const decisionSchema = v.object({
  version: v.literal(1),
  operation: v.string(),
  scope: v.string(),
  userId: v.nullable(v.string()),
  label: v.string(),
  decidedAt: v.string(),
})

export interface Decisions {
  /** The decision for this operation, scope, conversation and user, if it is still one of the choices. */
  recall(
    invocation: ToolInvocation,
    request: ChoiceRequest,
  ): Promise<{ decision: RememberedDecision; index: number } | null>
  /** Stores a choice if it holds for the rest of the conversation. */
  keep(invocation: ToolInvocation, request: ChoiceRequest, index: number, now: number): Promise<void>
  list(groupId: string): Promise<RememberedDecision[]>
  /** Forgets one decision of a conversation, or all. */
  forget(
    groupId: string,
    decision?: Pick<RememberedDecision, 'operation' | 'scope' | 'userId'>,
  ): Promise<void>
}

export function createDecisions(storage: UserChoiceStorage): Decisions {
  const folderOf = (groupId: string): string => `decisions/${hashOf(groupId)}`
  const pathOf = (
    groupId: string,
    { userId, operation, scope }: Pick<RememberedDecision, 'operation' | 'scope' | 'userId'>,
  ): string => `${folderOf(groupId)}/${hashOf(userId, operation, scope)}.json`
  const keyOf = ({ user_id = null, operation }: ToolInvocation, scope: string) => ({
    userId: user_id,
    operation,
    scope,
  })

  /** `null` for an unreadable decision: the user is asked again. */
  const read = async (path: string): Promise<RememberedDecision | null> => {
    const what = 'This is no decision'
    const text = await storage.read(path)
    if (text === null) return null
    try {
      const json = parseJson(text, 'INVALID_FILE', what)
      const { version: _, ...decision } = parseWith(decisionSchema, json, 'INVALID_FILE', what)
      return { ...decision, path }
    } catch (error) {
      if (error instanceof AskError) return null
      throw error
    }
  }

  return {
    async recall(invocation, { choices, remember }) {
      if (!remember) return null
      const decision = await read(pathOf(invocation.group_id, keyOf(invocation, remember.scope)))
      const index = remember.choices.find((choice) => choices[choice] === decision?.label)
      return decision === null || index === undefined ? null : { decision, index }
    },

    async keep(invocation, { choices, remember }, index, now) {
      if (!remember?.choices.includes(index)) return
      const key = keyOf(invocation, remember.scope)
      const decidedAt = new Date(now).toISOString()
      const decision = { version: 1, ...key, label: choices[index], decidedAt }
      await storage.writeAtomic(pathOf(invocation.group_id, key), JSON.stringify(decision))
    },

    async list(groupId) {
      const folder = folderOf(groupId)
      const found = await Promise.all((await storage.list(folder)).map((name) => read(`${folder}/${name}`)))
      return found.filter((decision) => decision !== null)
    },

    forget: (groupId, decision) => storage.remove(decision ? pathOf(groupId, decision) : folderOf(groupId)),
  }
}
