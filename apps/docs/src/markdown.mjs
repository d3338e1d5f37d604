import { readdirSync } from 'node:fs'

/** A block of code, a span of code, or the target of a link or picture. */
const CODE_OR_TARGET = /^(```+|~~~+)[\s\S]*?^\1|`[^`\n]+`|(\]\(\s*)([^()\s]+)(\s*\))/gm

const HAS_SCHEME = /^[a-z][a-z+.-]*:/i

/**
 * Changes the targets of all links and pictures that stay on this site. Code is left as it is.
 *
 * @param {string} markdown
 * @param {(path: string, anchor: string) => string} change gets `../x.md` and `#part`, either may be empty
 */
export function mapLinks(markdown, change) {
  return markdown.replace(CODE_OR_TARGET, (whole, _fence, before, target, after) => {
    if (target === undefined || HAS_SCHEME.test(target)) return whole
    const [path = '', anchor] = target.split('#')
    return before + change(path, anchor === undefined ? '' : `#${anchor}`) + after
  })
}

/** @param {string} markdown */
export function titleOf(markdown) {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Untitled'
  return title.replaceAll(/[`*\\]/g, '')
}

/**
 * The Markdown files below a folder, with "/" between the parts of their paths.
 *
 * @param {string} folder
 */
export function markdownFiles(folder) {
  const names = /** @type {string[]} */ (readdirSync(folder, { recursive: true }))
  return names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .sort()
}

/**
 * The Markdown files that a page links to, in that order, as the page names them.
 *
 * @param {string} markdown
 */
export function linksOf(markdown) {
  /** @type {string[]} */
  const links = []
  mapLinks(markdown, (path, anchor) => {
    if (path.endsWith('.md')) links.push(path)
    return path + anchor
  })
  return links
}

/** @param {string} markdown */
export function withoutFrontmatter(markdown) {
  return markdown.replace(/^---\n[\s\S]*?\n---\n+/, '')
}

/** How long the summary of a page may be, in characters. */
const LONGEST_SUMMARY = 200

/**
 * The first sentences of a page as plain text; nothing for a page that begins with a heading, a list or code.
 *
 * @param {string} markdown
 */
export function summaryOf(markdown) {
  const [, block = ''] = markdown.trim().split(/\n{2,}/)
  if (!/^[\p{L}\p{N}`*"[@]/u.test(block)) return ''
  const plain = block
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replace(/\s+/g, ' ')
  const sentences = plain.match(/.+?[.!?:](?=\s|$)/g) ?? [plain]
  let summary = sentences.shift() ?? ''
  for (const next of sentences) {
    if (`${summary}${next}`.length > LONGEST_SUMMARY) break
    summary += next
  }
  return summary.replace(/:$/, '.')
}
