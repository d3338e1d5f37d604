import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { titleOf } from './markdown.mjs'
import { pagesFolder } from './paths.mjs'
import { OVERVIEW, pagesOf, readPage, sections } from './sections.mjs'

/** @typedef {import('vitepress').DefaultTheme.SidebarItem} Item */

/** @returns {Item[]} */
export function sidebar() {
  return [...sections(), { ...OVERVIEW, text: 'More' }].map((section) => {
    const pages = pagesOf(section)
    const index = pages.find((name) => name === `${section.folder}/index.md`)
    return {
      text: section.text,
      collapsed: section.collapsed ?? false,
      ...(index && { link: linkOf(index) }),
      items: pages
        .filter((name) => !name.endsWith('index.md'))
        .map((name) => ({ text: titleOf(readPage(name)), link: linkOf(name) })),
    }
  })
}

/** The links above each page: the folders that have an index of their own. */
export const nav = () =>
  sections()
    .filter(({ folder }) => existsSync(join(pagesFolder, folder, 'index.md')) && !folder.includes('/'))
    .map(({ folder, text }) => ({ text, link: `/${folder}/`, activeMatch: `^/${folder}/` }))

/** @param {string} name */
const linkOf = (name) => `/${name.replace(/(index)?\.md$/, '')}`
