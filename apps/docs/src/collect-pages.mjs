import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { mapLinks, markdownFiles } from './markdown.mjs'
import { docsFolder, pagesFolder, root } from './paths.mjs'
import { createSourcePages } from './source-pages.mjs'

/**
 * Copies docs/ for VitePress. A link to a file of the repository outside docs/ then leads to a page that shows the file.
 *
 * @returns {string[]} the links that lead nowhere
 */
export function collectPages() {
  cpSync(docsFolder, pagesFolder, { recursive: true })
  const sources = createSourcePages()
  /** @type {string[]} */
  const dead = []
  for (const page of markdownFiles(docsFolder)) {
    const folder = dirname(join(docsFolder, page))
    const text = mapLinks(readFileSync(join(docsFolder, page), 'utf8'), (path, anchor) => {
      const target = resolve(folder, path)
      if (path === '' || isBelow(docsFolder, target)) return path + anchor
      if (isBelow(root, target) && existsSync(target)) {
        return relative(folder, join(docsFolder, sources.add(relative(root, target)))).replaceAll('\\', '/')
      }
      dead.push(`docs/${page}: ${path}`)
      return path + anchor
    })
    writeFileSync(join(pagesFolder, page), text)
  }
  return dead
}

/**
 * @param {string} folder
 * @param {string} path
 */
function isBelow(folder, path) {
  return path.startsWith(join(folder, '/'))
}
