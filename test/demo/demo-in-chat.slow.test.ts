import { press } from '@sandagent/testing/playwright'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chromiumPath } from '../support/browser/chromium.ts'
import { demoForEach } from '../support/browser/demo-for-each.ts'
import { type DemoPage, openDemo } from '../support/browser/demo-page.ts'
import { answerFile, asked } from '../support/question-files.ts'

describe.skipIf(!chromiumPath)('in the chat', () => {
  const own = demoForEach()
  let page: Page
  let tab: DemoPage

  beforeEach(async () => {
    tab = await openDemo(own.context, own.demo.url)
    page = tab.page
    await tab.begin()
    await tab.radio('Web page').and(page.locator(':enabled')).waitFor()
    await page.locator('.sa-ask:not([data-settling])').waitFor()
  })

  const composer = () => page.getByRole('textbox', { name: 'Message to the agent' })
  const offer = () => page.getByRole('button', { name: 'Answer with this text' })
  const list = () => page.getByRole('region', { name: 'Questions', exact: true })
  const focusedText = () =>
    page.evaluate(() => document.activeElement?.closest('[data-position]')?.textContent)

  it('a text in the composer answers the question only when the person says so', async () => {
    expect(await offer().count()).toBe(0)
    await composer().fill('A game')
    await offer().waitFor()
    await composer().press('Enter')
    expect(await composer().inputValue()).toBe('A game')
    await expect(answerFile(own.demo.workdir, await asked(own.demo.workdir, 1))).rejects.toThrow('ENOENT')

    await press(offer())
    expect(await composer().inputValue()).toBe('')
    await tab.status(0, 'Received by the agent')
    expect(await tab.answers(0)).toEqual(['A game'])

    // The first question of the next call takes no typed answer.
    await tab.box('Tests').and(page.locator(':enabled')).waitFor()
    await composer().fill('Ahoi')
    await press(offer())
    await page.getByRole('group', { name: 'Check your answers' }).waitFor()
    await press(page.getByRole('button', { name: 'Send answer' }))
    await tab.allow()
    await tab.done()
    expect(await tab.answers(1)).toContain('Ahoi')
    await composer().fill('And now')
    expect(await offer().count()).toBe(0)
  })

  it('a banner leads back to the question that is scrolled away', async () => {
    await page.setViewportSize({ width: 900, height: 420 })
    const banner = page.getByRole('button', { name: 'The agent waits for your answer' })
    expect(await banner.count()).toBe(0)
    await scrollAway(page)
    await press(banner)
    await vi.waitFor(async () =>
      expect(await focusedText()).toContain('What kind of project should I create?'),
    )
    await banner.waitFor({ state: 'detached' })
  })

  it('keys of the page pick and send as the keys of the form do', async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('Control+2')
    await page.keyboard.press('Shift+2')
    expect(await tab.radio('Web server').isChecked()).toBe(false)
    await page.keyboard.press('2')
    await tab.status(0, 'Received by the agent')
    expect(await tab.answers(0)).toEqual(['Web server'])
  })

  it('keys of the page end while a text field, a select or a dialog has the focus', async () => {
    await composer().focus()
    await page.keyboard.type('2')
    expect(await composer().inputValue()).toBe('2')
    await composer().fill('')
    for (const html of [
      '<select><option>1</option><option>2</option></select>',
      '<p contenteditable>text</p>',
      '<dialog open><button>2</button></dialog>',
      '<input type="checkbox">',
    ]) {
      const element = await page.evaluateHandle((html) => {
        document.body.insertAdjacentHTML('beforeend', html)
        const added = document.body.lastElementChild as HTMLElement
        const field = added.querySelector('button') ?? added
        field.focus()
        return added
      }, html)
      await page.keyboard.press('2')
      await page.keyboard.press('n')
      expect(await page.locator('input[type=radio]:checked, .sa-note textarea').count(), html).toBe(0)
      await element.evaluate((added) => added.remove())
    }
    // Nothing has the focus any more. Since the field with the focus vanished, keys count only after a click.
    await page.mouse.click(2, 2)
    await page.keyboard.press('2')
    await tab.status(0, 'Received by the agent')
  })

  it('a key of the page first shows an option that is out of sight', async () => {
    await page.setViewportSize({ width: 900, height: 420 })
    await scrollAway(page)
    await page.getByRole('button', { name: 'The agent waits for your answer' }).waitFor()
    await page.locator('.sa-ask:not([data-settling])').waitFor({ state: 'attached' })
    await page.keyboard.press('2')
    await vi.waitFor(async () =>
      expect(await focusedText()).toContain('What kind of project should I create?'),
    )
    expect(await page.locator('input[type=radio]:checked').count()).toBe(0)
  })

  it('a list finds open and past questions, and leads to them', async () => {
    await press(tab.radio('Web page'))
    await tab.status(1, 'The agent waits for you')
    await list().getByText('2 questions').waitFor()
    await list().getByRole('searchbox').fill('web PAGE')
    await list().getByText('1 of 2 questions').waitFor()
    await list()
      .getByRole('button', { name: 'What kind of project should I create? Answered: Web page' })
      .click()
    await page
      .getByRole('region', { name: /^The agent asked: What kind/ })
      .and(page.locator(':focus'))
      .waitFor()
    await list().getByRole('searchbox').fill('greet people')
    await list()
      .getByRole('button', { name: /Waits for you/ })
      .click()
    await vi.waitFor(async () => expect(await focusedText()).toContain('What should come with it?'))
    await list().getByRole('searchbox').fill('no such question')
    await list().getByText('0 of 2 questions').waitFor()
  })
})

/** Scrolls the question of the chat out of sight, as a person does. */
function scrollAway(page: Page): Promise<void> {
  return page.locator('.messages').evaluate((messages) => {
    const space = document.createElement('div')
    space.style.cssText = 'flex: none; height: 2000px'
    messages.append(space)
    messages.dispatchEvent(new WheelEvent('wheel'))
    messages.scrollTop = messages.scrollHeight
  })
}
