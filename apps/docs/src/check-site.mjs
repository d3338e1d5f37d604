import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { siteFolder } from './paths.mjs'

/** What a browser loads by itself, and what a reader may follow. */
const LOADED =
  /<(?:script|img|iframe|source|video|audio|embed)\b[^>]*?\bsrc="([^"]*)"|<link\b[^>]*?\bhref="([^"]*)"/g
const FOLLOWED = /<a\b[^>]*?\bhref="([^"]*)"/g
const ID = /\bid="([^"]*)"/g

/**
 * Looks at every page of the site: each link must lead to a file and a heading that are there, and nothing may be loaded
 * from another host.
 *
 * @returns {string[]} what is wrong
 */
export function checkSite() {
  const names = /** @type {string[]} */ (readdirSync(siteFolder, { recursive: true }))
  const pages = new Map(
    names
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name, readFileSync(join(siteFolder, name), 'utf8')]),
  )
  const ids = new Map(Array.from(pages, ([name, html]) => [name, new Set(valuesOf(html, ID))]))
  return Array.from(pages, ([name, html]) => {
    const loaded = valuesOf(html, LOADED)
    const foreign = loaded.filter((url) => /^(https?:)?\/\//.test(url)).map((url) => `${name} loads ${url}`)
    const dead = [...loaded, ...valuesOf(html, FOLLOWED)].filter((url) => isDead(name, url, ids))
    return [...foreign, ...new Set(dead.map((url) => `${name} links to ${url}, which is not there`))]
  }).flat()
}

/**
 * @param {string} page
 * @param {string} link
 * @param {Map<string, Set<string>>} ids
 */
function isDead(page, link, ids) {
  const { host, pathname, hash } = new URL(link, `http://site/${page}`)
  if (host !== 'site') return false
  const name = decodeURIComponent(pathname)
    .slice(1)
    .replace(/(^|\/)$/, '$1index.html')
  if (!existsSync(join(siteFolder, name))) return true
  return hash !== '' && !ids.get(name)?.has(decodeURIComponent(hash.slice(1)))
}

/**
 * @param {string} html
 * @param {RegExp} pattern
 */
function valuesOf(html, pattern) {
  return Array.from(html.matchAll(pattern), ([, first, second]) =>
    (first ?? second ?? '').replaceAll('&amp;', '&'),
  )
}
