import { micromark } from 'micromark'
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table'

/**
 * Renders Markdown of an agent: tables too, but no HTML of its own, no scripts behind links, no links into this site,
 * where the person is signed in, and no pictures, which would tell their server who looks.
 */
export function markdownToHtml(text: string): string {
  const html = micromark(text, {
    extensions: [gfmTable(), { disable: { null: ['labelStartImage'] } }],
    htmlExtensions: [gfmTableHtml()],
  })
  // In what micromark writes, "<" begins a tag of its own and nothing else.
  return html.replace(/<a href="([^"]*)"/g, (_, href: string) =>
    leadsElsewhere(href) ? `${LINK} href="${href}"` : '<a',
  )
}

const LINK = '<a target="_blank" rel="noopener noreferrer nofollow"'

/** An address of another site, whole. What is relative leads into this one. */
function leadsElsewhere(href: string): boolean {
  if (/^mailto:/i.test(href)) return true
  if (!/^https?:\/\//i.test(href)) return false
  try {
    return new URL(href.replaceAll('&amp;', '&')).host !== globalThis.location?.host
  } catch {
    return false
  }
}
