import { AskError, type Clock, type QuestionRecord, type QuestionState } from '@sandagent/core'
import { linkTokenIn, redeemLink } from '../signing/answer-link.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { DecisionFacts } from './audit.ts'
import { checkOrigin, LOOPBACK_HOSTS, type OriginCheck, type RequestHeaders } from './origin-check.ts'
import { refuseOtherMachines } from './peer.ts'

/** What a caller may do with a question: nothing, everything, or everything under a name that is stored with the answer. */
export type Authorization = boolean | { answeredBy: string }

export interface AccessOptions extends OriginCheck {
  /**
   * Decides whether the caller may see and answer a question. `record` is absent for an unrecorded question. It may throw
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
  /** Accepts links of `createAnswerLink` to this page. Default: no links. */
  links?: { page: string } | undefined
  /** Sign answers and links. Default: this host's own signing keys, if it has any; `null` stores answers unsigned. */
  signingKeys?: SigningKeys | null | undefined
}

export interface Access {
  /** @throws AskError `WRONG_HOST`; `CROSS_SITE`; `FORBIDDEN` for another machine without `authorize` */
  refuseStrangers(request: Request): void
  /** Whether the caller may see and answer a question, without a link. */
  mayAnswer(request: Request, state: QuestionState): Promise<Authorization>
  /** Identifies the caller by link or `authorize`. @throws AskError `FORBIDDEN`, or as they do. */
  admit(
    request: Request,
    state: QuestionState,
    options?: { mayBeUsed?: boolean },
  ): Promise<Pick<DecisionFacts, 'answeredBy' | 'link'>>
  isAdmitted(request: Request, state: QuestionState): Promise<boolean>
}

/** @throws AskError `FORBIDDEN` in production without `authorize` and `links` */
export function createAccess(
  { authorize, links, signingKeys, allowedHosts, allowedOrigins, peerAddress }: AccessOptions,
  clock: Clock,
): Access {
  if (!authorize && !links && process.env.NODE_ENV === 'production')
    throw new AskError(
      'FORBIDDEN',
      'In production the answer API needs `authorize`: it says who may answer what',
    )

  const mayAnswer: Access['mayAnswer'] = async (request, { toolCallId, record }) =>
    authorize ? authorize(request, { toolCallId, record }) : !links

  const isForThisMachine = !authorize && !links
  const originCheck: OriginCheck = {
    allowedHosts: allowedHosts ?? (isForThisMachine ? LOOPBACK_HOSTS : undefined),
    allowedOrigins,
  }

  const admit: Access['admit'] = async (request, state, { mayBeUsed } = {}) => {
    const token = links && linkTokenIn(request)
    if (token) return redeemLink(token, state, { signingKeys, page: links.page, clock, mayBeUsed })
    const authorization = await mayAnswer(request, state)
    if (!authorization) throw new AskError('FORBIDDEN', 'This question is not yours to answer')
    return authorization === true ? {} : { answeredBy: authorization.answeredBy }
  }

  return {
    refuseStrangers(request) {
      checkOrigin(headersOf(request), originCheck)
      if (isForThisMachine) refuseOtherMachines(request, peerAddress)
    },
    mayAnswer,
    admit,
    async isAdmitted(request, state) {
      try {
        await admit(request, state)
        return true
      } catch (error) {
        if (error instanceof AskError) return false
        throw error
      }
    },
  }
}

/** HTTP/2 requests, and requests that a program makes itself, name the host only in their URL. */
const headersOf = ({ headers, url }: Request): RequestHeaders => ({
  get: (name) => headers.get(name) ?? (name === 'host' ? new URL(url).host : null),
})
