import type { Fault, PasskeySite } from '@sandagent/core/internal'

/** Why browsers have no passkeys on the pages of a site, and what to give; none for a site that can have some. */
export function passkeySiteFaults({ rpId, origins }: PasskeySite): Fault[] {
  if (!isDomain(rpId))
    return [
      {
        path: 'rpId',
        expected:
          'a name such as "localhost" or "inbox.example.com": browsers have no passkeys for an address of digits',
      },
    ]
  if (origins.length === 0) return [{ path: 'origins', expected: 'at least one page' }]
  return origins.flatMap((origin, index) =>
    isPageOf(rpId, origin)
      ? []
      : [{ path: `origins[${index}]`, expected: `a page of ${rpId}, such as "${originOf(rpId)}"` }],
  )
}

const isDomain = (name: unknown): name is string =>
  typeof name === 'string' &&
  URL.canParse(`https://${name}`) &&
  new URL(`https://${name}`).hostname === name &&
  !/^\[|^[\d.]+$/.test(name)

/** Without TLS, browsers have passkeys on this machine alone. */
const isLocal = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost')

const originOf = (name: string): string => (isLocal(name) ? `http://${name}:7263` : `https://${name}`)

function isPageOf(rpId: string, text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false
  const { protocol, hostname, origin } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLocal(hostname))
  return isSafe && origin === text && (hostname === rpId || hostname.endsWith(`.${rpId}`))
}
