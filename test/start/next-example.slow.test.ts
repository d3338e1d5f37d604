import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type LocalSandbox, listQuestions, listRuns } from '@sandagent/sdk'
import { press } from '@sandagent/testing/playwright'
import type { BrowserContext, Cookie, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { answerFile } from '../support/question-files.ts'
import { buildNextExample, type NextServer, startNextExample } from '../support/servers/next-server.ts'

/** How Next.js begins a complaint. */
const WARNING = /\bwarn|\u26a0/i

/** The lines of an output in which Next.js complains of the example. */
const complaints = (output: string) => output.split('\n').filter((line) => WARNING.test(line))

describe.skipIf(!chromiumPath)('the Next.js example', () => {
  const browser = sharedChromium()
  let server: NextServer
  let context: BrowserContext
  let page: Page
  let sandbox: LocalSandbox
  let faults: string[]

  let built: string

  beforeAll(async () => {
    built = await buildNextExample()
    server = await startNextExample()
  }, 600_000)
  afterAll(() => server.close())

  beforeEach(async () => {
    context = await browser().newContext()
    page = await context.newPage()
    faults = []
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await page.goto(server.url)
    sandbox = server.sandboxOf((await session()).value)
  })
  afterEach(async () => {
    expect(complaints(server.output())).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  const session = async () => (await context.cookies())[0] as Cookie
  const begin = () => press(page.getByRole('button', { name: 'Send', exact: true }))
  const radio = (name: string) => page.getByRole('radio', { name })
  const place = () => page.getByRole('textbox', { name: 'Where is it?' })
  const send = () => press(page.getByRole('button', { name: 'Send answer' }))
  const status = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
  /** What has just moved takes no clicks. */
  const settled = () => page.locator('.sa-ask:not([data-settling])').waitFor()
  const done = () => page.getByText('It is in invitation.txt').waitFor()

  /** The id of the question, once it is asked. */
  async function asked(): Promise<string> {
    await radio('Concert').waitFor()
    const [question] = await listQuestions(sandbox)
    return question?.toolCallId as string
  }

  it('is built without a warning', () => {
    expect(built).toContain('Compiled successfully')
    expect(complaints(built)).toEqual([])
  })

  it('asks, takes the answer, and the agent goes on with it', async () => {
    await begin()
    const id = await asked()
    await press(radio('House-warming'))
    await place().fill('At the lake')
    await send()
    await done()
    await status('Received by the agent')

    expect(await readFile(join(sandbox.workdir, 'invitation.txt'), 'utf8')).toContain(
      'What:  House-warming\nWhere: At the lake',
    )
    const cookie = await session()
    expect(cookie).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Lax' })
    expect(await answerFile(sandbox.workdir, id)).toMatchObject({
      answers: { 'What do you invite people to?': 'House-warming', 'Where is it?': 'At the lake' },
      status: 'completed',
      answeredBy: cookie.value.split('.')[0],
    })
  })

  it('says what is missing in an answer, and lets the person decline', async () => {
    await begin()
    await press(radio('Concert'))
    await status('Draft saved')
    await settled()
    await send()
    await page.getByRole('alert').filter({ hasText: '1 question still needs an answer.' }).waitFor()
    for (let clicks = 0; clicks < 2; clicks++) {
      await settled()
      await press(page.getByRole('button', { name: 'Decline' }))
    }
    await status('Declined')
  })

  it('goes on with the run when the page is reloaded, and still has the draft', async () => {
    await begin()
    await press(radio('Birthday'))
    await place().fill('In the garden')
    await vi.waitFor(async () =>
      expect(await answerFile(sandbox.workdir, await asked())).toMatchObject({
        answers: { 'Where is it?': 'In the garden' },
      }),
    )
    await page.reload()
    await vi.waitFor(async () => expect(await place().inputValue()).toBe('In the garden'))
    expect(await radio('Birthday').isChecked()).toBe(true)
    await send()
    await done()
    expect(await page.getByRole('status').count()).toBe(1)
    await vi.waitFor(async () => {
      const runs = await listRuns(sandbox)
      expect(runs.map(({ state }) => state)).toEqual(['finished'])
    })
  })

  it.each([
    ['no session', {}],
    ['a session that was not signed here', { cookie: `session=${crypto.randomUUID()}.${'0'.repeat(64)}` }],
    ['a session without a signature', { cookie: 'session=someone' }],
  ])('refuses requests with %s', async (_, headers) => {
    await begin()
    const toolCallId = await asked()
    const answer = JSON.stringify({ toolCallId, responses: { place: { selected: [], freeText: 'Nowhere' } } })
    const request = (path: string, body?: string): Promise<Response> =>
      fetch(`${server.url}${path}`, {
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body !== undefined && { method: 'POST', body }),
      })
    const refused = await request('/api/answer', answer)
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ success: false, error: { code: 'UNAUTHENTICATED' } })
    for (const path of ['/api/answer', `/api/answer?toolCallId=${toolCallId}`, '/api/chat/any/stream'])
      expect((await request(path)).status).toBe(401)
    expect((await request('/api/chat', '{}')).status).toBe(401)
    expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId, state: 'open' }])
  })

  it('keeps users apart', async () => {
    await begin()
    const toolCallId = await asked()
    const other = await browser().newContext()
    await other.request.get(server.url)
    const list = await other.request.get(`${server.url}/api/answer`)
    expect(await list.json()).toEqual({ questions: [] })
    // Nothing was ever asked in the other one's sandbox, which looks the same as a sandbox that is out of reach.
    const url = `${server.url}/api/answer?toolCallId=${toolCallId}`
    expect((await other.request.get(url)).status()).toBe(503)
    const data = { toolCallId, status: 'declined' }
    expect((await other.request.post(`${server.url}/api/answer`, { data })).status()).toBe(503)
    expect((await other.request.get(`${server.url}/api/chat/any/stream`)).status()).toBe(204)
    await other.close()
    expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId, state: 'open' }])
  })
})
