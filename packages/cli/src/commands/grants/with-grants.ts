import type { ChannelWarning } from '@sandagent/core/internal'
import { type Grants, startGrants } from '@sandagent/grants'
import type { Policy } from '@sandagent/sdk'
import type { CliIo } from '../../io.ts'
import { warn } from '../../warn.ts'
import type { Place } from '../places/places.ts'
import { grantsFolder } from './grants-folder.ts'

/**
 * Keeps grants while a person answers: they can allow more than one call, and what was allowed before is answered meanwhile.
 * Warnings are told once, when no form is on the screen any more.
 */
export async function withGrants<T>(
  { places, policy, io }: { places: () => Promise<Place[]>; policy: Policy | undefined; io: CliIo },
  act: (grants: Grants) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const warnings = new Map<string, ChannelWarning>()
  const grants = startGrants({
    ...{ sandboxes: places, policy, folder: grantsFolder(), signal: over.signal },
    onWarning: (warning) => warnings.set(warning.message, warning),
  })
  try {
    return await act(grants)
  } finally {
    over.abort()
    await grants.ended
    for (const warning of warnings.values()) warn(io.stderr)(warning)
  }
}
