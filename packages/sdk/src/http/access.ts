import { BlockList, isIP } from 'node:net'
import { AskError, type Clock, type QuestionRecord, type QuestionState } from '@sandagent/core'
import type { Policy } from '../policy/parse-policy.ts'
import type { Caller } from '../policy/viewer-of.ts'
import { linkTokenIn, redeemLink } from '../signing/answer-link.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { checkOrigin, LOOPBACK_HOSTS, type OriginCheck, type RequestHeaders } from './origin-check.ts'
import { type ApiRequest, webOf } from './web-request.ts'

/**
 * What a caller may do with a question: nothing, everything, or everything under a name that is stored with the answer. `roles`
 * are for the policy.
 */
export type Authorization = boolean | { answeredBy: string; roles?: readonly string[] | undefined }

export interface AccessOptions extends OriginCheck {
  /**
   * Decides whether the caller may see and answer a question. `record` is absent for a question without one. It may throw
   * an `AskError` with the code `UNAUTHENTICATED` or `FORBIDDEN`. Default: all programs on this machine may, if the host
   * knows the caller's address by `toNodeHandler` or `peerAddress`. Required in production.
   */
  authorize?:
    | ((
        request: Request,
        question: { toolCallId: string; record: QuestionRecord | undefined },
      ) => Authorization | Promise<Authorization>)
    | undefined
  /**
   * The caller's address, such as Bun's `server.requestIP(request)?.address`; `toNodeHandler` needs no such function. Never
   * take the address from a header: callers write those.
   */
  peerAddress?: ((request: Request) => string | undefined) | undefined
  /**
   * Who may answer which questions, and how many people must give the same answer. Everybody whom `authorize` or a link admits
   * sees the question. The holder of a link has the roles that the link was made with. Default: everybody who sees it may
   * answer, alone.
   */
  policy?: Policy | undefined
  /** Accepts links of `createAnswerLink` to this page. Default: no links. */
  links?: { page: string } | undefined
  /** Sign answers and links. Default: this host's own signing keys, if it has any; `null` stores answers unsigned. */
  signingKeys?: SigningKeys | null | undefined
}

export interface Access {
  /** @throws AskError `WRONG_HOST`; `CROSS_SITE`; `FORBIDDEN` for another machine without `authorize` */
  refuseStrangers(request: ApiRequest): void
  /** Identifies the caller by link or `authorize`. @throws AskError `FORBIDDEN`, or as they do. */
  admit(request: ApiRequest, state: QuestionState, options?: { mayBeUsed?: boolean }): Promise<Caller>
  /** The same for one of many questions: `null` for a question that is not this caller's. @throws AskError as they do */
  admitAmong(request: ApiRequest, state: QuestionState): Promise<Caller | null>
}

/** @throws AskError `FORBIDDEN` in production without `authorize` and `links`, `INVALID_REQUEST` for a policy without either */
export function createAccess(
  { authorize, links, policy, signingKeys, allowedHosts, allowedOrigins, peerAddress }: AccessOptions,
  clock: Clock,
): Access {
  if (!authorize && !links && process.env.NODE_ENV === 'production')
    throw new AskError(
      'FORBIDDEN',
      'In production the answer API needs `authorize`: it says who may answer what',
    )

  if (policy && !authorize && !links)
    throw new AskError('INVALID_REQUEST', 'A policy needs `authorize`: it says who the caller is')

  const isForThisMachine = !authorize && !links
  const originCheck: OriginCheck = {
    allowedHosts: allowedHosts ?? (isForThisMachine ? LOOPBACK_HOSTS : undefined),
    allowedOrigins,
  }

  const find = async (
    request: ApiRequest,
    state: QuestionState,
    { mayBeUsed }: { mayBeUsed?: boolean } = {},
  ): Promise<Caller | null> => {
    const token = links && linkTokenIn(request)
    if (token) return redeemLink(token, state, { signingKeys, page: links.page, clock, mayBeUsed })
    const { toolCallId, record } = state
    const authorization = authorize ? await authorize(webOf(request), { toolCallId, record }) : !links
    return authorization === true ? {} : authorization || null
  }

  return {
    refuseStrangers(request) {
      checkOrigin(headersOf(request), originCheck)
      if (isForThisMachine) refuseOtherMachines(request, peerAddress)
    },
    async admit(request, state, options) {
      const caller = await find(request, state, options)
      if (!caller) throw new AskError('FORBIDDEN', 'This question is not yours to answer')
      return caller
    },
    admitAmong: (request, state) =>
      find(request, state).catch((error) => {
        // A link is for one question.
        if (error instanceof AskError && error.code === 'LINK_INVALID') return null
        throw error
      }),
  }
}

/** HTTP/2 requests, and requests that a program makes itself, name the host only in their URL. */
const headersOf = ({ headers, url }: ApiRequest): RequestHeaders => ({
  get: (name) => headers.get(name) ?? (name === 'host' ? new URL(url).host : null),
})

/** The peer's address of each request that came over a socket of this process. No header can change it. */
const peers = new WeakMap<ApiRequest, string>()

/** Remembers the peer's address of a request. */
export function notePeer<T extends ApiRequest>(request: T, address: string | undefined): T {
  if (address !== undefined) peers.set(request, address)
  return request
}

/** Remembers that a request which a handler makes of another one comes from the same peer. */
export const noteSamePeer = (request: Request, from: Request): Request => notePeer(request, peers.get(from))

/** @throws AskError `FORBIDDEN` for callers on other machines, and for callers whose address is unknown */
export function refuseOtherMachines(
  request: ApiRequest,
  peerAddress: (request: Request) => string | undefined = () => undefined,
): void {
  const address = peers.get(request) ?? peerAddress(webOf(request))
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
