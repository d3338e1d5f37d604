import { AskError, type Clock, type QuestionRecord, type QuestionState } from '@sandagent/core'
import { linkTokenIn, redeemLink } from '../signing/answer-link.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { DecisionFacts } from './audit.ts'
import { checkOrigin, LOOPBACK_HOSTS, type OriginCheck, type RequestHeaders } from './origin-check.ts'
import { refuseOtherMachines } from './peer.ts'

/** What a caller may do with a question: nothing, all, or all under a name that is stored with the answer. */
export type Authorization = boolean | { answeredBy: string }

/** Who may do what. */
export interface AccessOptions extends OriginCheck {
  /**
   * Decides whether the caller may see and answer a question. `record` is absent for a question that nobody recorded.
   * An `AskError` with the code `UNAUTHENTICATED` or `FORBIDDEN` may say more than `false`. Without this function
   * everybody on this machine may, where this host knows who connects: by `toNodeHandler`, or by `peerAddress`. In
   * production the handler does not start without.
   */
  authorize?:
    | ((
        request: Request,
        question: { toolCallId: string; record: QuestionRecord | undefined },
      ) => Authorization | Promise<Authorization>)
    | undefined
  /**
   * The address at the other end of the request's connection, such as Bun's `server.requestIP(request)?.address`.
   * `toNodeHandler` needs none. Never take it from a header: callers write those.
   */
  peerAddress?: ((request: Request) => string | undefined) | undefined
  /** Takes links of `createAnswerLink` that lead to this page. Default: none. */
  links?: { page: string } | undefined
  /** What signs answers and links. Default: this host's own signing keys, if it has any; `null` stores answers unsigned. */
  signingKeys?: SigningKeys | null | undefined
}

/** Decides about callers. */
export interface Access {
  /**
   * Refuses what may not even ask: other web sites, other names of this host, and without `authorize` other machines.
   *
   * @throws AskError `WRONG_HOST`, `CROSS_SITE`, `FORBIDDEN`
   */
  refuseStrangers(request: Request): void
  /** Whether the caller may see and answer a question; links are not asked for here. */
  mayAnswer(request: Request, state: QuestionState): Promise<Authorization>
  /**
   * Who the caller is, by link or `authorize`.
   *
   * @throws AskError `FORBIDDEN`, what `authorize` throws, or why a link does not count.
   */
  admit(request: Request, state: QuestionState): Promise<Pick<DecisionFacts, 'answeredBy' | 'link'>>
  /** Whether `admit` lets the caller in now. */
  isAdmitted(request: Request, state: QuestionState): Promise<boolean>
}

/** @throws AskError `FORBIDDEN` in production when nothing says who may answer. */
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

  const admit: Access['admit'] = async (request, state) => {
    const token = links && linkTokenIn(request)
    if (token) return redeemLink(token, state, { signingKeys, page: links.page, clock })
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

/** Over HTTP/2, and where a program makes the request, its URL alone names the host. */
const headersOf = ({ headers, url }: Request): RequestHeaders => ({
  get: (name) => headers.get(name) ?? (name === 'host' ? new URL(url).host : null),
})
