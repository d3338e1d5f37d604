import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { dirname, extname, join } from 'node:path'
import { listen } from '@sandagent/fixtures/listen.ts'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { mapLinks } from '../../apps/docs/src/markdown.mjs'
import { root, run } from '../../scripts/run.mjs'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'

const site = join(root, 'apps/docs/dist/site')

const filesOf = (ending: string) =>
  readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending))

/** The relative links of a Markdown file of the site that lead to no file. */
function deadLinks(name: string): string[] {
  const dead: string[] = []
  mapLinks(readFileSync(join(site, name), 'utf8'), (path, anchor) => {
    const target = path.startsWith('/') ? join(site, path) : join(site, dirname(name), path)
    if (path !== '' && !existsSync(target)) dead.push(`${name}: ${path}`)
    return path + anchor
  })
  return dead
}

beforeAll(async () => {
  expect(await run('npm', ['run', '--silent', 'docs'], { quiet: true })).toBe(0)
}, 600_000)

describe('the Markdown of the site', () => {
  it('is there beside each page, and its links lead to files', () => {
    const pages = filesOf('.html').filter((name) => name !== '404.html')
    expect(pages.length).toBeGreaterThan(100)
    expect(filesOf('.md').sort()).toEqual(pages.map((name) => name.replace('.html', '.md')).sort())
    expect(filesOf('.md').flatMap(deadLinks)).toEqual([])
  })

  it('is listed in llms.txt and whole in llms-full.txt', () => {
    const list = readFileSync(join(site, 'llms.txt'), 'utf8')
    const whole = readFileSync(join(site, 'llms-full.txt'), 'utf8')
    expect(list).toMatch(/^# SandAgent\n\n> .+\n/)
    expect(deadLinks('llms.txt')).toEqual([])
    expect(deadLinks('llms-full.txt')).toEqual([])
    for (const page of ['start/express.md', 'guides/form.md', 'reference/http.md', 'reference/api/sdk.md']) {
      expect(list).toContain(`](${page})`)
      expect(whole).toContain(`<!-- /${page} -->`)
    }
  })
})

describe.skipIf(!chromiumPath)('the site in a browser', () => {
  const browser = sharedChromium()

  it('shows each page without a fault, a stray brace or a request to another host', async () => {
    const origin = await listen(serveSite)
    const context = await browser().newContext()
    const faults: string[] = []
    await context.route(
      ({ origin: asked, protocol }) => protocol.startsWith('http') && asked !== origin,
      (route) => {
        faults.push(`${route.request().frame().url()} asks for ${route.request().url()}`)
        return route.abort()
      },
    )
    const page = await context.newPage()
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error}`))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`)
    })
    // A page that shows a source, a decision or a part of a package is made as every other.
    const names = filesOf('.html').filter(
      (name) => !/^(source|decisions|404|reference\/api\/.+\/)/.test(name),
    )
    for (const name of names) {
      await page.goto(`${origin}/${name}`)
      const frame = page.locator('.VPNavBarTitle, .VPSidebar, .VPDocAsideOutline')
      await page.getByRole('link', { name: 'SandAgent', exact: true }).waitFor()
      expect(name + (await frame.allTextContents()).join()).not.toContain('{{')
    }
    expect(faults).toEqual([])
    await context.close()
  }, 600_000)

  it('finds words in all pages, without a server', async () => {
    const page = await browser().newPage()
    await page.goto(await listen(serveSite), { waitUntil: 'networkidle' })
    const search = page.getByRole('searchbox')
    // On a busy machine, the page takes keys some time after it was loaded.
    await vi.waitFor(async () => {
      await page.keyboard.press('Control+k')
      await search.waitFor({ timeout: 1000 })
    })
    await search.fill('LINK_EXPIRED')
    await page.getByRole('option', { name: 'LINK_EXPIRED' }).first().click()
    await expect.poll(() => page.url()).toContain('/reference/errors.html#link_expired')
    await page.close()
  })

  it('fits a phone', async () => {
    const origin = await listen(serveSite)
    const context = await browser().newContext({ viewport: { width: 390, height: 844 } })
    const page = await context.newPage()
    for (const name of [
      '',
      'concepts/',
      'guides/form.html',
      'reference/http.html',
      'reference/api/sdk.html',
    ]) {
      await page.goto(`${origin}/${name}`, { waitUntil: 'networkidle' })
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect([name, width]).toEqual([name, 390])
    }
    await context.close()
  })
})

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** Serves the files of the site, as every static server does. */
const serveSite: RequestListener = (request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname)
  const file = join(site, path.endsWith('/') ? `${path}index.html` : path)
  if (!existsSync(file)) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
  response.end(readFileSync(file))
}
