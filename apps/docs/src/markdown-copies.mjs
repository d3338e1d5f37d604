import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { mapLinks, markdownFiles, summaryOf, titleOf, withoutFrontmatter } from './markdown.mjs'
import { docsFolder, pagesFolder, siteFolder } from './paths.mjs'
import { OVERVIEW, pagesOf, readPage, sections } from './sections.mjs'

const SUMMARY =
  'An agent in a sandbox stops, asks its user a question, and goes on with the answer. Files carry both. TypeScript packages for the sandbox, the host and the page.'

/** Writes a Markdown copy of each page beside its HTML, the list of them as llms.txt, and all in one as llms-full.txt. */
export function writeMarkdownCopies() {
  for (const name of markdownFiles(pagesFolder)) {
    mkdirSync(dirname(join(siteFolder, name)), { recursive: true })
    writeFileSync(join(siteFolder, name), textOf(name))
  }
  // Pictures for these copies, and what pages offer to download.
  cpSync(docsFolder, siteFolder, { recursive: true, filter: (path) => !path.endsWith('.md') })

  const lists = [OVERVIEW, ...sections()].map((section) => ({ ...section, pages: pagesOf(section) }))
  writeFileSync(join(siteFolder, 'llms.txt'), listOf(lists))
  const whole = lists.flatMap(({ pages }) => pages.map(wholePage))
  writeFileSync(join(siteFolder, 'llms-full.txt'), whole.join('\n\n'))
}

/** @param {string} name */
const textOf = (name) => withoutFrontmatter(readPage(name))

/**
 * The form of llms.txt: a title, a summary, and sections that are lists of links.
 *
 * @param {{ folder: string, text: string, pages: string[] }[]} lists
 */
function listOf(lists) {
  // A reader with little room leaves out the section named "Optional".
  const parts = lists.map(
    ({ folder, text, pages }) =>
      `## ${folder === 'decisions' ? 'Optional' : text}\n\n${pages.map(lineOf).join('\n')}\n`,
  )
  const all = 'All pages in one file: [llms-full.txt](llms-full.txt)'
  return `# SandAgent\n\n> ${SUMMARY}\n\n${all}\n\n${parts.join('\n')}`
}

/** @param {string} name */
function lineOf(name) {
  const text = textOf(name)
  const summary = summaryOf(text)
  return `- [${titleOf(text)}](${name})${summary && `: ${summary}`}`
}

/**
 * A page for the one file that holds all: its links start at the root of the site, because the page has left its folder.
 *
 * @param {string} name
 */
function wholePage(name) {
  const moved = mapLinks(textOf(name), (path, anchor) =>
    path === '' ? `/${name}${anchor}` : posix.join('/', posix.dirname(name), path) + anchor,
  )
  return `<!-- /${name} -->\n\n${moved.trim()}\n`
}
