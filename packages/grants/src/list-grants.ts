import { resolve } from 'node:path'
import {
  AskError,
  type Clock,
  checkOptions,
  type OnWarning,
  type OptionNames,
  systemClock,
} from '@sandagent/core/internal'
import type { GrantEntry } from '@sandagent/inbox'
import { logWarning } from '@sandagent/sdk/internal'
import { coversOf, endOf, type Grant } from './grant.ts'
import { createGrantFiles, type GrantFiles } from './grant-files.ts'

interface FolderOptions {
  onWarning?: OnWarning | undefined
  clock?: Clock | undefined
}

interface RevokeOptions extends FolderOptions {
  by?: string | undefined
}

const NAMES: OptionNames<FolderOptions> = { onWarning: 'function', clock: 'clock' }

/** The grants of a folder, the latest first. @param folder that of `startGrants` */
export async function listGrants(folder: string, options: FolderOptions = {}): Promise<GrantEntry[]> {
  checkOptions('listGrants: its options', options, NAMES)
  const { onWarning = logWarning, clock = systemClock } = options
  return listed(createGrantFiles(resolve(folder), { onWarning }), clock.now())
}

/** Ends a grant of a folder. @throws AskError `NOT_FOUND` */
export async function revokeGrant(
  folder: string,
  id: string,
  options: RevokeOptions = {},
): Promise<GrantEntry> {
  checkOptions<RevokeOptions>('revokeGrant: its options', options, { ...NAMES, by: true })
  const { by, onWarning = logWarning, clock = systemClock } = options
  return revoked(createGrantFiles(resolve(folder), { onWarning }), id, { by, clock })
}

/** @param place lists those of one place */
export async function listed(files: GrantFiles, now: number, place?: string): Promise<GrantEntry[]> {
  const grants = (await files.all()).filter((grant) => place === undefined || grant.place === place)
  return Promise.all(grants.map((grant) => entryOf(files, grant, now)))
}

/** @param options.place the place that the grant must be of */
export async function revoked(
  files: GrantFiles,
  id: string,
  { by, place, clock }: { by?: string | undefined; place?: string | undefined; clock: Clock },
): Promise<GrantEntry> {
  await files.open()
  const grant = await files.find(id)
  if (!grant || (place !== undefined && grant.place !== place))
    throw new AskError('NOT_FOUND', `There is no grant ${id}. List them by sandagent grants list`)
  const now = clock.now()
  // What has ended before is not taken back again.
  if (grant.ended) return entryOf(files, grant, now)
  const at = new Date(now).toISOString()
  const ended: Grant = { ...grant, ended: { at, kind: 'revoked', ...(by !== undefined && { by }) } }
  await files.replace(ended)
  return entryOf(files, ended, now)
}

async function entryOf(files: GrantFiles, grant: Grant, now: number): Promise<GrantEntry> {
  const { id, place, givenAt, givenBy, span, ended } = grant
  const end = endOf(grant, now)
  const until = end !== null ? new Date(end).toISOString() : span.kind === 'time' ? span.until : undefined
  return {
    ...{ id, covers: coversOf(grant), place, givenAt },
    ...(givenBy !== undefined && { givenBy }),
    ...(span.kind === 'run' && { runId: span.runId }),
    ...(until !== undefined && { until }),
    ...(end !== null && { ended: ended?.kind ?? 'expired' }),
    ...(ended?.by !== undefined && { revokedBy: ended.by }),
    uses: await files.uses(id),
  }
}
