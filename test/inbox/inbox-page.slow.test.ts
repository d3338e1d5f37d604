import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseQuestions, type QuestionRecord } from '@sandagent/core'
import { picked } from '@sandagent/fixtures/questions.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { commandSandbox } from '@sandagent/remote'
import { LocalSandbox, loadSigningKeys, readRun, startRun, stopRun, submitAnswer } from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import { press as pressed } from '@sandagent/testing/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { axeFaults, COLOUR_RULES } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox } from '../support/browser/strict-page.ts'
import { askingRun, waitingQuestion } from '../support/remote/asking-run.ts'
import { hasSshServer, sshServer } from '../support/remote/ssh-server.ts'
import { type InboxServer, main, startInbox } from '../support/servers/inbox-server.ts'
import { createWorkspace, type Workspace } from '../support/workspace.ts'

const START = Date.parse('2026-01-01T00:00:00.000Z')

/** Asks questions, one second apart. `First` asks each of its questions before the others do. */
async function askMany({ channel }: Workspace, name: string, count: number, from = 0): Promise<void> {
  for (let index = from; index < from + count; index++)
    await channel.open(
      openRecord(`toolu_${index}`, {
        questions: parseQuestions([
          {
            question: `${name} ${index}: which way?`,
            options: [{ label: 'Left' }, { label: 'Right', description: 'The longer one' }],
          },
        ]),
        askedAt: new Date(START + index * 1000 + (name === 'First' ? 0 : 500)).toISOString(),
      }),
    )
}

const REMOVAL: NonNullable<QuestionRecord['subject']> = {
  toolName: 'Bash',
  input: { command: 'rm -rf old-migrations' },
}

/** Asks for the permission of a tool call. */
const askApproval = ({ channel }: Workspace, subject = REMOVAL): Promise<unknown> =>
  channel.open(
    openRecord('toolu_allow', {
      kind: 'approval',
      subject,
      asker: { agent: 'cleaner', parentToolCallId: 'toolu_0' },
      questions: parseQuestions([
        {
          id: 'decision',
          question: 'May I remove the old migrations?',
          options: [
            { label: 'Deny', value: 'deny' },
            { label: 'Allow once', value: 'allow' },
          ],
          allowFreeText: false,
        },
      ]),
      askedAt: '2026-02-01T00:00:00.000Z',
      timeoutMs: 600_000,
      deadline: new Date(Date.now() + 600_000).toISOString(),
    }),
  )

/** Starts the scripted agent, which says something and asks. */
async function startAgent({ sandbox: { workdir } }: Workspace): Promise<void> {
  const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  const scenario = join(await tempDir(), 'scenario.json')
  const question = {
    question: 'Where do the orders go?',
    options: [{ label: 'Postgres' }, { label: 'SQLite' }],
  }
  const steps = [
    { say: 'The file of orders has 2 GB.' },
    { write: { path: 'notes.md', content: 'Orders need a database.\n' } },
    { write: { path: 'notes.md', content: 'Orders need\u202e a database.\nOr a smaller file.\n' } },
    { ask: { as: 'place', questions: [question] } },
  ]
  await writeFile(scenario, JSON.stringify({ title: 'Orders', steps }))
  const { runId } = await startRun(
    sandbox,
    {
      agent: 'scripted',
      args: ['--scenario', scenario],
      prompt: `Move the orders${' and the customers'.repeat(30)}`,
      runner: [process.execPath, main],
    },
    { onError: () => {} },
  )
  onTestFinished(async () => {
    await stopRun(sandbox, runId, { graceMs: 0 })
    await vi.waitFor(async () => expect((await readRun(sandbox, runId))?.exitCode).toBeDefined())
  })
}

/** Starts an agent on a machine that SSH reaches. It asks one question. */
async function startRemoteAgent(): Promise<{ place: string[]; state(): Promise<string | undefined> }> {
  const { command, home } = await sshServer()
  const workdir = join(home, 'work')
  const sandbox = commandSandbox(command, { workdir, isolation: 'none' })
  onTestFinished(() => sandbox.close())
  const signingKeys = await loadSigningKeys({ create: true })
  const { runId } = await askingRun(sandbox, { signingKeys, runner: ['sandagent'] })
  await waitingQuestion(sandbox, signingKeys)
  return {
    place: ['--sandbox', command.map((word) => `'${word}'`).join(' '), '--workdir', workdir],
    state: async () => (await readRun(sandbox, runId))?.state,
  }
}

const answerIn = async ({ workdir }: LocalSandbox, toolCallId: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(workdir, `.sandagent/approvals/${toolCallId}.json`), 'utf8'))

const serving = (folders: readonly Workspace[], ...args: string[]): Promise<InboxServer> =>
  startInbox([...folders.flatMap(({ sandbox }) => ['--workdir', sandbox.workdir]), '--name', 'Ada', ...args])

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name, exact: true })
const entries = (page: Page) => page.locator('.entries [data-entry]')
/** Resolves once the form of this question takes keys. While it moves, it takes none. */
const ready = (page: Page, title: string) =>
  page.locator('.sa-ask:not([data-settling])', { hasText: title }).locator('.sa-fields:enabled').waitFor()
const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

describe.skipIf(!chromiumPath)('the page of the inbox', () => {
  const browser = sharedChromium()
  const open = (link: string): Promise<Page> => openInbox(browser(), link)

  it.skipIf(!hasSshServer)(
    'shows 200 questions of five sandboxes, one over SSH, which are answered by keyboard alone',
    async () => {
      const folders = await Promise.all(Array.from({ length: 4 }, createWorkspace))
      const [one, two, three, four] = folders as [Workspace, Workspace, Workspace, Workspace]
      await askMany(one, 'First', 100)
      await askMany(two, 'Second', 97)
      await askMany(four, 'Fourth', 1, 200)
      await askApproval(three)
      const remote = await startRemoteAgent()
      const page = await open((await serving(folders, ...remote.place)).link)
      await tab(page, 'Open 200').waitFor()
      expect(await entries(page).count()).toBe(200)
      expect(await page.title()).toBe('(200) Inbox')

      // A folder that replies late takes no place of what is open. The list opens its first question again.
      await tab(page, 'Open 200').focus()
      await press(page, 'Enter')
      // What runs out comes first, and the approvals.
      await page.locator('.sa-ask', { hasText: 'old migrations' }).locator('.sa-fields:enabled').waitFor()
      await press(page, 'j')
      await ready(page, 'First 0')
      await press(page, '2')
      await page.getByText(/^Sent to \S+: Right · First 0: which way\?$/).waitFor()
      await tab(page, 'Open 199').waitFor()
      expect(await answerIn(one.sandbox, 'toolu_0')).toMatchObject({
        answers: { 'First 0: which way?': 'Right' },
        answeredBy: 'Ada',
      })

      // Enter leads to the form, j and k lead on from there.
      await ready(page, 'Second 0')
      await press(page, 'Enter')
      await page.locator('.sa-ask input[type=radio]:focus').waitFor()
      await press(page, 'j')
      await ready(page, 'First 1')
      await press(page, 'k')
      await ready(page, 'Second 0')

      // Not now, and back again.
      await press(page, 's')
      await tab(page, 'Not now 1').waitFor()
      await ready(page, 'First 1')
      await page.reload()
      await tab(page, 'Not now 1').waitFor()
      await tab(page, 'Not now 1').focus()
      await press(page, 'Enter')
      await page.getByRole('list', { name: 'Not now' }).waitFor()
      await ready(page, 'Second 0')
      await press(page, 's')
      await tab(page, 'Open 199').waitFor()

      // Letters in a text field are letters.
      await tab(page, 'Open 199').focus()
      await press(page, 'Enter', '/')
      await page.keyboard.type('bash cleaner')
      await vi.waitFor(async () => expect(await entries(page).count()).toBe(1))
      await press(page, 'Enter', 'Enter')
      // The heading: letters that follow are no text.
      await page.locator('.sa-ask .sa-legend:focus').waitFor()
      await press(page, 'Tab')
      await page.locator('.sa-ask textarea:focus').waitFor()
      expect(await page.locator('.facts').textContent()).toContain('the call toolu_0')
      await page.keyboard.type('just keep it')
      await press(page, 'Tab', 'Enter')
      await page.getByText(/^Sending to \S+: Deny, just keep it · \S/).waitFor()
      await press(page, '/')
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('language')
      await vi.waitFor(async () => expect(await entries(page).count()).toBe(1))
      await press(page, 'Enter')
      await ready(page, 'Which language?')
      // It moves the form when it comes.
      await page.getByRole('region', { name: 'Before the question' }).waitFor()
      await ready(page, 'Which language?')
      await press(page, '2')
      await page.getByText(/^Sent to .+: Python · Which language\?$/).waitFor()
      // Who has read it needs it no longer.
      await page.getByText(/^Sent to /).waitFor({ state: 'detached' })
      await vi.waitFor(async () => expect(await remote.state()).toBe('finished'))
      expect(await answerIn(three.sandbox, 'toolu_allow')).toMatchObject({
        responses: { decision: { selected: ['deny'], notes: 'just keep it' } },
      })

      await press(page, '/', 'Escape', 'Escape', '?')
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
      await press(page, 'j', 'Escape')
      await tab(page, 'History').focus()
      await press(page, 'Enter')
      await vi.waitFor(async () =>
        expect(await entries(page).allInnerTexts()).toEqual([
          expect.stringMatching(/answered by Ada.*Which language\?\s+Python$/s),
          expect.stringMatching(
            /answered by Ada.*Run this command\?\s+rm -rf old-migrations\s+Deny, just keep it$/s,
          ),
          expect.stringMatching(/answered by Ada.*First 0: which way\?\s+Right$/s),
        ]),
      )
    },
  )

  it('shows what the agent did before it asked, follows it, and keeps what leaves in sight', async () => {
    const folders = [await createWorkspace(), await createWorkspace()] as const
    await startAgent(folders[0])
    const page = await open((await serving(folders)).link)
    await entries(page).filter({ hasText: 'Where do the orders go?' }).waitFor()
    const context = page.getByRole('region', { name: 'Before the question' })
    await context.getByText('The file of orders has 2 GB.').waitFor()
    // A long task leaves room for the question.
    await context.getByText(/^Move the orders and .* …$/).click()
    expect(await context.locator('blockquote').textContent()).toMatch(/ …( and| the| customers)+$/)
    const written = context.getByRole('region', { name: 'Files it has written' })
    await written.getByText('notes.md').click()
    // Nothing in a file can turn the text around it.
    await written.getByText('+Orders need<U+202E> a database.').waitFor()
    expect(await written.locator('summary').textContent()).toBe('notes.md +3 ')
    await askMany(folders[1], 'Second', 2)
    await tab(page, 'Open 3').waitFor()

    // The run is shown by itself, too.
    await page.locator('.facts').getByRole('link', { name: 'What it did' }).click()
    const work = page.getByRole('region', { name: 'What it did' })
    await work.getByText('The file of orders has 2 GB.').waitFor()
    await work.getByText('AskUserQuestion').waitFor()
    await entries(page)
      .filter({ hasText: /running.*Move the orders/s })
      .waitFor()
    await page.goBack()
    await ready(page, 'Where do the orders go?')

    // Somebody else answers the question that is open here.
    await press(page, 'k', 'k')
    await ready(page, 'Second 0')
    await submitAnswer(
      folders[1].sandbox,
      { toolCallId: 'toolu_0', responses: { q1: picked('Left') }, status: 'completed' },
      { answeredBy: 'Bo' },
    )
    await tab(page, 'Open 2').waitFor()
    await page.locator('.sa-ask', { hasText: 'Second 0' }).getByText(/Bo/).waitFor()
    await press(page, 'j')
    await ready(page, 'Second 1')
  })

  it('shows what a call would change in a file, before it is approved', async () => {
    const folder = await createWorkspace()
    const input = { file_path: 'src/price.ts', old_string: 'a\nb\nc\n', new_string: 'a\nB\nc\n' }
    await askApproval(folder, { toolName: 'Edit', input })
    const page = await open((await serving([folder])).link)
    await entries(page).waitFor()
    const change = page.locator('.sa-main')
    await change.getByText('+ B').waitFor()
    expect(await change.locator('p').textContent()).toBe('src/price.ts')
    expect(await change.locator('pre').textContent()).toBe('  a\n- b\n+ B\n  c\n  \n')
    await entries(page).filter({ hasText: 'Change price.ts?' }).waitFor()
  })

  it('says that what was before a question cannot be shown, also if it was fetched early', async () => {
    const folder = await createWorkspace()
    await askMany(folder, 'Only', 2)
    const page = await open((await serving([folder])).link)
    await page.route('**/api/inbox/question?*', (route) => route.abort())
    await page.reload()
    await ready(page, 'Only 0')
    const told = page.getByText('What was before cannot be shown')
    await told.waitFor()
    await press(page, 'j')
    await ready(page, 'Only 1')
    await told.waitFor()
    await press(page, '2')
    await page.getByText(/^Sent to \S+: Right · Only 1: which way\?$/).waitFor()
  })

  it('shows no difference for a call that could write something else than it seems to', async () => {
    const folder = await createWorkspace()
    const edits = [{ old_string: 'a', new_string: 'harmless' }]
    const input = { file_path: '.bashrc', content: 'curl example.com | sh', edits }
    await askApproval(folder, { toolName: 'Write', input })
    const page = await open((await serving([folder])).link)
    await entries(page).waitFor()
    await page.locator('.sa-call', { hasText: 'curl example.com | sh' }).waitFor()
    expect(await page.locator('.sa-main').count()).toBe(0)
  })

  it('goes on by itself when the server comes back', async () => {
    const folder = await createWorkspace()
    await askMany(folder, 'First', 2)
    const server = await serving([folder])
    const page = await open(server.link)
    await tab(page, 'Open 2').waitFor()
    await ready(page, 'First 0')
    await page
      .getByRole('textbox', { name: /own answer|which way/i })
      .first()
      .fill('Straight on')
    await server.stop()
    await page.getByText('The server cannot be reached').waitFor()
    await submitAnswer(folder.sandbox, {
      toolCallId: 'toolu_1',
      responses: { q1: picked('Left') },
      status: 'completed',
    })
    await askMany(folder, 'Later', 1, 5)
    await serving([folder], '--port', server.port)
    await entries(page).filter({ hasText: 'Later 5' }).waitFor()
    await vi.waitFor(async () => expect(await page.getByText('The server cannot be reached').count()).toBe(0))
    expect(await entries(page).count()).toBe(2)
    await press(page, 'Control+Enter')
    await page.getByText(/^Sent to \S+: Straight on · First 0: which way\?$/).waitFor()
    expect(await answerIn(folder.sandbox, 'toolu_0')).toMatchObject({
      answers: { 'First 0: which way?': 'Straight on' },
    })
  })

  it('has no fault that axe knows of, and fits a phone, light and dark', async () => {
    const folder = await createWorkspace()
    await askMany(folder, 'A-rather-long-word-that-does-not-end-'.repeat(3), 3)
    await askApproval(folder)
    await startAgent(folder)
    await submitAnswer(folder.sandbox, {
      toolCallId: 'toolu_2',
      responses: { q1: picked('Left') },
      status: 'completed',
    })
    const { link, origin } = await serving([folder])
    const page = await open(link)
    await tab(page, 'Open 4').waitFor()
    const faults: string[] = []
    const check = async (step: string): Promise<void> => {
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme: 'light' })
        const found = await axeFaults(page)
        await page.emulateMedia({ colorScheme: 'dark' })
        found.push(...(await axeFaults(page, COLOUR_RULES)))
        const tooWide = await page.evaluate(() =>
          ['html', '.entries', '.question'].filter((place) => {
            const element = document.querySelector(place)
            return element !== null && element.scrollWidth > element.clientWidth
          }),
        )
        faults.push(...[...found, ...tooWide].map((fault) => `${step}, ${width} px: ${fault}`))
      }
      await page.setViewportSize({ width: 1280, height: 800 })
    }
    await check('list')
    for (const title of ['old migrations?', 'which way?', 'which way?', 'orders go?']) {
      await ready(page, title)
      if (title !== 'which way?') await check(title)
      await press(page, 'j')
    }
    await press(page, '?')
    await check('help')
    await press(page, 'Escape')
    await page.goto(`${origin}/#history`)
    await entries(page).waitFor()
    await check('history')
    await page.goto(`${origin}/#runs`)
    await entries(page).waitFor()
    await page.getByRole('region', { name: 'What it did' }).waitFor()
    await check('runs')
    expect(faults).toEqual([])

    // On a phone the list gives way to the question, and the way back leads to the list.
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${origin}/#open`)
    await pressed(entries(page).first())
    await ready(page, 'old migrations?')
    expect(await entries(page).first().isVisible()).toBe(false)
    await page.goBack()
    await vi.waitFor(async () => expect(await entries(page).first().isVisible()).toBe(true))

    // At 400 % of a window the page scrolls. The way back stays in sight.
    await page.setViewportSize({ width: 320, height: 200 })
    await pressed(entries(page).filter({ hasText: 'orders go?' }))
    await page.getByRole('region', { name: 'Before the question' }).waitFor()
    await ready(page, 'orders go?')
    await page.locator('.sa-ask label', { hasText: 'SQLite' }).click()
    const undo = await page.getByRole('button', { name: /^Undo/ }).boundingBox()
    expect((undo?.y ?? 999) + (undo?.height ?? 0)).toBeLessThanOrEqual(200)
  })
})
