import { openRecord } from '@sandagent/testing'
import { press } from '@sandagent/testing/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { axeFaults, COLOUR_RULES } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { readModules } from '../support/browser/qr-code.ts'
import { openInbox, openStrictly } from '../support/browser/strict-page.ts'
import { canMakeCertificates, makeCertificate } from '../support/servers/certificate.ts'
import { type InboxServer, startInbox } from '../support/servers/inbox-server.ts'
import { createWorkspace } from '../support/workspace.ts'

/** An inbox with one question. */
async function served(...args: string[]): Promise<InboxServer> {
  const { sandbox, channel } = await createWorkspace()
  await channel.open(openRecord('toolu_1'))
  return startInbox(['--workdir', sandbox.workdir, ...args])
}

/** The black modules of the code on the page. */
async function modulesOn(page: Page): Promise<boolean[][]> {
  const [size = 0, path] = await page.getByRole('img', { name: 'QR code' }).evaluate((svg) => {
    const { width } = (svg as SVGSVGElement).viewBox.baseVal
    return [width, svg.querySelector('path[fill="#000"]')?.getAttribute('d') ?? ''] as const
  })
  const black = new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`))
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => black.has(`${x} ${y}`)),
  )
}

describe.skipIf(!chromiumPath)('the inbox on a phone', () => {
  const browser = sharedChromium()

  it('can be installed, says that a phone cannot reach it, and shows a plain page without its server', async () => {
    const server = await served()
    const page = await openInbox(browser(), server.link)
    await page.evaluate(() => navigator.serviceWorker.ready)
    const devTools = await page.context().newCDPSession(page)
    const { installabilityErrors } = await devTools.send('Page.getInstallabilityErrors')
    // Nothing is installed from a private window, as the tests have it.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
    expect(await devTools.send('Page.getAppManifest')).toMatchObject({ errors: [] })
    await page.getByRole('link', { name: /Which language/ }).waitFor()
    const cached = await page.evaluate(async () => {
      const all = await Promise.all(
        (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
      )
      return all.flat().map(({ url }) => new URL(url).pathname)
    })
    expect(cached).toContain('/offline')
    expect(cached.filter((path) => !/^\/(offline|assets\/.+)$/.test(path))).toEqual([])
    await press(page.getByRole('button', { name: 'Settings' }))
    await press(page.getByRole('button', { name: 'Add a phone' }))
    await page.getByText('Only this machine reaches the inbox now.').waitFor()
    expect(await page.getByRole('img', { name: 'QR code' }).count()).toBe(0)
    await server.stop()
    await page.reload()
    await page.getByRole('heading', { name: 'The inbox cannot be reached' }).waitFor()
  })

  it.skipIf(!canMakeCertificates)('is signed in by a code that another browser shows', async () => {
    const { cert, key } = await makeCertificate()
    const server = await served('--host', '127.0.0.2', '--tls-cert', cert, '--tls-key', key)
    const [desk, phone] = await Promise.all(
      [1, 2].map(() => browser().newContext({ ignoreHTTPSErrors: true })),
    )
    if (!desk || !phone) throw new Error('No browser')
    onTestFinished(async () => void (await Promise.all([desk.close(), phone.close()])))
    const page = await openInbox(desk, server.link)
    await press(page.getByRole('button', { name: 'Settings' }))
    await press(page.getByRole('button', { name: 'Add a phone' }))
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByText(/^https:\S+$/).waitFor()
    const faults = await axeFaults(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect([...faults, ...(await axeFaults(page, COLOUR_RULES))]).toEqual([])
    const link = readModules(await modulesOn(page))
    expect(link).toBe(await page.getByText(/^https:\S+$/).textContent())

    // An app that is installed has a place for the link.
    const app = await openStrictly(phone, server.origin, { width: 360 })
    await app.getByLabel('Link').fill(link ?? '')
    await press(app.getByRole('button', { name: 'Sign in' }))
    await app.getByRole('link', { name: /Which language/ }).waitFor()
    const again = await openStrictly(phone, link ?? '')
    await again.getByText('This link was used or has expired.').waitFor()
  })
})
