import type { Responses } from '../../answer/response.ts'
import { digestOf } from '../../lib/digest.ts'
import { withoutHidden } from '../../lib/text/printable.ts'

/** Who gives an answer or a draft, as far as the host knows. */
export interface Author {
  /** The name that the host authenticated. */
  answeredBy?: string
  /** Only without a name: the id of the browser, which its pages make. */
  browser?: string
}

/** A draft of one person. */
export interface AuthoredDraft extends Author {
  responses: Responses
  /** The revision of the answer file that stored it. */
  revision: number
  /** ISO 8601: when it was stored. */
  timestamp: string
}

/** The author of a request. A name says more than a browser: the same person may use several. */
export const authorOf = ({
  answeredBy,
  browser,
}: {
  answeredBy?: string | undefined
  browser?: string | undefined
}): Author => (answeredBy !== undefined ? { answeredBy } : browser !== undefined ? { browser } : {})

/** Whether two authors count as one person. All authors without a name and without a browser count as one. */
export const isSameAuthor = (a: Author, b: Author): boolean =>
  (a.answeredBy === b.answeredBy || isSameName(a.answeredBy, b.answeredBy)) && a.browser === b.browser

/**
 * What two names have in common if they look the same: case, spaces at the ends and invisible characters do not count. The
 * invisible ones go first, because they keep a letter from its accent. Capitals come in between, because some small letters
 * have two forms, such as the Greek sigma.
 */
export const nameKey = (name: string): string =>
  withoutHidden(withoutHidden(name).normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')).trim()

/** Whether two names count as one person. */
export const isSameName = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && nameKey(a) === nameKey(b)

/** A short id of an author, for other people's pages. It does not tell which browser it is. */
export const authorId = ({ answeredBy, browser }: Author): string =>
  digestOf([answeredBy === undefined ? undefined : nameKey(answeredBy), browser]).slice(0, 16)

/** The longest name that other people's pages show. */
const MAX_NAME = 100

/** The name that other people's pages show. */
export const shownName = ({ answeredBy }: Author): { name?: string } =>
  answeredBy === undefined ? {} : { name: [...answeredBy].slice(0, MAX_NAME).join('') }
