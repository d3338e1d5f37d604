import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { AskError } from '@sandagent/core/internal'
import ipaddr from 'ipaddr.js'

export interface EndpointCheck {
  /** Lets push services on this machine in, by plain HTTP. For tests. */
  allowLoopback?: boolean | undefined
}

/**
 * Why an address is none of a push service; `null` if it may be one. A browser names it, and this host sends requests there.
 */
export function checkEndpoint(endpoint: string, { allowLoopback = false }: EndpointCheck): string | null {
  if (!URL.canParse(endpoint)) return 'an address'
  const { protocol, hostname, username, password } = new URL(endpoint)
  const host = bare(hostname)
  if (allowLoopback && host === '127.0.0.1') return null
  if (protocol !== 'https:') return 'an address that begins with https:'
  if (username !== '' || password !== '') return 'an address without a password'
  return isIP(host) !== 0 && !isPublic(host) ? 'an address on the internet' : null
}

/** Finds the address of a push service, when the connection is made. A name that leads into a private network has none. */
export const lookUpPublic: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '')
    const found = addresses.filter(({ address }) => isPublic(address))
    const [first] = found
    if (!first) return callback(new AskError('UNREACHABLE', `${hostname} is in a private network`), '')
    if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  })

/** The address that a push service can complain to: they refuse one of this machine or a private network. */
export function contactOf(origin: string): string {
  const { protocol, hostname } = new URL(origin)
  const host = bare(hostname)
  const isKnownOutside = isIP(host) === 0 ? !/(^|\.)localhost\.?$/.test(host) : isPublic(host)
  return protocol === 'https:' && isKnownOutside ? origin : 'mailto:nobody@example.com'
}

/** Without the brackets of IPv6. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/** Not of this machine, a private network or any other special range. IPv4 addresses inside IPv6 addresses count too. */
const isPublic = (address: string): boolean => ipaddr.process(address).range() === 'unicast'
