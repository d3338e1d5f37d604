import {
  nameKey,
  PASSKEYS_VARIABLE,
  type Passkey,
  PUBLIC_KEYS_VARIABLE,
  passkeysBy,
  votesNeeded,
} from '@sandagent/core/internal'
import type { InboxOptions } from '@sandagent/inbox'
import { openPasskeys, type Passkeys, passkeySiteFaults } from '@sandagent/passkeys'
import { loadSigningKeys } from '@sandagent/sdk'
import type { Values } from '../../arguments/command-line.ts'
import { usage } from '../../arguments/option-values.ts'
import type { DEMAND_OPTIONS } from '../../arguments/shared-options.ts'
import { answererOf } from '../answerer-of.ts'

/**
 * The variables by which a run demands signatures and passkeys. They are public.
 *
 * @param tell says why nobody can allow what the policy demands, or that it demands nothing
 * @throws AskError `INVALID_REQUEST` for a file that holds no policy, and for a page on which browsers have no passkeys
 */
export async function runDemand(
  { policy: file, inbox }: Values<typeof DEMAND_OPTIONS>,
  tell: (sentence: string) => void,
): Promise<Record<string, string>> {
  if (file === undefined || inbox === undefined)
    throw usage('A run that demands passkeys takes --policy FILE and --inbox URL, both')
  const known = passkeysAt(inbox)
  const { policy = [] } = await answererOf({ policy: file, name: undefined, role: undefined })
  const { publicKeys } = await loadSigningKeys({ create: true })
  const passkeys = await known.forRun(policy)
  const demanding = policy.filter(({ passkey }) => passkey)
  if (demanding.length === 0)
    tell(
      `No rule of ${file} demands a passkey: write "passkey": true into one. Whoever has the host's key can allow each call`,
    )
  // The run would ask, and nobody could allow anything.
  for (const rule of demanding) {
    const missing = votesNeeded(rule) - peopleWith(passkeysBy(rule, passkeys.passkeys))
    if (missing > 0)
      tell(
        `Nobody can allow what a rule demands passkeys for: ${missing} more ${missing === 1 ? 'person' : 'people'} must register one for ${known.rpId} first, by sandagent passkeys add`,
      )
  }
  return {
    [PUBLIC_KEYS_VARIABLE]: JSON.stringify(publicKeys),
    [PASSKEYS_VARIABLE]: JSON.stringify(passkeys),
  }
}

/**
 * By what an inbox of this policy, at this address, shows questions.
 *
 * @throws AskError `INVALID_REQUEST` as {@link runDemand} does
 */
export async function inboxDemand({
  policy: file,
  inbox,
}: Values<typeof DEMAND_OPTIONS>): Promise<Pick<InboxOptions, 'policy' | 'passkeys'>> {
  const { policy } = await answererOf({ policy: file, name: undefined, role: undefined })
  return { policy, passkeys: inbox === undefined ? undefined : passkeysAt(inbox) }
}

function passkeysAt(inbox: string): Passkeys {
  if (!URL.canParse(inbox))
    throw usage(`--inbox takes the address of the inbox, such as http://localhost:7263, and not ${inbox}`)
  const { origin, hostname } = new URL(inbox)
  const site = { rpId: hostname, origins: [origin] }
  const [fault] = passkeySiteFaults(site)
  if (fault) throw usage(`Browsers have no passkeys at ${inbox}. Give --inbox with ${fault.expected}`)
  return openPasskeys(site)
}

const peopleWith = (passkeys: readonly Passkey[]): number =>
  new Set(passkeys.map(({ person }) => nameKey(person))).size
