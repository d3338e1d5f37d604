import { AskError } from '@sandagent/core'
import { createInbox, type Inbox, type InboxOptions, type UnreachableSandbox } from '@sandagent/inbox'
import type { PlaceChoice } from '../../arguments/shared-options.ts'
import type { CliIo } from '../../io.ts'
import { warn } from '../../warn.ts'
import { createPlaces, type Place } from './places.ts'

/** How long a place may take to reply, in milliseconds. The first connection to another machine brings the relay there. */
const PATIENCE_MS = 30_000

/** The exit code of a list in which places are missing. */
export const INCOMPLETE = 4

/** The inbox of the places that the options name. @throws AskError as `createPlaces` does */
export function inboxOf(
  choice: PlaceChoice,
  io: Pick<CliIo, 'stderr'>,
  options?: Pick<InboxOptions, 'policy' | 'passkeys'>,
): { inbox: Inbox; places: () => Promise<Place[]> } {
  const places = createPlaces(choice, io)
  return { places, inbox: inboxAt(places, io, options) }
}

/** The inbox of these places. */
export const inboxAt = (
  places: () => Promise<Place[]>,
  { stderr }: Pick<CliIo, 'stderr'>,
  { policy, grants, passkeys }: Pick<InboxOptions, 'policy' | 'grants' | 'passkeys'> = {},
): Inbox =>
  createInbox({
    ...{ sandboxes: places, policy, grants, passkeys },
    patienceMs: PATIENCE_MS,
    onWarning: warn(stderr),
  })

/** The error for what no place has: one that cannot be read may have it. */
export const notFound = (
  what: string,
  { unreachable, hint }: { unreachable: readonly UnreachableSandbox[]; hint: string },
): AskError =>
  unreachable.length === 0
    ? new AskError('NOT_FOUND', hint)
    : new AskError('UNREACHABLE', `${what}, and not all places can be read. Mend those that are named above`)

/** Says which places cannot be read. */
export const complain = (
  unreachable: readonly UnreachableSandbox[],
  { stderr }: Pick<CliIo, 'stderr'>,
): void => {
  for (const { code, sandboxName, message } of unreachable)
    warn(stderr)({ code, message: `${sandboxName} cannot be read: ${message}` })
}
