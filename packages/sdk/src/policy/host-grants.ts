// Why it is so: docs/decisions/0095-a-grant-is-the-hosts.md

import {
  type AnswerRequest,
  decisionOf,
  type GrantName,
  invalid,
  isSettled,
  type QuestionRecord,
  responseTo,
  type Viewer,
  votesNeeded,
} from '@sandagent/core/internal'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'

/** A tool call that waits for a permission, and where. */
export interface AskedApproval {
  sandbox: AnswerableSandbox
  record: QuestionRecord
}

/** Permissions for more than one call, which a host keeps. `startGrants` of `@sandagent/grants` makes them. */
export interface HostGrants {
  /** What a person can allow beyond a call, and why a permission that seems to be for it does not allow it. */
  offer(asked: AskedApproval): Promise<NonNullable<Viewer['offer']>>
  /** Makes the grant of an offered scope. The same again gives the same grant; `null` if it has ended since. */
  give(
    asked: AskedApproval,
    scope: string,
    giver: { answeredBy?: string | undefined; roles?: readonly string[] | undefined },
  ): Promise<GrantName | null>
}

interface GrantFacts {
  grants?: HostGrants | undefined
  sandbox?: AnswerableSandbox | undefined
  record: QuestionRecord | undefined
  /** The id of the answer link by which the person came. */
  link: string | undefined
}

/** What a person can allow beyond a call. The holder of a link answers one question, and several people decide each call. */
async function offerFor(
  viewer: Viewer,
  { grants, sandbox, record, link }: GrantFacts,
): Promise<Viewer['offer']> {
  const mayGive = viewer.mayAnswer !== false && votesNeeded(viewer.rule) <= 1 && link === undefined
  if (!grants || !sandbox || !mayGive || record?.kind !== 'approval' || !record.subject) return undefined
  return grants.offer({ sandbox, record })
}

/** The offer for a question that waits. Of others there may be thousands. */
export const offerWhileOpen = async (viewer: Viewer, facts: GrantFacts): Promise<Viewer['offer']> =>
  facts.record && !isSettled(facts.record) ? offerFor(viewer, facts) : undefined

/**
 * The id of the scope that a request allows beyond its call, once the host offers it to this person; `undefined` for a request
 * without one.
 *
 * @throws AskError `INVALID_ANSWERS`
 */
export async function scopeIn(
  { scope, status, responses = {} }: AnswerRequest,
  viewer: Viewer,
  facts: GrantFacts,
): Promise<string | undefined> {
  if (scope === undefined) return undefined
  const question = facts.record?.questions[0]
  const response = question && responseTo(responses, question)
  // What a grant covers is the call as the agent asked for it.
  const isAsAsked = response && 'selected' in response && response.input === undefined
  const selected = isAsAsked ? response.selected[0] : undefined
  const offered = (await offerFor(viewer, facts))?.scopes ?? []
  const isOffered = offered.some(({ id }) => id === scope)
  if (isOffered && status === 'completed' && decisionOf(selected) === 'allowOnce') return scope
  throw invalid('INVALID_ANSWERS', 'This permission cannot be given', [
    {
      path: 'scope',
      expected: isOffered
        ? '"status": "completed" and the choice "Allow once" beside it, without an edited input'
        : 'the id of one of the scopes in the view of this question. Read it again: they may have changed',
    },
  ])
}
