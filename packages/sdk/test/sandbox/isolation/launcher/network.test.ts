import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { canIsolate, isolatedSandbox, printedBy } from '../../../support/isolated.ts'

describe.skipIf(!canIsolate)('the network of an isolated program', () => {
  /** A server on loopback, closed after the test. */
  async function serve(): Promise<{ url: string; host: string }> {
    const server: Server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await vi.waitFor(() => expect(server.listening).toBe(true))
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    return { url: `http://${host}/`, host }
  }

  /** Asks as programs do that know `HTTP_PROXY`, or else directly. */
  const GET = `const { HTTP_PROXY: proxy } = process.env, url = new URL(process.argv[1])
    const to = proxy ? new URL(proxy) : url
    const headers = { host: url.host, ...(proxy && { 'proxy-authorization': 'Basic ' + btoa(decodeURIComponent(to.username) + ':' + to.password) }) }
    require('http').get({ host: to.hostname, port: to.port, path: url.href, headers }, (r) =>
      r.on('data', (piece) => process.stdout.write(piece))).on('error', ({ code }) => console.log(code))`
  const get = (
    sandbox: Parameters<typeof printedBy>[0],
    url: string,
    hosts: string[] = [],
  ): Promise<string> => printedBy(sandbox, `node -e "$GET" ${url}`, { env: { GET }, hosts })

  it('leads nowhere', async () => {
    const { url } = await serve()
    expect(await get(await isolatedSandbox(), url)).toBe('ECONNREFUSED\n')
  })

  it('leads to the hosts that are allowed, and to no other', async () => {
    const [first, second, third] = [await serve(), await serve(), await serve()]
    const sandbox = await isolatedSandbox({ hosts: [first.host] })
    expect(await get(sandbox, first.url)).toBe('hello')
    expect(await get(sandbox, second.url, [second.host])).toBe('hello')
    expect(await get(sandbox, third.url)).toMatch(/blocked/)
  })
})
