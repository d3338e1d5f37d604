import { BlockList, isIP } from 'node:net'

const internal = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  internal.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  internal.addSubnet(network, bits, 'ipv6')

/** Names that public DNS does not have. */
const INTERNAL_NAME = /^[^.]+$|\.(?:localhost|local|internal|test)$/

/** Whether the name of a host is one of this machine or of an internal network. */
export function isInternalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  const version = isIP(host)
  return version === 0 ? INTERNAL_NAME.test(host) : internal.check(host, version === 6 ? 'ipv6' : 'ipv4')
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/** Whether two URLs name the same server. The names of this machine are alike. */
export const isSameServer = (a: URL, b: URL): boolean =>
  a.protocol === b.protocol && a.port === b.port && isSameHost(a.hostname, b.hostname)

export const isSameHost = (a: string, b: string): boolean =>
  a === b || (LOOPBACK_NAMES.includes(a) && LOOPBACK_NAMES.includes(b))
