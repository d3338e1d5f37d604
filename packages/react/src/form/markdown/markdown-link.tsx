import type { ReactElement, ReactNode } from 'react'

interface MarkdownLinkProps {
  url: string
  /** The visible text, without its looks. */
  text: string
  /** Whether it is shown as text. */
  isText: boolean
  children: ReactNode
}

/** A link to another site, in a new tab. Where it leads is shown, unless its text says so. */
export function MarkdownLink({ url, text, isText, children }: MarkdownLinkProps): ReactElement {
  const address = addressOf(url)
  if (address === null) return <>{children}</>
  const content = (
    <>
      {children}
      {!saysWhere(text, url, address) && (
        <>
          {' '}
          <bdi className="sa-address">({address})</bdi>
        </>
      )}
    </>
  )
  if (isText) return content
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {content}
    </a>
  )
}

/** Whether a text is the address itself. An address with a user name, or with letters like others, can mislead. */
function saysWhere(text: string, url: string, address: string): boolean {
  const bare = url.replace(/^\w+:(?:\/\/)?/, '')
  const isPlain = bare === address || bare.startsWith(`${address}/`) || bare.startsWith(`${address}?`)
  return isPlain && [url, bare, address].some((each) => withoutSlash(each) === withoutSlash(text))
}

const withoutSlash = (text: string): string => text.trim().replace(/\/$/, '')

/**
 * The host or the mail address that a link leads to. `null` for everything but complete addresses of other sites: a
 * relative address leads into this site, where the person is signed in.
 */
function addressOf(url: string): string | null {
  try {
    const { protocol, host, pathname } = new URL(url)
    if (protocol === 'mailto:') return pathname
    const isElsewhere = /^https?:$/.test(protocol) && host !== globalThis.location?.host
    return isElsewhere && /^https?:\/\//i.test(url) ? host : null
  } catch {
    return null
  }
}
