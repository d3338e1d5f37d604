import { expect, it, onTestFinished, vi } from 'vitest'
import { axeFaults } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { answersIn, askCommand, askQuestion } from '../support/inbox/decisions.ts'
import { startInbox } from '../support/servers/inbox-server.ts'
import { createWorkspace } from '../support/workspace.ts'

const browser = sharedChromium()

it.skipIf(!chromiumPath)('a phone shows in the list what is asked, and where from', async () => {
  const { sandbox, channel } = await createWorkspace()
  const question = `Soll der ${'Zahlungsanweisungsbestätigungsprozess '.repeat(5)}vorher enden?`
  await askQuestion(channel, 'toolu_1', 1, question, {
    labels: ['Ja, vorher', `Nein, ${'danach '.repeat(9)}`],
  })
  const { link } = await startInbox(['--workdir', sandbox.workdir])
  const context = await browser().newContext({ viewport: { width: 360, height: 740 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('1 question waits for you, the oldest for').waitFor()
  const cut = await page.locator('.entries li a').evaluate((entry) =>
    [...entry.querySelectorAll('*')]
      .filter((part) => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1)
      .map(({ className, textContent }) => `${className}: ${textContent}`)
      .filter((text) => text.startsWith('entry-')),
  )
  expect(cut).toEqual([])
})

it.skipIf(!chromiumPath)('an inbox on a phone is worked through by a finger alone', async () => {
  const { sandbox, channel } = await createWorkspace()
  for (const [n, command] of ['npm test', 'git push', 'git tag'].entries())
    await askCommand(channel, `toolu_${n}`, n, command)
  await askQuestion(channel, 'toolu_9', 9, 'Which way?')
  const { link } = await startInbox(['--workdir', sandbox.workdir])
  const context = await browser().newContext({
    ...{ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    reducedMotion: 'reduce',
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).tap()
  const form = page.locator('.question .sa-ask')
  const undo = page.getByRole('button', { name: 'Undo' })
  const entry = (text: string) => page.locator('.entries li', { hasText: text })

  // Decided by mistake, and taken back: the question that came next gives way.
  await entry('npm test').getByRole('link').tap()
  await form.getByRole('button', { name: 'Deny', disabled: false }).tap()
  await form.locator('pre', { hasText: 'git push' }).waitFor()
  await undo.tap()
  await form.locator('pre', { hasText: 'npm test' }).waitFor()
  expect(await page.getByRole('button', { name: 'Keys' }).isVisible()).toBe(false)
  await page.getByRole('link', { name: '← Open' }).tap()

  for (const command of ['npm test', 'git tag']) await entry(command).locator('.entry-check').tap()
  await page.getByRole('button', { name: 'Decide together' }).tap()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Deny these 2 calls', disabled: false }).tap()
  await page.getByText(/^Sending to \S+: Deny · 2 calls of Bash$/).waitFor()
  await entry('Which way?').getByRole('link').tap()
  await form.locator('label', { hasText: 'Right' }).tap()
  // What is left is shown next, and goes out by itself.
  await form.locator('pre', { hasText: 'git push' }).waitFor()
  await vi.waitFor(async () =>
    expect(Object.keys(await answersIn(sandbox.workdir)).sort()).toEqual(['toolu_0', 'toolu_2', 'toolu_9']),
  )
})
