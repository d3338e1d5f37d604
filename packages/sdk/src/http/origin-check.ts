import { AskError } from '@sandagent/core'

/** The host names by which only this machine reaches itself. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** The requests that a host accepts. */
export interface OriginCheck {
  /**
   * The host names that requests may use, without ports, such as {@link LOOPBACK_HOSTS}. Set them against DNS rebinding if
   * you serve without sign-in on loopback or a private network. Default: any.
   */
  allowedHosts?: readonly string[] | undefined
  /** Other origins whose pages may send requests, such as `https://app.example.com`. Default: none. */
  allowedOrigins?: readonly string[] | undefined
}

/** A request's headers: `request.headers` of a web request, an Express request itself. */
export interface RequestHeaders {
  get(name: string): string | null | undefined
}

/**
 * Refuses what a browser sends for another web site. Requests of other programs pass.
 *
 * @throws AskError `WRONG_HOST`, `CROSS_SITE`
 */
export function checkOrigin(
  headers: RequestHeaders,
  { allowedHosts, allowedOrigins = [] }: OriginCheck,
): void {
  const host = headers.get('host') ?? ''
  if (allowedHosts && !allowedHosts.includes(parsed(`http://${host}`)?.hostname ?? ''))
    throw new AskError('WRONG_HOST', 'This host is not served under this name. Name it in `allowedHosts`')
  const origin = headers.get('origin') ?? undefined
  if (origin !== undefined && allowedOrigins.includes(origin)) return
  // Only browsers set this header, pages cannot. `none` means that a person typed the address.
  const site = headers.get('sec-fetch-site') ?? undefined
  const isOwn = site === undefined ? origin === undefined || isSameHost(origin, host) : OWN.includes(site)
  if (!isOwn)
    throw new AskError(
      'CROSS_SITE',
      'Another web site sent this request. If the page is yours, name its origin in `allowedOrigins`',
    )
}

const OWN = ['same-origin', 'none']

/** The schemes may differ, because TLS often ends before this host. An origin leaves out its scheme's default port. */
function isSameHost(origin: string, host: string): boolean {
  const from = parsed(origin)
  if (from === null || !/^https?:$/.test(from.protocol)) return false
  return from.host === parsed(`${from.protocol}//${host}`)?.host
}

/** `URL.canParse` of Node 20 sometimes accepts headers that `URL` itself refuses. */
function parsed(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}
