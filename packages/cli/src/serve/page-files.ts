import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built page. Chunks and sources are two folders below their package. */
const FOLDER = fileURLToPath(new URL('../../dist/inbox', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

const FOREVER = 'public, max-age=31536000, immutable'

/** The files of the page by the paths of their URLs, with their headers. The names of assets change with their content. */
export function readPageFiles(): ReadonlyMap<string, () => Response> {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
    (name) => TYPES[extname(name)],
  )
  return new Map(
    names.map((name) => {
      const body = new Uint8Array(readFileSync(join(FOLDER, name)))
      const path = `/${name.replaceAll('\\', '/')}`
      const isPage = path.endsWith('.html')
      const headers = {
        'content-type': TYPES[extname(name)] ?? '',
        'cache-control': isPage ? 'no-store' : path.startsWith('/assets/') ? FOREVER : 'no-cache',
      }
      const place = isPage ? path.replace(/(index)?\.html$/, '') : path
      return [place, () => new Response(body, { headers })]
    }),
  )
}
