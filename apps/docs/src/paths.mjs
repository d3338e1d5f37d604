import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The pages as people write them. */
export const docsFolder = join(root, 'docs')

/** What is built. */
export const dist = fileURLToPath(new URL('../dist/', import.meta.url))

/** The pages as VitePress reads them: a copy of docs/, and what is generated. */
export const pagesFolder = join(dist, 'pages')

/** The site. */
export const siteFolder = join(dist, 'site')
