// Why it is so: docs/decisions/0118-a-passkey-signs-question-and-answer.md

import type { PasskeySite } from '../../answer/passkey-proof.ts'
import { printableLine } from '../../lib/text/printable.ts'
import type { QuestionRecord } from '../question-record.ts'
import type { PolicyRule } from './policy-rule.ts'

/** Where a passkey signs for a question: its run may take another site than this host shows. */
export function signingSite({ passkeys: run }: QuestionRecord, { rpId, origins }: PasskeySite): PasskeySite {
  if (!run) return { rpId, origins }
  return { rpId, origins: run.rpId === rpId ? origins.filter((origin) => run.origins.includes(origin)) : [] }
}

/**
 * Why passkeys protect an open question less than its rule demands, or cannot be used here, in one text; `undefined` if
 * neither.
 *
 * @param site where people use passkeys here; `undefined` where they cannot
 */
export function passkeyNote(
  record: QuestionRecord,
  rule: PolicyRule | undefined,
  site: PasskeySite | undefined,
): string | undefined {
  if (!rule?.passkey) return undefined
  const { passkeys: run } = record
  if (!run)
    return 'The policy of this host demands a passkey for this call, and the policy of the run demands none: whoever has the key of the host can allow it. Deny it, and start the run again by sandagent run --policy FILE --inbox URL, or by startRun with policy and passkeys'
  if (!site) return `Only a passkey allows this, on ${pagesOf(run)}. Here you can deny it`
  if (signingSite(record, site).origins.length > 0) return undefined
  return `This run takes passkeys only from ${pagesOf(run)}, and this is ${pagesOf(site)}. Open the inbox there, or deny this call and start the run again with the address of this inbox`
}

const pagesOf = ({ origins }: PasskeySite): string => printableLine(origins.join(' or '), 200)
