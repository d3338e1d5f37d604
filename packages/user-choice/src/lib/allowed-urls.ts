import { type AskError, invalid } from '@sandagent/core/internal'
import { isSameHost } from './internal-host.ts'
import { postableUrl } from './postable-url.ts'

/**
 * Where messages may be posted: URLs such as `https://agent.example.com/callback`, with any query; or a function that
 * decides. On this machine, `*` in place of the port stands for any port.
 */
export type AllowedUrls = readonly string[] | ((url: URL) => boolean | Promise<boolean>)

export type UrlFilter = (url: string) => Promise<boolean>

const ANY_PORT = /^(https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])):\*\//i

/** @throws AskError `INVALID_REQUEST` for a text that is no URL with a path. */
export function urlFilter(option: string, allowed: AllowedUrls): UrlFilter {
  const isAllowed = typeof allowed === 'function' ? allowed : inList(option, allowed)
  return async (text) => {
    const url = postableUrl(text)
    return url !== null && (await isAllowed(url)) === true
  }
}

function inList(option: string, texts: readonly string[]): (url: URL) => boolean {
  if (!Array.isArray(texts)) throw unusable(option, 'a list of URLs, or a function that takes a URL')
  const rules = texts.map((text: string, index) => {
    const isAnyPort = ANY_PORT.test(text)
    const url = postableUrl(isAnyPort ? text.replace(':*/', '/') : text)
    // People would take a bare origin for every path below it.
    const hasPath = /^[^/]+\/\/[^/?#]+\//.test(text)
    if (!url || !hasPath || url.search !== '' || url.hash !== '')
      throw unusable(
        `${option}.${index}`,
        'a URL with a path and without a query, such as https://host/callback',
      )
    return { url, isAnyPort }
  })
  return ({ protocol, hostname, port, pathname }) =>
    rules.some(
      ({ url, isAnyPort }) =>
        url.protocol === protocol &&
        isSameHost(url.hostname, hostname) &&
        (isAnyPort || url.port === port) &&
        url.pathname === pathname,
    )
}

const unusable = (path: string, expected: string): AskError =>
  invalid('INVALID_REQUEST', 'Nothing could be posted by this option', [{ path, expected }])
