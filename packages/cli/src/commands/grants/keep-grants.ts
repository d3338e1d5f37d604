import type { ChannelWarning } from '@sandagent/core/internal'
import { type Grants, startGrants } from '@sandagent/grants'
import type { Policy } from '@sandagent/sdk'
import type { CliIo } from '../../io.ts'
import { warn } from '../../warn.ts'
import type { Place } from '../places/places.ts'
import { grantsFolder } from './grants-folder.ts'

/** Grants that are kept for a while. */
export interface KeptGrants {
  grants: Grants
  /** Ends the answering. Warnings are told then, once, when no form is on the screen any more. */
  end(): Promise<void>
}

/**
 * Keeps grants while a person answers: they can allow more than one call, and what was allowed before is answered meanwhile.
 */
export function keepGrants({
  places,
  policy,
  io,
}: {
  places: () => Promise<Place[]>
  policy?: Policy | undefined
  io: CliIo
}): KeptGrants {
  const over = new AbortController()
  const warnings = new Map<string, ChannelWarning>()
  const grants = startGrants({
    ...{ sandboxes: places, policy, folder: grantsFolder(), signal: over.signal },
    onWarning: (warning) => warnings.set(warning.message, warning),
  })
  return {
    grants,
    async end() {
      over.abort()
      await grants.ended
      for (const warning of warnings.values()) warn(io.stderr)(warning)
    },
  }
}
