import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { addAuthenticator } from '../support/browser/authenticator.ts'
import { axeFaults } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox } from '../support/browser/strict-page.ts'
import { passkeyInbox } from '../support/inbox/passkey-inbox.ts'

const browser = sharedChromium()

const shot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined)
    await page.screenshot({ path: join(folder, `passkeys-${name}.png`), fullPage: true })
}

it.skipIf(!chromiumPath)(
  'a person registers a passkey, allows with it, cancels, denies, and loses it; the audit log keeps what it signed',
  async () => {
    const { server, workdir, audit, command, code, startScript } = await passkeyInbox(['one', 'two', 'three'])
    const page = await openInbox(browser(), server.link)
    const authenticator = await addAuthenticator(page)

    await page.getByRole('button', { name: 'Settings' }).click()
    const settings = page.getByRole('region', { name: 'Passkeys' })
    const register = settings.getByRole('button', { name: 'Register a passkey' })
    // Whoever has the session alone registers nothing.
    await register.click()
    await settings.getByText(/Enter the code that sandagent passkeys add prints/).waitFor()
    await settings.getByLabel('Code of the terminal').fill('AAAA-BBBB-CCCC-DDDD')
    await register.click()
    await settings
      .getByText(/This code is wrong, used, older than 10 minutes, or for another name than Ada/)
      .waitFor()
    // The device has made no passkey that nobody registered.
    expect(await authenticator.count()).toBe(0)
    await settings.getByLabel('Name of the new passkey').fill('Laptop')
    await settings.getByLabel('Code of the terminal').fill(await code())
    await register.click()
    await settings.getByText(/^Registered/).waitFor()
    await settings.getByText('Laptop').waitFor()
    // Nobody is at the device: the page says what it waits for, and the person can leave it.
    await authenticator.isTouched(false)
    const remove = settings.getByRole('button', { name: 'Remove the passkey Laptop' })
    await remove.click()
    await settings.getByText('Confirm with this passkey, or with another one of yours').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await shot(page, 'waits')
    await settings.getByRole('button', { name: 'Cancel' }).click()
    await settings.getByText('The passkey was not used.').waitFor()
    await settings.getByText('Laptop').waitFor()
    expect(await remove.isEnabled()).toBe(true)
    await authenticator.isTouched(true)
    expect(await axeFaults(page)).toEqual([])
    await shot(page, 'settings')
    await page.getByRole('button', { name: 'Close' }).click()

    const { ended } = await startScript()
    const form = page.locator('.sa-ask')
    const asked = (name: string) => form.locator('pre', { hasText: name }).waitFor()
    await asked('one')
    await form.getByText('Your passkey confirms that you allow it.').waitFor()
    expect(await form.getByText('Allow more than this call').count()).toBe(0)
    expect(await axeFaults(page)).toEqual([])
    await shot(page, 'approval')
    await page.keyboard.press('x')
    await page.getByText('A passkey signs for one call').waitFor()

    // The person cancels the dialog: nothing is sent, and the question still waits.
    await authenticator.verifies(false)
    await form.getByRole('button', { name: 'Allow once' }).click()
    await form.getByText('The passkey was not used, so nothing was sent.').waitFor()
    await shot(page, 'cancelled')
    expect(await readdir(workdir)).not.toContain('one')
    await authenticator.verifies(true)
    await form.getByRole('button', { name: 'Allow once' }).click()
    await page
      .getByText(/^Sending to|^Sent to/)
      .first()
      .waitFor()
    await asked('two')
    expect(await readdir(workdir)).toContain('one')

    await form.getByRole('button', { name: 'Deny' }).click()
    await asked('three')
    await page.setViewportSize({ width: 360, height: 740 })
    await shot(page, 'approval-360')
    await page.emulateMedia({ colorScheme: 'dark' })
    await shot(page, 'approval-dark')
    // The device is gone. Only the denial is left.
    await authenticator.lose()
    await form.getByRole('button', { name: 'Allow once' }).click()
    await form.getByText('The passkey was not used, so nothing was sent.').waitFor()
    const { stdout } = await command('passkeys', 'list')
    expect(stdout).toMatch(/^\S+ {2}Ada\n {2}Laptop · for localhost · registered/)
    await command('passkeys', 'remove', stdout.split(' ')[0] ?? '')
    await page.reload()
    await form.getByText(/this run knows none of yours/).waitFor()
    expect(await form.getByRole('button', { name: 'Allow once' }).count()).toBe(0)
    await shot(page, 'none-dark-360')
    expect(await axeFaults(page)).toEqual([])
    await form.getByRole('button', { name: 'Deny' }).click()
    await ended
    const files = await readdir(workdir)
    expect(files).toContain('one')
    expect(files).not.toContain('two')
    expect(files).not.toContain('three')

    const checked = await command('audit', 'verify', audit)
    expect(checked.stdout).toContain('Passkeys have signed 1 decision.')
    const [name = ''] = await readdir(audit)
    expect(await readFile(join(audit, name), 'utf8')).not.toContain('allow-once')
  },
)

it.skipIf(!chromiumPath)('a terminal offers no way to allow what a passkey must sign', async () => {
  const { workdir, command, register, server, startScript } = await passkeyInbox(['one'])
  const page = await openInbox(browser(), server.link)
  await addAuthenticator(page)
  await register(page)
  const { ended } = await startScript()
  const listed = await vi.waitFor(async () => {
    const { stdout } = await command('questions', '--workdir', workdir, '--json')
    expect(stdout).toContain('touch')
    return JSON.parse(stdout.split('\n')[0] ?? '')
  }, 20_000)
  expect(JSON.stringify(listed)).not.toContain('allow-once')
  const refused = command(
    'answer',
    listed.question.toolCallId,
    '--workdir',
    workdir,
    '--option',
    'Allow once',
  )
  await expect(refused).rejects.toThrow()
  await command('answer', listed.question.toolCallId, '--workdir', workdir, '--option', 'Deny')
  await ended
  expect(await readdir(workdir)).not.toContain('one')
})
