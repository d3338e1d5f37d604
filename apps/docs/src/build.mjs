// Builds the site: copies docs/, generates the reference, runs VitePress, and checks every link of the result.

import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { writeApiReference } from './api-reference.mjs'
import { checkSite } from './check-site.mjs'
import { collectPages } from './collect-pages.mjs'
import { writeMarkdownCopies } from './markdown-copies.mjs'
import { dist, pagesFolder, siteFolder } from './paths.mjs'

rmSync(dist, { recursive: true, force: true })
mkdirSync(pagesFolder, { recursive: true })

const problems = collectPages()
await writeApiReference()
await build(fileURLToPath(new URL('..', import.meta.url)))
writeMarkdownCopies()
problems.push(...checkSite())

if (problems.length > 0) {
  console.error(
    `\n${problems.length} problems of the site:\n${problems.map((line) => `  ${line}`).join('\n')}`,
  )
  process.exit(1)
}
console.log(`
The site is in ${siteFolder}
Look at it:  npm run docs -- --serve`)
