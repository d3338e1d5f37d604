import { AskError } from '@sandagent/core'

/** The names under which only this machine reaches itself. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Which requests a host takes for its own. */
export interface OriginCheck {
  /**
   * The names under which it may be asked for, without ports, such as {@link LOOPBACK_HOSTS}. Against web sites whose
   * name was pointed at this machine (DNS rebinding): who serves without sign-in, on loopback or a private network,
   * should give them. Default: any.
   */
  allowedHosts?: readonly string[] | undefined
  /** Other origins whose pages may ask, such as `https://app.example.com`. Default: none but its own. */
  allowedOrigins?: readonly string[] | undefined
}

/** A request's headers: `request.headers` of a web request, an Express request itself. */
export interface RequestHeaders {
  get(name: string): string | null | undefined
}

/**
 * Refuses what a browser sends on behalf of another web site. Programs other than browsers say nothing of sites, and
 * pass.
 *
 * @throws AskError `WRONG_HOST`, `CROSS_SITE`
 */
export function checkOrigin(
  headers: RequestHeaders,
  { allowedHosts, allowedOrigins = [] }: OriginCheck,
): void {
  const host = headers.get('host') ?? ''
  if (allowedHosts && !allowedHosts.includes(parsed(`http://${host}`)?.hostname ?? ''))
    throw new AskError('WRONG_HOST', 'This host is not served under this name')
  const origin = headers.get('origin') ?? undefined
  if (origin !== undefined && allowedOrigins.includes(origin)) return
  // Browsers alone set it, and pages cannot; `none` is the person themselves, by the address bar.
  const site = headers.get('sec-fetch-site') ?? undefined
  const isOwn = site === undefined ? origin === undefined || isSameHost(origin, host) : OWN.includes(site)
  if (!isOwn) throw new AskError('CROSS_SITE', 'Another web site sent this request')
}

const OWN = ['same-origin', 'none']

/** Schemes may differ: TLS often ends before this host. An origin leaves out its scheme's own port, a `Host` may name it. */
function isSameHost(origin: string, host: string): boolean {
  const from = parsed(origin)
  if (from === null || !/^https?:$/.test(from.protocol)) return false
  return from.host === parsed(`${from.protocol}//${host}`)?.host
}

/** `URL.canParse` of Node 20 takes some headers, once it is compiled, that `URL` itself does not. */
function parsed(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}
