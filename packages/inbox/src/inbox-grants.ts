import { filledText, parseWith } from '@sandagent/core/internal'
import {
  type AnswerableSandbox,
  type AskedApproval,
  type HostGrants,
  readJsonBody,
} from '@sandagent/sdk/internal'
import * as v from 'valibot'
import type { AuthorizeInbox, InboxCaller } from './inbox-caller.ts'
import { type InboxPlace, type InboxSandbox, inboxPlaceOf, sandboxIn } from './inbox-sandbox.ts'

/** A permission for more than one call, as people see it. */
export interface GrantEntry {
  id: string
  /** What it covers, in plain words. */
  covers: string
  /** Where it holds: the workdir, or the id of the sandbox. */
  place: string
  /** ISO 8601. */
  givenAt: string
  givenBy?: string
  /** The run in which it holds, if it is for one run. */
  runId?: string
  /** When it ended or will end by itself, ISO 8601; absent if that is not known. */
  until?: string
  /** Why it has ended. Absent for one that holds. */
  ended?: 'expired' | 'revoked' | 'run-ended'
  /** Who took it back. */
  revokedBy?: string
  /** How many calls it has allowed, and the last of them, the latest first. */
  uses: { count: number; latest: { at: string; toolCallId: string; runId: string }[] }
}

/** The grants of a host, which an inbox can show and end. `startGrants` of `@sandagent/grants` makes them. */
export interface InboxGrants extends HostGrants {
  /** The grants of a sandbox, the latest first. */
  list(of: AnswerableSandbox): Promise<GrantEntry[]>
  /**
   * Answers an approval if a grant covers it. Resolves to whether nobody need decide about it any more: then an inbox shows it
   * to nobody, and nobody gets a notice.
   */
  answers(asked: AskedApproval): Promise<boolean>
  /** Ends a grant of a sandbox. @throws AskError `NOT_FOUND` */
  revoke(id: string, options: { of: AnswerableSandbox; by?: string | undefined }): Promise<GrantEntry>
}

/** A grant, and the sandbox in which it holds. */
export interface InboxGrant extends InboxPlace, GrantEntry {}

interface Asked {
  request: Request
  caller: InboxCaller
  authorize: AuthorizeInbox | undefined
}

/** The grants in the sandboxes that the caller may see. */
export async function listGrants(grants: InboxGrants, { caller }: Asked): Promise<{ grants: InboxGrant[] }> {
  const inOne = async (entry: InboxSandbox): Promise<InboxGrant[]> =>
    (await grants.list(entry.sandbox)).map((grant) => ({ ...inboxPlaceOf(entry), ...grant }))
  const found = (await Promise.all((await caller.sandboxes()).map(inOne))).flat()
  // Two entries of an inbox may be of one folder.
  return { grants: [...new Map(found.map((grant) => [grant.id, grant])).values()] }
}

const bodySchema = v.object({ sandbox: filledText, id: filledText })

/** Ends a grant. Whoever sees its sandbox may do that: it permits less then. @throws AskError `INVALID_REQUEST`, `NOT_FOUND` */
export async function revokeGrant(
  grants: InboxGrants,
  { request, caller, authorize }: Asked,
): Promise<GrantEntry> {
  const body = await readJsonBody(request)
  const { sandbox: sandboxId, id } = parseWith(bodySchema, body, 'INVALID_REQUEST', 'This names no grant')
  const { sandbox } = sandboxIn(await caller.sandboxes(), sandboxId)
  const verdict = await authorize?.(request, { sandboxId })
  const by = typeof verdict === 'object' ? verdict.answeredBy : undefined
  return grants.revoke(id, { of: sandbox, by })
}
