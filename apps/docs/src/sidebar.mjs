import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { linksOf, titleOf } from './markdown.mjs'
import { pagesFolder } from './paths.mjs'
import { SECTIONS } from './sections.mjs'

/** @typedef {import('vitepress').DefaultTheme.SidebarItem} Item */

/** @returns {Item[]} */
export function sidebar() {
  const sections = SECTIONS.filter(({ folder }) => existsSync(join(pagesFolder, folder)))
  return [
    ...sections.map(({ folder, text, first, collapsed = false }) => ({
      text,
      collapsed,
      ...(existsSync(join(pagesFolder, folder, 'index.md')) && { link: `/${folder}/` }),
      items: [...pagesOf(folder, first), ...(folder === 'reference' ? [apiPages()] : [])],
    })),
    { text: 'More', items: pagesOf('.', []) },
  ]
}

/**
 * The pages of one folder: first those that are named, then those that its index links to, then the others.
 *
 * @param {string} folder
 * @param {string[]} first
 * @returns {Item[]}
 */
function pagesOf(folder, first) {
  const names = readdirSync(join(pagesFolder, folder)).filter(
    (name) => name.endsWith('.md') && name !== 'index.md',
  )
  const order = [...first, ...linksOf(readPage(folder, 'index.md'))]
  const rank = (/** @type {string} */ name) => (order.includes(name) ? order.indexOf(name) : order.length)
  return names
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .map((name) => ({
      text: titleOf(readPage(folder, name)),
      link: `/${folder === '.' ? '' : `${folder}/`}${name.replace('.md', '')}`,
    }))
}

/** @returns {Item} */
function apiPages() {
  const links = linksOf(readPage('reference/api', 'index.md'))
  const items = links.map((link) => ({
    text: titleOf(readPage('reference/api', link)),
    link: `/reference/api/${link.replace('.md', '')}`,
  }))
  return { text: 'Packages', link: '/reference/api/', collapsed: true, items }
}

/**
 * @param {string} folder
 * @param {string} name
 */
function readPage(folder, name) {
  const path = join(pagesFolder, folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
