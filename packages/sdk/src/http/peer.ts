import { BlockList, isIP } from 'node:net'
import { AskError } from '@sandagent/core'

/** The peer's address of each request that came over a socket of this process. No header can change it. */
const peers = new WeakMap<Request, string>()

/** Remembers the peer's address of a request. */
export function notePeer(request: Request, address: string | undefined): Request {
  if (address !== undefined) peers.set(request, address)
  return request
}

/** @throws AskError `FORBIDDEN` for callers on other machines, and for callers whose address is unknown */
export function refuseOtherMachines(
  request: Request,
  peerAddress: (request: Request) => string | undefined = () => undefined,
): void {
  const address = peers.get(request) ?? peerAddress(request)
  if (address === undefined)
    throw new AskError(
      'FORBIDDEN',
      'Without `authorize` only programs on this machine may ask, and this host does not know who asks: set `authorize`, use `toNodeHandler`, or set `peerAddress`',
    )
  if (!isLoopback(address))
    throw new AskError(
      'FORBIDDEN',
      'Without `authorize` only programs on this machine may ask: set `authorize` to let others in',
    )
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** IPv4 addresses inside IPv6 addresses count too. Servers that listen on both see those. */
const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
