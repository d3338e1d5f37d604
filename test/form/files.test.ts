import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PNG, sha256 } from '../support/attachments/place.ts'
import { axeFaults } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { askOnPage, type QuestionPage } from '../support/engines/question-page.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>parent.hacked = true</script></svg>'

describe.skipIf(!chromiumPath)('files in an answer, in a browser', () => {
  const browser = sharedChromium()

  async function open(options: object = {}, kind = 'Files'): Promise<QuestionPage & { page: Page }> {
    const asked = await askOnPage(kind)
    const context = await browser().newContext({ viewport: { width: 760, height: 900 }, ...options })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(asked.url)
    await page.getByRole('button', { name: 'Add files' }).waitFor()
    return { ...asked, page }
  }
  const shoot = async (page: Page, name: string): Promise<void> => {
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/files-${name}.png` })
  }
  const given = (page: Page) => page.getByRole('list', { name: 'Files' }).getByRole('listitem')
  /** Gives files to the question as another program does: by the clipboard, or by dropping them. */
  const give = (page: Page, by: 'paste' | 'drop', files: [name: string, type: string, base64: string][]) =>
    page.evaluate(
      ([event, list]) => {
        const data = new DataTransfer()
        for (const [name, type, base64] of list)
          data.items.add(
            new File([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))], name, { type }),
          )
        const target = document.querySelector('.sa-question textarea') as HTMLElement
        const options = { bubbles: true, cancelable: true }
        target.dispatchEvent(
          event === 'paste'
            ? new ClipboardEvent('paste', { ...options, clipboardData: data })
            : new DragEvent('drop', { ...options, dataTransfer: data }),
        )
      },
      [by, files] as const,
    )
  const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64')

  it('are chosen, pasted, dropped, shown, removed and sent', async () => {
    const { page, outcome } = await open()
    await page.locator('input[type=file]:not([capture])').setInputFiles({
      name: '../../chosen.png',
      mimeType: 'image/png',
      buffer: PNG,
    })
    await given(page).filter({ hasText: 'chosen.png' }).locator('img').waitFor()
    await give(page, 'paste', [['pasted.png', 'image/png', base64(Buffer.concat([PNG, Buffer.from('2')]))]])
    await give(page, 'drop', [['dropped.pdf', 'application/pdf', base64('%PDF-1.7 x')]])
    await given(page).filter({ hasText: 'dropped.pdf' }).waitFor()
    await expect.poll(() => given(page).locator('img').count()).toBe(2)
    // The fourth is one too many, and says so.
    await give(page, 'drop', [['fourth.pdf', 'application/pdf', base64('%PDF-1.7 y')]])
    await page.getByText('Not added: 3 files are the most').first().waitFor()
    await shoot(page, 'given')
    expect(await axeFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Dismiss fourth.pdf' }).press('Enter')
    await page.getByRole('button', { name: 'Remove pasted.png' }).press('Enter')
    await expect.poll(() => given(page).count()).toBe(2)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add files')
    // They survive a reload.
    await expect
      .poll(() => page.getByText('Draft saved').or(page.getByRole('status')).count())
      .toBeGreaterThan(0)
    await page.getByRole('textbox').fill('A red box')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText('Received by the agent').waitFor()
    const { responses } = await outcome
    expect(responses.shot).toMatchObject({
      freeText: 'A red box',
      files: [
        { name: 'chosen.png', mediaType: 'image/png', sha256: sha256(PNG), path: expect.any(String) },
        { name: 'dropped.pdf', mediaType: 'application/pdf' },
      ],
    })
    await given(page).filter({ hasText: 'chosen.png' }).locator('img').waitFor()
    await shoot(page, 'sent')
  })

  it('that are none of the taken kinds are refused, and are never drawn', async () => {
    const { page } = await open()
    await give(page, 'paste', [['evil.svg', 'image/svg+xml', base64(SVG)]])
    await given(page).filter({ hasText: 'evil.svg' }).waitFor()
    await give(page, 'paste', [['evil.png', 'image/png', base64(`<html>${SVG}`)]])
    await page.getByText('Not added: only images, PDF').first().waitFor()
    expect(await given(page).locator('img').count()).toBe(0)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    await shoot(page, 'refused')
  })

  it('fit on a phone, with a camera, in the dark', async () => {
    const phone = {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    }
    const { page } = await open(phone)
    const long = `${'a very long name '.repeat(9)}.png`
    await page
      .locator('input[type=file]:not([capture])')
      .setInputFiles({ name: long, mimeType: 'image/png', buffer: PNG })
    await given(page).locator('img').waitFor()
    await page.getByRole('button', { name: 'Take a photo' }).waitFor()
    expect(await page.locator('input[capture]').getAttribute('capture')).toBe('environment')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    expect(await axeFaults(page)).toEqual([])
    await shoot(page, 'phone')
  })

  it('hold the answer back until they are there', async () => {
    const { page, outcome } = await open()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/type=image/, async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('textbox').fill('See the picture')
    await page
      .locator('input[type=file]:not([capture])')
      .setInputFiles({ name: 'slow.png', mimeType: 'image/png', buffer: PNG })
    await page.getByRole('progressbar').waitFor()
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByRole('textbox').press('Enter')
    await page.getByText('Wait until your files are there').waitFor()
    release()
    await given(page).locator('img').waitFor()
    await page.getByRole('button', { name: 'Send answer' }).click()
    expect((await outcome).responses.shot).toMatchObject({ files: [{ name: 'slow.png' }] })
  })

  /** Holds back what the page sends of files, until it is let through or broken off. */
  async function holdUploads(page: Page) {
    let decide = (_: 'continue' | 'abort'): void => {}
    const decided = new Promise<'continue' | 'abort'>((resolve) => {
      decide = resolve
    })
    await page.route(/type=image/, async (route) => route[await decided]())
    return { letThrough: () => decide('continue'), breakOff: () => decide('abort') }
  }
  const choose = (page: Page, name: string) =>
    page
      .locator('input[type=file]:not([capture])')
      .setInputFiles({ name, mimeType: 'image/png', buffer: PNG })

  it('go on while another step is shown, and hold the answer back there', async () => {
    const { page, outcome } = await open({}, 'Files in steps')
    const uploads = await holdUploads(page)
    await choose(page, 'slow.png')
    await page.getByRole('progressbar').waitFor()
    // It goes on, and sends nothing.
    await page.getByRole('textbox').fill('A red box')
    await page.getByRole('textbox').press('Enter')
    const missing = page.getByRole('list', { name: 'Files that are not there yet' })
    await missing.getByRole('progressbar').waitFor()
    await page.getByRole('radio', { name: 'PDF' }).click()
    await missing.getByRole('progressbar').waitFor()
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText('Wait until your files are there').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await shoot(page, 'other-step')
    uploads.letThrough()
    await missing.waitFor({ state: 'detached' })
    await given(page).filter({ hasText: 'slow.png' }).locator('img').waitFor()
    await page.getByRole('button', { name: 'Send answer' }).click()
    expect((await outcome).responses.shot).toMatchObject({ files: [{ name: 'slow.png' }] })
  })

  it('whose sending breaks off are seen in another step, and are sent again from there', async () => {
    const { page, outcome } = await open({ colorScheme: 'dark' }, 'Files in steps')
    const uploads = await holdUploads(page)
    await choose(page, 'cut.png')
    await page.getByRole('progressbar').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    uploads.breakOff()
    const missing = page.getByRole('list', { name: 'Files that are not there yet' })
    await missing.getByText('Not added: it could not be sent').waitFor()
    await shoot(page, 'cut-dark')
    await page.unroute(/type=image/)
    await missing.getByRole('button', { name: 'Send cut.png again' }).click()
    await missing.waitFor({ state: 'detached' })
    await page.getByRole('radio', { name: 'PDF' }).click()
    await given(page).filter({ hasText: 'cut.png' }).locator('img').waitFor()
    await page.getByRole('button', { name: 'Send answer' }).click()
    expect((await outcome).responses.shot).toMatchObject({ files: [{ name: 'cut.png' }] })
  })

  it('that a reload took along are named afterwards, and leaving warns before', async () => {
    const { page } = await open()
    await holdUploads(page)
    await choose(page, 'lost.png')
    await page.getByRole('progressbar').waitFor()
    // Browsers warn on pages only that were clicked.
    await page.getByRole('textbox').click()
    const warned = page.waitForEvent('dialog').then(async (dialog) => {
      await dialog.accept()
      return dialog.type()
    })
    await Promise.all([page.reload(), warned])
    expect(await warned).toBe('beforeunload')
    await given(page).filter({ hasText: 'lost.png' }).getByText('Not added: the page was left').waitFor()
    await page.unroute(/type=image/)
    await choose(page, 'lost.png')
    await given(page).locator('img').waitFor()
    // It takes the place of the row that named it.
    await expect.poll(() => given(page).count()).toBe(1)
    await page.reload()
    await given(page).locator('img').waitFor()
    expect(await given(page).count()).toBe(1)
  })
})
