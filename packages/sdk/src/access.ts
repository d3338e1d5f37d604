import { AskError, type Clock, type QuestionRecord, type QuestionState } from '@sandagent/core'
import type { DecisionFacts } from './audit.ts'
import { LOOPBACK_HOSTS, type OwnSite } from './own-site.ts'
import { linkTokenIn, redeemLink } from './signing/answer-link.ts'
import type { SigningKeys } from './signing/signing-keys.ts'

/** What a caller may do with a question: nothing, all, or all under a name that is stored with the answer. */
export type Authorization = boolean | { answeredBy: string }

/** Who may do what. */
export interface AccessOptions extends OwnSite {
  /**
   * Decides whether the caller may see and answer a question. `record` is absent for a question that nobody recorded.
   * An `AskError` with the code `UNAUTHENTICATED` or `FORBIDDEN` may say more than `false`. Without this function
   * everybody on this machine may, by a loopback address; in production the handler does not start without.
   */
  authorize?: (
    request: Request,
    question: { toolCallId: string; record: QuestionRecord | undefined },
  ) => Authorization | Promise<Authorization>
  /** Takes links of `createAnswerLink` that lead to this page. Default: none. */
  links?: { page: string }
  /** What signs answers and links. Default: this host's own keys, if it has any; `null` stores answers unsigned. */
  keys?: SigningKeys | null
}

/** Decides about callers. */
export interface Access {
  ownSite: OwnSite
  /** Whether the caller may see and answer a question; links are not asked for here. */
  mayAnswer(request: Request, state: QuestionState): Promise<Authorization>
  /**
   * Who the caller is, by link or `authorize`.
   *
   * @throws AskError `FORBIDDEN`, what `authorize` throws, or why a link does not count.
   */
  admit(request: Request, state: QuestionState): Promise<Pick<DecisionFacts, 'answeredBy' | 'link'>>
}

/** @throws AskError `FORBIDDEN` in production when nothing says who may answer. */
export function createAccess(
  { authorize, links, keys, allowedHosts, allowedOrigins }: AccessOptions,
  clock: Clock,
): Access {
  if (!authorize && !links && process.env.NODE_ENV === 'production')
    throw new AskError(
      'FORBIDDEN',
      'In production the answer API needs `authorize`: it says who may answer what',
    )

  const mayAnswer: Access['mayAnswer'] = async (request, { toolCallId, record }) =>
    authorize ? authorize(request, { toolCallId, record }) : !links

  return {
    ownSite: {
      allowedHosts: allowedHosts ?? (authorize || links ? undefined : LOOPBACK_HOSTS),
      allowedOrigins,
    },
    mayAnswer,
    async admit(request, state) {
      const token = links && linkTokenIn(request)
      if (token) return redeemLink(token, state, { keys, page: links.page, clock })
      const authorization = await mayAnswer(request, state)
      if (!authorization) throw new AskError('FORBIDDEN', 'This question is not yours to answer')
      return authorization === true ? {} : { answeredBy: authorization.answeredBy }
    },
  }
}
