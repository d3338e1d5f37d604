import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseQuestionRecord, questionDigestOf } from '@sandagent/core/internal'
import { sealSecret } from '@sandagent/core/secret'
import { listen, post } from '@sandagent/fixtures/listen.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createAnswerHandler, LocalSandbox } from '@sandagent/sdk'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { axeFaults, COLOUR_RULES } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox } from '../support/browser/strict-page.ts'
import { main, startInbox } from '../support/servers/inbox-server.ts'
import { serve } from '../support/servers/serve.ts'
import { startInTerminal } from '../support/terminal/pseudo-terminal.ts'
import { formsIn } from './plain-forms.ts'

const SECRET = 'Tr0ub4dor&3 "ключ"/+='

const found = (text: string): string[] => formsIn(text, SECRET)

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** A folder for all that a run writes. The program that asks uses the secret by its length alone. */
async function started() {
  const folder = await tempDir()
  const [workdir, home] = [join(folder, 'work'), join(folder, 'home')]
  await mkdir(workdir)
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    SANDAGENT_LOG: 'debug',
  }
  const heard: string[] = []
  const program = `import { ask } from ${JSON.stringify(join(root, 'packages/runner/dist/index.js'))}
const secret = await ask.secret('The token of the registry?', { id: 'token' })
console.log('length ' + secret.length)`
  const asking: ChildProcess = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: workdir,
    env: { ...process.env, ...env, SANDAGENT_RUN_ID: 'run' },
  })
  onTestFinished(() => void asking.kill('SIGKILL'))
  for (const stream of [asking.stdout, asking.stderr]) stream?.on('data', (data) => heard.push(String(data)))
  const path = join(workdir, '.sandagent/questions/run-token.json')
  const record = await vi.waitFor(async () => parseQuestionRecord(await readFile(path, 'utf8')), 20_000)
  return {
    folder,
    workdir,
    env,
    heard,
    record,
    /** Nothing that was written, sent or started shows the secret. */
    async expectHidden() {
      await vi.waitFor(() => expect(heard.join('')).toContain(`length ${SECRET.length}`), 20_000)
      await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toContain('"answered"'), 20_000)
      for (const file of await filesBelow(folder))
        expect(found(await readFile(file, 'utf8')), file).toEqual([])
      expect(found(heard.join('\n'))).toEqual([])
      expect(await readFile(path, 'utf8')).toContain('"sealed"')
      expect(await readdir(join(folder, 'state/sandagent/secrets'))).toEqual([])
    },
  }
}

/** What the processes of this machine were started with. */
async function processList(): Promise<string> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const read = (id: string, name: string) => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '')
  return (await Promise.all(ids.flatMap((id) => [read(id, 'cmdline'), read(id, 'environ')]))).join('\n')
}

describe.skipIf(!chromiumPath)('a secret that is typed on a page', () => {
  const browser = sharedChromium()

  /** Keeps what the page sends and gets, streams too, and what it has stored. */
  async function listenTo(page: Page, heard: string[]): Promise<void> {
    page.on('request', (request) => heard.push(request.url(), request.postData() ?? ''))
    page.on('response', (response) => {
      const isStream = response.headers()['content-type']?.includes('event-stream')
      if (!isStream)
        response.text().then(
          (text) => heard.push(text),
          () => {},
        )
    })
    page.on('console', (message) => heard.push(message.text()))
    const client = await page.context().newCDPSession(page)
    await client.send('Network.enable')
    client.on('Network.eventSourceMessageReceived', ({ data }) => heard.push(data))
  }
  /** All that the browser keeps of the page: its storages and databases, its address and what it remembers of it. */
  const storedIn = (page: Page): Promise<string> =>
    page.evaluate(async () => {
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
      const databases: unknown[] = []
      for (const { name = '' } of await indexedDB.databases()) {
        const database = await done(indexedDB.open(name))
        for (const store of database.objectStoreNames)
          databases.push(name, store, await done(database.transaction(store).objectStore(store).getAll()))
        database.close()
      }
      const { state } = history
      return JSON.stringify([
        { ...sessionStorage },
        { ...localStorage },
        databases,
        state,
        location.href,
        document.cookie,
      ])
    })

  it('is in no file, request, reply, stream, storage, log, notice and process, but encrypted', async () => {
    const run = await started()
    const notices: string[] = []
    const hook = await listen(async (request, response) => {
      for await (const chunk of request) notices.push(String(chunk))
      response.end()
    })
    const settings = join(run.folder, 'notices.json')
    const sink = { type: 'webhook', url: hook, secret: { env: 'HOOK_SECRET' } }
    const people = { Ada: { addresses: { hook: true } } }
    await writeFile(settings, JSON.stringify({ sinks: { hook: sink }, people }), { mode: 0o600 })
    const audit = join(run.folder, 'audit')
    const args = ['--workdir', run.workdir, '--audit', audit, '--notices', settings]
    const env = { ...run.env, HOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }
    const server = await startInbox(args, { env })
    const page = await openInbox(browser(), server.link)
    await listenTo(page, run.heard)
    await page.getByText('The token of the registry?').first().click()
    const field = page.locator('input[type=password]')
    await field.waitFor()
    expect(await field.getAttribute('autocomplete')).toBe('off')
    await page.setViewportSize({ width: 360, height: 740 })
    const faults = await axeFaults(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    faults.push(...(await axeFaults(page, COLOUR_RULES)))
    expect(faults).toEqual([])
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, 'secret-dark.png') })
    await page.emulateMedia({ colorScheme: 'light' })
    await field.pressSequentially(SECRET)
    await page.getByRole('button', { name: 'Show: The token' }).click()
    expect(await page.locator('.sa-own input').inputValue()).toBe(SECRET)
    // No browser offers to fill it in again, shown or not.
    expect(await page.locator('.sa-own input').getAttribute('autocomplete')).toBe('off')
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, 'secret-light.png') })
    await page.getByRole('button', { name: 'Hide: The token' }).click()
    await vi.waitFor(async () => expect(await storedIn(page)).toContain('sandagent draft'), 20_000)
    expect(found(await storedIn(page))).toEqual([])
    expect(await storedIn(page)).not.toContain('"sealed"')
    expect(await page.locator('.sa-ask').textContent()).not.toMatch(/Draft saved|new line/)
    const list = await processList()
    expect(run.heard.join('\n')).not.toContain('"sealed"')
    await field.press('Enter')
    await page.getByText(/^(Sending|Sent) to .*: given · The token/).waitFor()
    await run.expectHidden()
    expect(found(list)).toEqual([])
    await vi.waitFor(() => expect(notices.length).toBeGreaterThan(0), 20_000)
    expect(found(notices.join('\n'))).toEqual([])
    expect(found(await storedIn(page))).toEqual([])
    expect(run.heard.join('\n')).toContain('"sealed"')
    await server.stop()
    await run.expectHidden()
  })

  it('is gone after a reload, and pasted with its line breaks', async () => {
    const run = await started()
    const server = await startInbox(['--workdir', run.workdir], { env: run.env })
    const page = await openInbox(browser(), server.link)
    await page.getByText('The token of the registry?').first().click()
    const field = page.locator('input[type=password]')
    await field.fill('typed before the reload')
    await page.reload()
    await page.getByText('The token of the registry?').first().click()
    // A form that has just come takes no keys.
    await field.and(page.locator(':enabled')).waitFor()
    expect(await field.inputValue()).toBe('')
    await field.evaluate((input) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', 'first line\nsecond line\n')
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await page.getByPlaceholder('Given: 2 lines').waitFor()
    await field.press('Enter')
    await vi.waitFor(() => expect(run.heard.join('')).toContain('length 23'), 20_000)
  })
})

it('a secret that is typed in a terminal is on no screen, and in no file', async () => {
  const run = await started()
  const terminal = startInTerminal(process.execPath, [main, 'answer', 'run-token'], {
    cwd: run.workdir,
    env: run.env,
  })
  await terminal.at('Enter send', SECRET)
  await terminal.at('•••', '\r')
  await run.expectHidden()
  expect(found(terminal.output())).toEqual([])
})

it('a secret that is typed in plain lines is on no screen, and can be corrected', async () => {
  const run = await started()
  const terminal = startInTerminal(process.execPath, [main, 'answer', 'run-token', '--screen-reader'], {
    cwd: run.workdir,
    env: run.env,
  })
  await terminal.seeing(/Nothing of it is shown[\s\S]*\n>$/, `${SECRET}x`, '\u007f', '\r')
  await run.expectHidden()
  expect(found(terminal.output())).toEqual([])
})

it('a secret that is sent over HTTP is refused as it is, and taken encrypted for its question alone', async () => {
  const run = await started()
  const sandbox = new LocalSandbox({ workdir: run.workdir })
  const origin = await serve(createAnswerHandler({ sandbox, authorize: () => true }))
  const send = (responses: object) =>
    post(origin, { toolCallId: 'run-token', status: 'completed', responses })
  const { record } = run
  const { secret } = record.questions[0] ?? {}
  const place = { toolCallId: 'run-token', questionId: 'q1', questionDigest: questionDigestOf(record) }
  const sealed = await sealSecret(SECRET, (secret as { publicKey: string }).publicKey, place)
  const plain = await send({ q1: { selected: [], freeText: SECRET } })
  expect([plain.status, found(await plain.text())]).toEqual([400, []])
  const foreign = await send({ q1: { selected: [], sealed: `0123456789abcdef${sealed.slice(16)}` } })
  expect([foreign.status, await foreign.text()]).toEqual([400, expect.stringContaining('type it again')])
  expect((await send({ q1: { selected: [], sealed } })).status).toBe(200)
  await run.expectHidden()
})
