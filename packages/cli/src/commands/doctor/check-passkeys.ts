import { createInbox } from '@sandagent/inbox'
import { LocalSandbox } from '@sandagent/sdk'
import type { Values } from '../../arguments/command-line.ts'
import type { SHOWN_DEMAND_OPTIONS } from '../../arguments/shared-options.ts'
import { inboxDemand } from '../channel/run-demand.ts'
import type { Folder } from './check-owners.ts'
import { good, poor } from './finding.ts'

/** Whether passkeys protect the calls that wait in a folder, as an inbox of this policy, at this address, says it. */
export async function checkPasskeys(
  { workdir, stateFolder }: Folder,
  given: Values<typeof SHOWN_DEMAND_OPTIONS>,
) {
  const demand = await inboxDemand(given)
  const sandbox = new LocalSandbox({ workdir, stateFolder, isolation: 'none' })
  const sandboxes = [{ id: 'folder', name: workdir, sandbox }]
  // What is damaged, the finding about the folder says.
  const { questions, unreachable } = await createInbox({ sandboxes, ...demand, onWarning: () => {} }).list()
  for (const { message } of unreachable) throw new Error(message)
  const notes = questions.flatMap(({ question: { toolCallId, passkeyNote } }) =>
    passkeyNote === undefined ? [] : [`${toolCallId}: ${passkeyNote}`],
  )
  if (notes.length === 0) return good('They protect each call that waits, as the policy demands')
  return poor(notes.join('. '), 'See docs/guides/security.md#a-passkey-for-dangerous-calls.')
}
