import { micromark } from 'micromark'
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table'

/**
 * Renders Markdown of an agent, with tables. It leaves out HTML, scripts behind links, links into this site (the person
 * is signed in here), and pictures (their server would learn who looks).
 */
export function markdownToHtml(text: string): string {
  const html = micromark(text, {
    extensions: [gfmTable(), { disable: { null: ['labelStartImage'] } }],
    htmlExtensions: [gfmTableHtml()],
  })
  // In the output of micromark, "<" only begins tags that micromark wrote.
  return html.replace(/<a href="([^"]*)"/g, (_, href: string) =>
    leadsElsewhere(href) ? `${LINK} href="${href}"` : '<a',
  )
}

const LINK = '<a target="_blank" rel="noopener noreferrer nofollow"'

/** Whether an address is complete and of another site. Relative addresses lead into this site. */
function leadsElsewhere(href: string): boolean {
  if (/^mailto:/i.test(href)) return true
  if (!/^https?:\/\//i.test(href)) return false
  try {
    return new URL(href.replaceAll('&amp;', '&')).host !== globalThis.location?.host
  } catch {
    return false
  }
}
