import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { mapLinks, markdownFiles, summaryOf, titleOf, withoutFrontmatter } from './markdown.mjs'
import { docsFolder, pagesFolder, siteFolder } from './paths.mjs'
import { SECTIONS } from './sections.mjs'

/** @typedef {{ name: string, text: string }} Page `name` is its path on the site */

const SUMMARY =
  'An agent in a sandbox stops, asks its user a question, and goes on with the answer. Files carry both. TypeScript packages for the sandbox, the host and the page.'

/** Writes a Markdown copy of each page beside its HTML, the list of them as llms.txt, and all in one as llms-full.txt. */
export function writeMarkdownCopies() {
  const pages = markdownFiles(pagesFolder).map((name) => ({
    name,
    text: withoutFrontmatter(readFileSync(join(pagesFolder, name), 'utf8')),
  }))
  for (const { name, text } of pages) {
    mkdirSync(dirname(join(siteFolder, name)), { recursive: true })
    writeFileSync(join(siteFolder, name), text)
  }
  // Pictures for these copies, and what pages offer to download.
  cpSync(docsFolder, siteFolder, { recursive: true, filter: (path) => !path.endsWith('.md') })

  const listed = pages.filter(({ name }) => !name.startsWith('source/'))
  writeFileSync(join(siteFolder, 'llms.txt'), listOf(listed))
  writeFileSync(join(siteFolder, 'llms-full.txt'), listed.map(wholePage).join('\n\n'))
}

/**
 * The form of llms.txt: a title, a summary, and sections that are lists of links.
 *
 * @param {Page[]} pages
 */
function listOf(pages) {
  const sections = [
    { text: 'Overview', isIn: (/** @type {string} */ name) => !name.includes('/') },
    ...SECTIONS.map(({ folder, text }) => ({
      // A reader with little room leaves out the section that has this name.
      text: folder === 'decisions' ? 'Optional' : text,
      isIn: (/** @type {string} */ name) => name.startsWith(`${folder}/`),
    })),
  ]
  const lists = sections.map(({ text, isIn }) => {
    const lines = pages.filter(({ name }) => isIn(name)).map(lineOf)
    return lines.length === 0 ? '' : `\n## ${text}\n\n${lines.join('\n')}\n`
  })
  return `# SandAgent\n\n> ${SUMMARY}\n\nAll pages in one file: [llms-full.txt](llms-full.txt)\n${lists.join('')}`
}

/** @param {Page} page */
function lineOf({ name, text }) {
  const summary = summaryOf(text)
  return `- [${titleOf(text)}](${name})${summary && `: ${summary}`}`
}

/**
 * A page for the one file that holds all: its links start at the root of the site, because the page has left its folder.
 *
 * @param {Page} page
 */
function wholePage({ name, text }) {
  const moved = mapLinks(text, (path, anchor) =>
    path === '' ? `/${name}${anchor}` : posix.join('/', posix.dirname(name), path) + anchor,
  )
  return `<!-- /${name} -->\n\n${moved.trim()}\n`
}
