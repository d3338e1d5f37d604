import { titleOf } from './markdown.mjs'
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

/** @param {string} name */
const linkOf = (name) => `/${name.replace(/(index)?\.md$/, '')}`
