import { micromark } from 'micromark'
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table'

/**
 * Renders Markdown of an agent: tables too, but no HTML of its own, no scripts behind links, and no pictures, which
 * would tell their server who looks.
 */
export function markdownToHtml(text: string): string {
  const html = micromark(text, {
    extensions: [gfmTable(), { disable: { null: ['labelStartImage'] } }],
    htmlExtensions: [gfmTableHtml()],
  })
  // In what micromark writes, "<" begins a tag of its own and nothing else.
  return html.replaceAll('<a href=', '<a target="_blank" rel="noopener noreferrer nofollow" href=')
}
