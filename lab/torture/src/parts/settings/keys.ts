import { parseSigningKeys, type SigningKeys } from '@sandagent/sdk'
import { settings } from './settings.ts'

/** The keys of the runs whose answers are signed; `null` for the other runs. */
export async function keysOfRun(run: number): Promise<SigningKeys | null> {
  return settings.signedRuns.includes(run) ? parseSigningKeys(settings.signingKey) : null
}
