import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAnswerHandler, LocalSandbox, submitAnswer, toNodeHandler } from '@sandagent/sdk'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'

/** A page that follows the questions in its fragment, and writes down what it sees of each. */
const PAGE = `<!doctype html><title>tab</title><script type="importmap">{"imports":{
  "@sandagent/core": "/core/dist/index.js",
  "@sandagent/core/internal": "/core/dist/internal.js",
  "valibot": "/core/node_modules/valibot/dist/index.mjs",
  "@noble/hashes/": "/core/node_modules/@noble/hashes/"
}}</script><body><script type="module">
  import { createHttpTransport } from '/react/dist/transport/http-transport.js'
  for (const id of location.hash.slice(1).split(',')) {
    const line = document.createElement('p')
    line.id = id
    document.body.append(line)
    createHttpTransport().subscribe(id, ({ state, revision, otherDrafts = [] }) => {
      line.textContent = state + ' ' + Math.max(revision, ...otherDrafts.map((draft) => draft.revision))
    })
  }
</script>`

const packages = fileURLToPath(new URL('../../packages/', import.meta.url))

describe.skipIf(chromiumPath === undefined)('the tabs of a real browser', () => {
  const browser = sharedChromium()
  let context: BrowserContext
  let sandbox: LocalSandbox
  let server: Server
  let url: string
  /** The questions of each event stream that is open. */
  const streams = new Set<string[]>()

  beforeEach(async () => {
    context = await browser().newContext()
    sandbox = new LocalSandbox({ workdir: await mkdtemp(join(tmpdir(), 'sandagent-tabs-')) })
    const handle = toNodeHandler(createAnswerHandler({ sandbox }))
    server = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
      if (pathname === '/') return response.setHeader('content-type', 'text/html').end(PAGE)
      if (pathname !== '/api/answer') {
        const script = ['.js', '.mjs'].includes(extname(pathname))
        const text = script && (await readFile(join(packages, pathname)))
        return text
          ? response.setHeader('content-type', 'text/javascript').end(text)
          : response.writeHead(404).end()
      }
      const ids = searchParams.getAll('toolCallId').sort()
      streams.add(ids)
      response.on('close', () => streams.delete(ids))
      return handle(request, response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  afterEach(async () => {
    await context.close()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    await rm(sandbox.workdir, { recursive: true, maxRetries: 10 })
    expect(streams.size).toBe(0)
  })

  const open = async (...ids: string[]): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(`${url}#${ids.join(',')}`)
    return page
  }
  const oneStreamFor = (...ids: string[]): Promise<void> =>
    vi.waitFor(() => expect([...streams]).toEqual([ids]))
  const draft = (toolCallId: string): Promise<unknown> =>
    submitAnswer(sandbox, {
      toolCallId,
      questions: [{ question: 'Go on?' }],
      answers: {},
      responses: {},
      status: 'pending',
    })
  const shows = (page: Page, id: string, text: string): Promise<void> =>
    page.locator(`#${id}`).filter({ hasText: text }).waitFor()

  it('share one stream, hand it on when its tab goes, and give it to the tab that somebody comes back to', async () => {
    const first = await open('a', 'b')
    await oneStreamFor('a', 'b')
    const second = await open('b', 'c')
    const third = await open('a')
    await oneStreamFor('a', 'b', 'c')
    for (const id of ['a', 'b', 'c']) await draft(id)
    await Promise.all([shows(first, 'a', 'open 1'), shows(first, 'b', 'open 1')])
    await Promise.all([
      shows(second, 'b', 'open 1'),
      shows(second, 'c', 'open 1'),
      shows(third, 'a', 'open 1'),
    ])

    await first.close()
    await oneStreamFor('a', 'b', 'c')
    await draft('c')
    await shows(second, 'c', 'open 2')

    const asked: string[] = []
    third.on('request', (request) => asked.push(new URL(request.url()).search))
    await third.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await vi.waitFor(() => expect(asked).not.toEqual([]))
    await oneStreamFor('a', 'b', 'c')
    for (const id of ['a', 'b']) await draft(id)
    await Promise.all([shows(third, 'a', 'open 2'), shows(second, 'b', 'open 2')])

    await second.close()
    await oneStreamFor('a')
  })
})
