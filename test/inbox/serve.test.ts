import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { freePort } from '@sandagent/fixtures/listen.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createSigningKey } from '@sandagent/sdk'
import { enterWorkdir } from '@sandagent/sdk/internal'
import { openRecord } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { readQrCode } from '../support/browser/qr-code.ts'
import { canMakeCertificates, makeCertificate } from '../support/servers/certificate.ts'
import { main, startInbox } from '../support/servers/inbox-server.ts'
import { startInTerminal } from '../support/terminal/pseudo-terminal.ts'
import { createWorkspace } from '../support/workspace.ts'

interface Reply {
  status: number | undefined
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A request with any headers: `fetch` keeps `Host` and `Cookie` to itself. */
const get = (
  url: string,
  headers: Record<string, string> = {},
  more: { method?: string; body?: string } = {},
) =>
  new Promise<Reply>((resolve, reject) => {
    const ask = url.startsWith('https') ? httpsRequest : httpRequest
    ask(url, { headers, method: more.method ?? 'GET', rejectUnauthorized: false }, async (response) => {
      resolve({ status: response.statusCode, headers: response.headers, body: await text(response) })
    })
      .on('error', reject)
      .end(more.body)
  })

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Uses a link as the button of its page does, and gives the cookie of the session. */
async function signIn(link: string): Promise<{ cookie: string; reply: Reply }> {
  const body = new URLSearchParams({ link }).toString()
  const reply = await get(new URL('/login', link).href, FORM, { method: 'POST', body })
  return { reply, cookie: String(reply.headers['set-cookie']?.[0]).split(';')[0] ?? '' }
}

const questions = ({ body }: Reply): unknown => JSON.parse(body).questions

/** A folder in which one question is asked, and an inbox of it. */
async function inbox(...args: string[]) {
  const { sandbox, channel } = await createWorkspace()
  await channel.open(openRecord('toolu_1'))
  const server = await startInbox(['--workdir', sandbox.workdir, ...args])
  return { sandbox, channel, server, list: `${server.origin}/api/inbox/questions` }
}

/** Runs the command, and resolves to its exit code and its complaint. */
const refusalOf = (...args: string[]) =>
  promisify(execFile)(process.execPath, [main, 'serve', ...args]).then(
    () => ({ code: 0, stderr: '' }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  )

describe('sandagent serve', () => {
  it('signs in one browser by its link, which also counts after a restart', async () => {
    const { server, list, sandbox } = await inbox('--port', `${await freePort()}`)
    expect((await get(server.origin)).status).toBe(401)
    expect(await get(list)).toMatchObject({ status: 401, body: expect.stringContaining('UNAUTHENTICATED') })
    const { reply, cookie } = await signIn(server.link)
    const [facts] = reply.headers['set-cookie'] ?? []
    expect(facts).toMatch(/HttpOnly; SameSite=Strict; Path=\//)
    expect(facts).not.toContain('Secure')
    expect((await get(server.link)).status).toBe(403)
    expect((await get(server.origin, { cookie })).body).toContain('<div id="root">')
    expect(questions(await get(list, { cookie }))).toMatchObject([{ sandboxId: sandbox.workdir }])
    expect((await get(list, { cookie: cookie.slice(0, -3) })).status).toBe(401)
    expect(await server.stop()).toBe(143)
    const again = await startInbox(['--workdir', sandbox.workdir, '--port', server.port])
    expect(again.origin).toBe(server.origin)
    expect((await get(list, { cookie })).status).toBe(200)
  })

  it('does not use up its link for what only looks at it, such as the preview of a messenger', async () => {
    const { server } = await inbox()
    for (const method of ['GET', 'HEAD', 'GET']) {
      const reply = await get(server.link, {}, { method })
      expect([reply.status, reply.headers['set-cookie']]).toEqual([200, undefined])
    }
    const { body } = await get(server.link)
    expect(body).toContain('<form method="post" action="/login">')
    const { reply, cookie } = await signIn(server.link)
    expect(reply.status).toBe(200)
    expect((await get(server.origin, { cookie })).status).toBe(200)
    expect((await get(server.link)).status).toBe(403)
    expect((await signIn(server.link)).reply.status).toBe(403)
    expect((await get(`${server.origin}/login?link="><b>`)).body).not.toContain('"><b>')
    const long = await get(`${server.origin}/login`, FORM, {
      method: 'POST',
      body: `link=${'x'.repeat(20_000)}`,
    })
    expect(long.status).toBe(403)
  })

  it('takes no session of another person, of other roles, folders or ports', async () => {
    const [first, other] = [await tempDir(), await tempDir()]
    const port = `${await freePort()}`
    const serve = (workdir: string, ...args: string[]) => startInbox(['--workdir', workdir, ...args])
    const ada = await serve(first, '--name', 'ada', '--port', port)
    const { cookie } = await signIn(ada.link)
    const statusOf = async ({ origin }: { origin: string }, sent = cookie) =>
      (await get(origin, { cookie: sent })).status
    expect(await statusOf(ada)).toBe(200)
    const elsewhere = await serve(first, '--name', 'ada')
    const renamed = cookie.replace(`-${port}=`, `-${elsewhere.port}=`)
    expect([await statusOf(elsewhere), await statusOf(elsewhere, renamed)]).toEqual([401, 401])
    await ada.stop()
    for (const [workdir, ...args] of [
      [first, '--name', 'bob'],
      [other, '--name', 'ada'],
      [first, '--name', 'ada', '--state-folder', '.other'],
    ] as [string, ...string[]][]) {
      const server = await serve(workdir, ...args, '--port', port)
      expect(await statusOf(server), args.join(' ')).toBe(401)
      await server.stop()
    }
    expect(await statusOf(await serve(first, '--name', 'ada', '--port', port))).toBe(200)
  })

  it('stores answers under the name of the person, and keeps a log of them', async () => {
    const audit = join(await tempDir(), 'audit')
    const { server, sandbox } = await inbox('--name', 'Ada', '--audit', audit)
    const { cookie } = await signIn(server.link)
    const url = `${server.origin}/api/inbox/answer?sandbox=${encodeURIComponent(sandbox.workdir)}`
    const body = JSON.stringify({
      toolCallId: 'toolu_1',
      status: 'completed',
      responses: { q1: { selected: ['A'] } },
    })
    const headers = { cookie, 'content-type': 'application/json' }
    expect((await get(url, { 'content-type': 'application/json' }, { method: 'POST', body })).status).toBe(
      401,
    )
    expect((await get(url, headers, { method: 'POST', body })).status).toBe(200)
    const file = await readFile(join(sandbox.workdir, '.sandagent/approvals/toolu_1.json'), 'utf8')
    expect(JSON.parse(file)).toMatchObject({
      status: 'completed',
      answeredBy: 'Ada',
      signature: expect.any(String),
    })

    const verify = () => promisify(execFile)(process.execPath, [main, 'audit', 'verify', audit])
    expect((await verify()).stdout).toContain('2 decisions in 1 file.')
    const [name = ''] = await readdir(audit)
    const lines = (await readFile(join(audit, name), 'utf8')).trimEnd().split('\n')
    expect(lines.slice(1).map((line) => JSON.parse(line))).toMatchObject([
      { outcome: 'UNAUTHENTICATED' },
      { action: 'answer', toolCallId: 'toolu_1', answeredBy: 'Ada', outcome: 'OK' },
    ])
    await writeFile(join(audit, name), `${lines.toSpliced(1, 1).join('\n')}\n`)
    await expect(verify()).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Line 2 does not follow'),
    })
  })

  it('refuses other host names and other sites, and lets no other site frame it', async () => {
    const { server, list } = await inbox()
    const { cookie } = await signIn(server.link)
    expect((await get(server.origin, { cookie, host: 'evil.example' })).status).toBe(403)
    expect((await get(list, { cookie, host: 'evil.example' })).body).toContain('WRONG_HOST')
    expect((await get(list, { cookie, origin: 'https://evil.example' })).body).toContain('CROSS_SITE')
    // A person may follow a link to the page from anywhere.
    expect((await get(server.origin, { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(200)
    for (const path of ['/', '/login', '/nothing', '/api/inbox/runs']) {
      const { headers } = await get(server.origin + path, { cookie })
      expect(headers['content-security-policy'], path).toContain("frame-ancestors 'none'")
      expect(headers['x-content-type-options'], path).toBe('nosniff')
    }
    expect((await get(`${server.origin}/%2e%2e/main.js`, { cookie })).status).toBe(404)
  })

  it('finds the folders of agents by itself, also those that come later', async () => {
    const config = await tempDir()
    const server = await startInbox([], { env: { XDG_CONFIG_HOME: config } })
    // A program that only asks is in no list of folders.
    expect(server.printed).toMatch(/no folder yet.* calls askUser, start sandagent serve with --workdir/)
    const { cookie } = await signIn(server.link)
    const list = async () => questions(await get(`${server.origin}/api/inbox/questions`, { cookie }))
    expect(await list()).toEqual([])
    const { sandbox, channel } = await createWorkspace()
    await channel.open(openRecord('toolu_1'))
    const own = process.env.XDG_CONFIG_HOME
    process.env.XDG_CONFIG_HOME = config
    try {
      await enterWorkdir(sandbox, { onWarning: () => {} })
    } finally {
      process.env.XDG_CONFIG_HOME = own
    }
    await vi.waitFor(async () => expect(await list()).toMatchObject([{ sandboxId: sandbox.workdir }]))
  })

  it('lets other machines in only by TLS, or behind a tunnel', async () => {
    const workdir = await tempDir()
    const serve = (...args: string[]) => refusalOf('--workdir', workdir, ...args)
    expect(await serve('--host', '192.0.2.1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('lets other machines in'),
    })
    for (const wrong of [
      ['--host', '0.0.0.0', '--tls-cert', 'a', '--tls-key', 'b'],
      ['--tls-cert', 'a'],
      ['--url', 'http://inbox.example.com'],
      ['--url', 'https://inbox.example.com/path'],
      ['--port', '65536'],
    ])
      expect((await serve(...wrong)).code, wrong.join(' ')).toBe(2)
  })

  it('says that a folder is missing, and that a port is taken', async () => {
    const { server, sandbox } = await inbox()
    expect((await refusalOf('--workdir', '/nowhere/at/all')).stderr).toContain('There is no folder')
    expect(await refusalOf('--workdir', sandbox.workdir, '--port', server.port)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Another program has the port ${server.port}`),
    })
  })

  it('says which file of a certificate cannot be read, and what is no certificate', async () => {
    const workdir = await tempDir()
    const file = join(workdir, 'key.pem')
    await writeFile(file, 'no key')
    const refusal = (cert: string) => refusalOf('--workdir', workdir, '--tls-cert', cert, '--tls-key', file)
    expect(await refusal(join(workdir, 'cert.pem'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--tls-cert \S+cert\.pem cannot be read/),
    })
    expect(await refusal(file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--tls-cert and --tls-key need a certificate and its key'),
    })
  })

  it('opens its link in the browser, and shows it to no other process', async () => {
    const folder = await tempDir()
    const told = join(folder, 'told')
    await writeFile(
      join(folder, 'xdg-open'),
      `#!/bin/sh\necho "$*" > ${told}.new; cat "$1" >> ${told}.new; mv ${told}.new ${told}\n`,
      { mode: 0o755 },
    )
    const args = ['--workdir', await tempDir(), '--open']
    const server = await startInbox(args, { env: { PATH: `${folder}:${process.env.PATH}`, TMPDIR: folder } })
    const [argument = '', page] = (await vi.waitFor(() => readFile(told, 'utf8'))).split('\n')
    expect(argument).toMatch(/inbox\.html$/)
    expect(page).toContain(`url=${server.link}`)
    expect((await stat(argument)).mode & 0o077).toBe(0)
    await server.stop()
    await expect(stat(argument)).rejects.toThrow('ENOENT')
  })

  it('makes a link for another device only for a browser that is signed in, and only if one can reach it', async () => {
    const { server } = await inbox()
    const { cookie } = await signIn(server.link)
    const url = `${server.origin}/api/link`
    const ask = (headers: Record<string, string>, method = 'POST') => get(url, headers, { method })
    expect(await ask({})).toMatchObject({ status: 401 })
    expect((await ask({ cookie, origin: 'https://evil.example' })).body).toContain('CROSS_SITE')
    expect((await ask({ cookie, host: 'evil.example' })).body).toContain('WRONG_HOST')
    expect((await ask({ cookie }, 'GET')).status).toBe(405)
    expect(JSON.parse((await ask({ cookie })).body)).toEqual({ link: null })
  })

  it('lets browsers subscribe that are signed in, and works without a place for what it keeps of them', async () => {
    const { server } = await inbox()
    const { cookie } = await signIn(server.link)
    const key = `${server.origin}/api/push/key`
    expect((await get(key)).status).toBe(401)
    expect((await get(key, { cookie, origin: 'https://evil.example' })).body).toContain('CROSS_SITE')
    expect(JSON.parse((await get(key, { cookie })).body)).toEqual({ publicKey: expect.any(String) })

    const file = join(await tempDir(), 'config')
    await writeFile(file, '')
    const env = { XDG_CONFIG_HOME: file, SANDAGENT_SIGNING_KEY: await createSigningKey() }
    const poor = await startInbox(['--workdir', await tempDir()], { env })
    const session = await signIn(poor.link)
    expect((await get(poor.origin, { cookie: session.cookie })).status).toBe(200)
    const refused = await get(`${poor.origin}/api/push/key`, { cookie: session.cookie })
    expect(refused).toMatchObject({ status: 503, body: expect.stringContaining('This host has no notices') })
  })

  it('replies to HEAD wherever GET is, and to paths with a slash behind them', async () => {
    const { server, list } = await inbox('--name', 'ada')
    const head = (url: string, cookie = '') => get(url, { cookie }, { method: 'HEAD' })
    // What only looks at a link, such as a messenger, does not use it up.
    expect((await head(server.link)).status).toBe(200)
    const { cookie } = await signIn(server.link)
    for (const path of ['/', '/answer', '/api/inbox/questions', '/api/inbox/runs', '/api/push/key']) {
      const whole = await get(server.origin + path, { cookie })
      const reply = await head(server.origin + path, cookie)
      expect([path, reply.status, reply.headers['content-type'], reply.body]).toEqual([
        path,
        200,
        whole.headers['content-type'],
        '',
      ])
      if (path === '/') continue
      const slashed = await get(`${server.origin}${path}/`, { cookie })
      expect([path, slashed.status, slashed.body]).toEqual([path, 200, whole.body])
    }
    expect((await head(server.origin)).status).toBe(401)
    expect((await get(`${list}/`)).status).toBe(401)
    expect((await get(server.origin, {}, { method: 'DELETE' })).headers.allow).toBe('GET, HEAD')
  })

  it('goes on when somebody breaks off a request', async () => {
    const notices = join(await tempDir(), 'notices.json')
    const secret = { env: 'SLACK_SECRET' }
    const slack = { type: 'slack', botToken: secret, signingSecret: secret }
    await writeFile(notices, JSON.stringify({ people: {}, sinks: { slack } }))
    const args = ['--workdir', await tempDir(), '--notices', notices]
    const server = await startInbox(args, { env: { SLACK_SECRET: 'shhh' } })
    const socket = connect(Number(server.port), '127.0.0.1')
    socket.write(
      'POST /api/slack HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n',
    )
    // It is read: the server wants the body.
    await once(socket, 'data')
    socket.write('payload')
    socket.resetAndDestroy()
    await once(socket, 'close')
    expect((await get(server.origin)).status).toBe(401)
    expect(await server.stop()).toBe(143)
  })

  it('shows its link for a camera if other machines reach it', async () => {
    const terminal = startInTerminal(process.execPath, [
      ...[main, 'serve', '--port', '0', '--workdir', await tempDir()],
      ...['--url', 'https://inbox.example.com'],
    ])
    // Ctrl-C may discard what the terminal has not shown yet.
    await vi.waitFor(() => {
      const [, link = ''] = /one browser: (\S+)/.exec(terminal.screen()) ?? []
      expect(readQrCode(terminal.screen().split('\n'))).toBe(link)
    })
    terminal.press('\x03')
    await terminal.ended
  })

  it('prints another link in a terminal', async () => {
    const workdir = await tempDir()
    const terminal = startInTerminal(process.execPath, [main, 'serve', '--port', '0', '--workdir', workdir])
    await terminal.at('It signs in one browser', '\r')
    await terminal.at('Another link: http://127.0.0.1:', '\x03')
    expect(await terminal.ended).toBe(130)
  })
})

describe.skipIf(!canMakeCertificates)('sandagent serve with a certificate', () => {
  it('speaks HTTPS, and browsers keep the cookie from plain HTTP', async () => {
    const { cert, key } = await makeCertificate()
    const { server, list } = await inbox('--tls-cert', cert, '--tls-key', key)
    const { reply, cookie } = await signIn(server.link)
    expect(reply.headers['set-cookie']?.[0]).toContain('; Secure')
    expect((await get(list, { cookie })).status).toBe(200)
  })
})
