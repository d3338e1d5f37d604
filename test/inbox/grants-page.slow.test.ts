import { expect, it } from 'vitest'
import { axeFaults } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox } from '../support/browser/strict-page.ts'
import { threePrograms } from '../support/inbox/three-programs.ts'

const browser = sharedChromium()

it.skipIf(!chromiumPath)('the inbox allows more than one call, shows that, and takes it back', async () => {
  const { server, runScript } = await threePrograms()
  const page = await openInbox(browser(), server.link)
  const running = runScript()

  const form = page.locator('.sa-ask')
  await form.locator('pre', { hasText: 'node one.js' }).waitFor()
  await form.getByText('Allow more than this call').click()
  expect(await axeFaults(page)).toEqual([])
  await form
    .getByRole('button', { name: /^Every command that starts with node, until this run ends/ })
    .click()
  // What marks code in the host's text is for nobody to see.
  await page.getByText(/^Sending to .*: Every command that starts with node, until this run ends/).waitFor()
  // The second program has run without a question.
  await form.locator('pre', { hasText: /^ls$/ }).waitFor()
  await page.getByRole('button', { name: 'Settings' }).click()
  const given = page.getByRole('region', { name: 'Permissions given' })
  await given.getByText(/used once/).waitFor()
  await given
    .locator('code', { hasText: /^node$/ })
    .first()
    .waitFor()
  expect(await given.textContent()).not.toContain('`')
  expect(await axeFaults(page)).toEqual([])
  await given.getByRole('button', { name: /^Take back: Every command/ }).click()
  await given.getByText(/taken back by/).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await form.getByRole('button', { name: 'Deny' }).click()
  await form.locator('pre', { hasText: 'node three.js' }).waitFor()
  await form.getByText(/The permission for every command that starts with node was taken back by/).waitFor()
  await form.getByRole('button', { name: 'Deny' }).click()
  await running
})
