import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { linksOf } from './markdown.mjs'
import { pagesFolder } from './paths.mjs'

/**
 * A folder of pages. `first` are those that come first where no index page says so.
 *
 * @typedef {{ folder: string, text: string, first: string[], collapsed?: boolean }} Section
 */

/** The overview at the root, and the folders in the order in which they are read. */
export const OVERVIEW = { folder: '.', text: 'Overview', first: [] }
/** @type {Section[]} */
const SECTIONS = [
  {
    folder: 'start',
    text: 'Start here',
    first: ['install.md', 'express.md', 'next.md', 'page.md', 'terminal.md'],
  },
  { folder: 'concepts', text: 'Concepts', first: [] },
  { folder: 'guides', text: 'Guides', first: [] },
  { folder: 'reference', text: 'Reference', first: [] },
  { folder: 'performance', text: 'Performance', first: [] },
  { folder: 'reference/api', text: 'Packages', first: [], collapsed: true },
  { folder: 'decisions', text: 'Decisions', first: [], collapsed: true },
]

/** The sections that have pages. */
export const sections = () => SECTIONS.filter(({ folder }) => existsSync(join(pagesFolder, folder)))

/**
 * The names of a section's pages: its index, those that are named first, those that its index links to, the others.
 *
 * @param {Section} section
 */
export function pagesOf({ folder, first }) {
  const depth = folder === 'reference/api' ? { recursive: true } : {}
  const names = /** @type {string[]} */ (readdirSync(join(pagesFolder, folder), depth))
  const index = names.includes('index.md') ? linksOf(readPage(join(folder, 'index.md'))) : []
  const order = ['index.md', ...first, ...index]
  const rank = (/** @type {string} */ name) => (order.includes(name) ? order.indexOf(name) : order.length)
  return names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .map((name) => (folder === '.' ? name : `${folder}/${name}`))
}

/** @param {string} name */
export const readPage = (name) => readFileSync(join(pagesFolder, name), 'utf8')
