import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decisionOn, parseQuestionRecord } from '@sandagent/core/internal'
import type { Decision } from '@sandagent/sdk/audit'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addAuthenticator } from '../support/browser/authenticator.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox, openStrictly } from '../support/browser/strict-page.ts'
import { passkeyInbox } from '../support/inbox/passkey-inbox.ts'

/** What passkeys have signed, as the log has it. */
async function signedIn(audit: string): Promise<NonNullable<Decision['passkey']>[]> {
  const [name = ''] = await readdir(audit)
  const lines = (await readFile(join(audit, name), 'utf8')).trimEnd().split('\n')
  return lines.flatMap((line) => (JSON.parse(line) as Decision).passkey ?? [])
}

describe.skipIf(!chromiumPath)('what a passkey signs in a browser', () => {
  const browser = sharedChromium()
  const form = (page: Page) => page.locator('.sa-ask')
  const asked = (page: Page, name: string) => form(page).locator('pre', { hasText: name }).waitFor()

  it('covers the input that the person edited, and the agent runs that', async () => {
    const { workdir, audit, command, server, register, startScript } = await passkeyInbox(['one'])
    const page = await openInbox(browser(), server.link)
    await addAuthenticator(page)
    await register(page)
    const { ended } = await startScript()
    await asked(page, 'one')
    await form(page).getByRole('button', { name: 'Edit' }).click()
    await form(page).getByRole('textbox', { name: 'command' }).fill('touch edited')
    await form(page).getByRole('button', { name: 'Allow the changed call' }).click()
    await ended
    const files = await readdir(workdir)
    expect(files).toContain('edited')
    expect(files).not.toContain('one')

    const [name = ''] = await readdir(join(workdir, '.sandagent/questions'))
    const record = parseQuestionRecord(await readFile(join(workdir, '.sandagent/questions', name), 'utf8'))
    const allowed = { selected: ['allow-once'], source: 'human' as const }
    const edited = { ...allowed, input: { command: 'touch edited' } }
    const [proof] = await signedIn(audit)
    expect(proof?.signed).toEqual(decisionOn(record, { permission: edited }))
    expect(proof?.signed).not.toEqual(decisionOn(record, { permission: allowed }))
    expect((await command('audit', 'verify', audit)).stdout).toContain('Passkeys have signed 1 decision.')
  })

  it('is shown as answered in the other tab of the person, which then signs nothing more', async () => {
    const { workdir, audit, server, register, startScript } = await passkeyInbox(['one'])
    const context = await browser().newContext()
    onTestFinished(() => context.close())
    const first = await openInbox(context, server.link)
    const second = await openStrictly(context, server.origin)
    await addAuthenticator(first)
    await register(first)
    const { ended } = await startScript()
    await asked(first, 'one')
    await asked(second, 'one')
    await form(second).getByText('Your passkey confirms that you allow it.').waitFor()
    await form(first).getByRole('button', { name: 'Allow once' }).click()
    await form(second)
      .getByText(/^Allowed once by Ada/)
      .waitFor()
    expect(await second.getByRole('button', { name: 'Allow once' }).count()).toBe(0)
    await ended
    expect(await readdir(workdir)).toContain('one')
    expect(await signedIn(audit)).toHaveLength(1)
  })

  it.each([
    ['checks no passkeys', null, /the policy of the run demands none/],
    ['takes those of another port', 'http://localhost:1', /only from http:\/\/localhost:1, and this is http/],
  ])('is not said to protect a call of a run that %s', async (_, inbox, note) => {
    const { server, register, startScript } = await passkeyInbox(['one'])
    const page = await openInbox(browser(), server.link)
    await addAuthenticator(page)
    await register(page)
    const { ended } = await startScript(inbox)
    await asked(page, 'one')
    await form(page).getByRole('alert').getByText(note).waitFor()
    expect(await form(page).getByText('Your passkey confirms').count()).toBe(0)
    await form(page).getByRole('button', { name: 'Deny' }).click()
    await ended
  })

  it('counts although the passkey says that it has signed less than before, and the log has both counts', async () => {
    const { workdir, audit, command, server, register, startScript } = await passkeyInbox(['one', 'two'])
    const page = await openInbox(browser(), server.link)
    const authenticator = await addAuthenticator(page)
    await register(page)
    await authenticator.countFrom(40)
    const { ended } = await startScript()
    await asked(page, 'one')
    await form(page).getByRole('button', { name: 'Allow once' }).click()
    await asked(page, 'two')
    await authenticator.countFrom(3)
    await form(page).getByRole('button', { name: 'Allow once' }).click()
    await ended
    const files = await readdir(workdir)
    expect(files).toEqual(expect.arrayContaining(['one', 'two']))
    const [before = 0, after = 0] = (await signedIn(audit)).map(({ counter }) => counter)
    expect(before).toBeGreaterThanOrEqual(40)
    expect(after).toBeGreaterThanOrEqual(3)
    expect(after).toBeLessThan(before)
    const registered = join(workdir, 'passkeys.json')
    await writeFile(registered, (await command('passkeys', 'list', '--json')).stdout)
    const checked = await command('audit', 'verify', audit, '--passkeys', registered)
    expect(checked.stdout).toContain('Passkeys have signed 2 decisions.')
    await writeFile(registered, '[]')
    await expect(command('audit', 'verify', audit, '--passkeys', registered)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Ada has no such passkey'),
    })
  })
})
