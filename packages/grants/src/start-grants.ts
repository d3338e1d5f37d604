// Why it is so: docs/decisions/0095-a-grant-is-the-hosts.md

import { isAbsolute, resolve } from 'node:path'
import {
  AskError,
  type Clock,
  checkOptions,
  digestOf,
  type GrantName,
  invalid,
  type OnWarning,
  type OptionNames,
  type QuestionRecord,
  systemClock,
  warningOf,
} from '@sandagent/core/internal'
import { createInbox, type GrantEntry, type InboxGrants, type InboxSandboxes } from '@sandagent/inbox'
import {
  type AnswerableSandbox,
  type Decision,
  isInside,
  logWarning,
  ownerOfRun,
  type Policy,
  type SigningKeys,
} from '@sandagent/sdk/internal'
import { followApprovals } from './follow-approvals.ts'
import { type Grant, nameOf, permissionIn } from './grant.ts'
import { createGrantFiles } from './grant-files.ts'
import { listed, revoked } from './list-grants.ts'
import { spanFrom } from './reach/span.ts'
import { type AskedCall, grantFor, type PlacedCall, scopesOf, whyAskedAgain } from './scopes.ts'
import { sweepGrants } from './sweep-grants.ts'

export interface GrantsOptions {
  /**
   * The folder of the grants, for this user alone. It must be outside of every workdir. Several hosts of one user may share it.
   */
  folder: string
  /** Whose approvals are answered: as for `createInbox`. */
  sandboxes: InboxSandboxes
  /** Who may answer which questions: the policy of the answer API. Default: everybody may, alone. */
  policy?: Policy | undefined
  /** Sign the answers. Default: this host's own keys, if it has any; `null` for none. */
  signingKeys?: SigningKeys | null | undefined
  /** Called with each answer that a grant gives: for an audit log. */
  onDecision?: ((decision: Decision) => void) | undefined
  /** Called for grants that cannot be read, and for approvals that cannot be answered. Default: a line by `console.error`. */
  onWarning?: OnWarning | undefined
  /** Ends the answering. */
  signal: AbortSignal
  clock?: Clock | undefined
}

const NAMES: OptionNames<GrantsOptions> = {
  folder: 'folder',
  sandboxes: true,
  policy: 'list',
  signingKeys: true,
  onDecision: 'function',
  onWarning: 'function',
  signal: 'signal',
  clock: 'clock',
}

/** The grants of a host, for `createAnswerHandler`, `createInbox` and `createInboxHandler`. */
export interface Grants extends InboxGrants {
  /** The grants that hold and those that ended in the last days, the latest first. @param of those of one sandbox */
  list(of?: AnswerableSandbox): Promise<GrantEntry[]>
  /**
   * Ends a grant at once.
   *
   * @param options.of the sandbox that it must be of
   * @throws AskError `NOT_FOUND`
   */
  revoke(
    id: string,
    options?: { by?: string | undefined; of?: AnswerableSandbox | undefined },
  ): Promise<GrantEntry>
  /** Resolves when nothing is under way any more. */
  ended: Promise<void>
}

/**
 * Keeps grants in a folder, and answers the approvals that they cover until the signal aborts.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist
 */
export function startGrants(options: GrantsOptions): Grants {
  checkOptions('startGrants', options, NAMES)
  const { sandboxes, policy, signingKeys, signal, clock = systemClock, onWarning = logWarning } = options
  const files = createGrantFiles(resolve(options.folder), { onWarning })

  /**
   * The call of a record, for which there can be grants. @throws AskError `UNSAFE_PATH` for a folder that the agent could write
   * to
   */
  const callOf = async (sandbox: AnswerableSandbox, record: QuestionRecord): Promise<PlacedCall | null> => {
    const place = placeOf(sandbox)
    if (place === undefined || !permissionIn(record) || !record.subject) return null
    const { toolName, input } = record.subject
    const { hostFolder } = sandbox
    const folder = await files.open()
    for (const workdir of [hostFolder, sandbox.files?.id])
      if (workdir !== undefined && isAbsolute(workdir) && isInside(workdir, folder))
        throw new AskError(
          'UNSAFE_PATH',
          `The folder of grants ${folder} is inside the workdir ${workdir}, whose agent could write to it. Name another one`,
          { facts: { path: folder } },
        )
    const { runId, process } = record
    return { toolName, input, hostFolder, place, runId, process }
  }
  /** Most hosts have no grants most of the time: then nobody need know whose run it is. */
  const owned = async (sandbox: AnswerableSandbox, call: PlacedCall): Promise<AskedCall> => ({
    ...call,
    owner: await ownerOfRun(sandbox, call.runId),
  })

  const follower = followApprovals({
    inbox: createInbox({ sandboxes, signingKeys, onWarning, clock }),
    ...{ placeOf, files, policy, signingKeys, onWarning, clock, signal },
    onDecision: options.onDecision,
    async grantFor(sandbox, record) {
      const all = await files.all()
      const call = all.length > 0 && (await callOf(sandbox, record))
      return call ? grantFor(all, await owned(sandbox, call), clock.now()) : undefined
    },
  })
  const swept = sweepGrants({ files, sandboxes, placeOf, onWarning, clock, signal })

  return {
    ended: Promise.all([follower.ended, swept]).then(() => {}),

    async offer({ sandbox, record }) {
      try {
        const call = await callOf(sandbox, record)
        if (!call) return {}
        const scopes = scopesOf(call).map(({ id, covers }) => ({ id, covers }))
        const all = await files.all()
        const asksAgain =
          all.length > 0 ? whyAskedAgain(all, await owned(sandbox, call), clock.now()) : undefined
        return { ...(scopes.length > 0 && { scopes }), ...(asksAgain !== undefined && { asksAgain }) }
      } catch (error) {
        // A person can still allow this one call.
        onWarning(warningOf(error, record.toolCallId))
        return {}
      }
    },

    async give({ sandbox, record }, scopeId, { answeredBy, roles }): Promise<GrantName | null> {
      const call = await callOf(sandbox, record)
      const scope = call && scopesOf(call).find(({ id }) => id === scopeId)
      if (!scope)
        throw invalid('INVALID_ANSWERS', 'This permission cannot be given', [
          { path: 'scope', expected: 'the id of one of the scopes in the view of this question' },
        ])
      const { toolCallId, nonce } = record
      const { owner } = await owned(sandbox, call)
      const now = clock.now()
      const grant: Grant = {
        version: 1,
        id: digestOf([call.place, toolCallId, nonce, scopeId, answeredBy]).slice(0, 16),
        place: call.place,
        ...(owner !== undefined && { owner }),
        givenAt: new Date(now).toISOString(),
        ...(answeredBy !== undefined && { givenBy: answeredBy }),
        ...(roles && { roles: [...roles] }),
        toolCallId,
        reach: scope.reach,
        span: spanFrom(scope.span, record, now),
      }
      const kept = await files.add(grant)
      follower.look()
      return kept.ended ? null : nameOf(kept)
    },

    async answers({ sandbox, record: { kind, toolCallId } }) {
      if (kind !== 'approval') return false
      return follower.answers(sandbox, toolCallId).catch((error: unknown) => {
        onWarning(warningOf(error, toolCallId))
        return false
      })
    },

    list: async (of) => listed(files, clock.now(), of && placeOf(of)),
    revoke: async (id, { by, of } = {}) => revoked(files, id, { by, place: of && placeOf(of), clock }),
  }
}

/** Names the place of a sandbox; `undefined` for one without a name: another one could take its place. */
const placeOf = ({ id, files }: AnswerableSandbox): string | undefined => id ?? files?.id
