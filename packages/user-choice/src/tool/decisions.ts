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

const WHAT = 'This is no decision'

/** What tells decisions of a conversation apart. */
type DecisionKey = Pick<RememberedDecision, 'operation' | 'scope' | 'userId'>

export class Decisions {
  readonly #storage: UserChoiceStorage

  constructor(storage: UserChoiceStorage) {
    this.#storage = storage
  }

  /** The decision for this operation, scope, conversation and user, if it is still one of the choices. */
  async recall(
    invocation: ToolInvocation,
    { choices, remember }: ChoiceRequest,
  ): Promise<{ decision: RememberedDecision; index: number } | null> {
    if (!remember) return null
    const decision = await this.#read(pathOf(invocation.group_id, keyOf(invocation, remember.scope)))
    const index = remember.choices.find((choice) => choices[choice] === decision?.label)
    return decision === null || index === undefined ? null : { decision, index }
  }

  /** Stores a choice if it holds for the rest of the conversation. */
  async keep(
    invocation: ToolInvocation,
    { choices, remember }: ChoiceRequest,
    index: number,
    now: number,
  ): Promise<void> {
    if (!remember?.choices.includes(index)) return
    const key = keyOf(invocation, remember.scope)
    const decidedAt = new Date(now).toISOString()
    const decision = { version: 1, ...key, label: choices[index], decidedAt }
    await this.#storage.writeAtomic(pathOf(invocation.group_id, key), JSON.stringify(decision))
  }

  async list(groupId: string): Promise<RememberedDecision[]> {
    const folder = folderOf(groupId)
    const names = await this.#storage.list(folder)
    const found = await Promise.all(names.map((name) => this.#read(`${folder}/${name}`)))
    return found.filter((decision) => decision !== null)
  }

  /** Forgets one decision of a conversation, or all. */
  forget(groupId: string, decision?: DecisionKey): Promise<void> {
    return this.#storage.remove(decision ? pathOf(groupId, decision) : folderOf(groupId))
  }

  /** `null` for an unreadable decision: the user is asked again. */
  async #read(path: string): Promise<RememberedDecision | null> {
    const text = await this.#storage.read(path)
    if (text === null) return null
    try {
      const json = parseJson(text, 'INVALID_FILE', WHAT)
      const { version: _, ...decision } = parseWith(decisionSchema, json, 'INVALID_FILE', WHAT)
      return { ...decision, path }
    } catch (error) {
      if (error instanceof AskError) return null
      throw error
    }
  }
}

const folderOf = (groupId: string): string => `decisions/${hashOf(groupId)}`

const pathOf = (groupId: string, { userId, operation, scope }: DecisionKey): string =>
  `${folderOf(groupId)}/${hashOf(userId, operation, scope)}.json`

const keyOf = ({ user_id = null, operation }: ToolInvocation, scope: string): DecisionKey => ({
  userId: user_id,
  operation,
  scope,
})
