import type { Question } from '@sandagent/core'
import { press } from '@sandagent/testing/playwright'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { sharedDemo } from '../support/servers/demo-server.ts'

/** Texts for which the parser's time grows with their square, or faster. */
const slow: Record<string, string> = {
  'nested emphasis': '*a_'.repeat(20_000),
  'more nested emphasis': '*_*_'.repeat(15_000),
  'nested lists': '- '.repeat(2_000),
  'nested quotes': '> - '.repeat(2_000),
  'lists in lists': '1. - a\n  '.repeat(2_000),
  brackets: '['.repeat(60_000),
  links: '[a](<'.repeat(12_000),
  references: `[a]: /x\n\n${'[a]'.repeat(20_000)}`,
  backticks: Array.from({ length: 300 }, (_, n) => '`'.repeat(n)).join(' '),
  tables: `|a|b|\n|-|-|\n${'|*a|_b|\n'.repeat(3_000)}`,
  'wide tables': `${'|a'.repeat(6_000)}\n${'|-'.repeat(6_000)}\n${'|b'.repeat(6_000)}`,
  headings: 'a\n=\n'.repeat(5_000),
}

/** The text as a person sees it, with the lines that the browser makes. */
const shownIn = (place: Locator): Promise<string> =>
  // biome-ignore lint/performance/useDomNodeTextContent: it has the lines as they are shown
  place.innerText()

describe.skipIf(!chromiumPath)('a text in Markdown', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  /** The demo with a question whose options have these previews. */
  const askAbout = (previews: readonly string[]): Promise<Page> =>
    ask({
      question: 'Which?',
      options: previews.map((preview, index) => ({ label: `Option ${index + 1}`, preview })),
    })

  /** The demo with a question. */
  async function ask(question: Question): Promise<Page> {
    const page = await browser().newPage()
    onTestFinished(() => page.close())
    const input = { questions: [{ id: 'q', header: 'Q', ...question }] }
    const chunks = [
      { type: 'start', messageId: 'm' },
      { type: 'tool-input-available', toolCallId: crypto.randomUUID(), toolName: 'AskUserQuestion', input },
    ]
    const body = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    await page.route('**/api/chat', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
        body: body.map((data) => `data: ${data}\n\n`).join(''),
      }),
    )
    await page.goto(demo().url)
    await press(page.getByRole('button', { name: /Create a small project/ }))
    await page.locator('.sa-fields:enabled').waitFor()
    return page
  }

  it('shows every end of a line as one, and answers by the question as it was asked', async () => {
    const ends = ['\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029']
    const text = ends.map((end, index) => `a${index}${end}b${index}`).join(' ')
    const question = `Run this?\r${text}`
    const page = await ask({
      question,
      textFormat: 'plain',
      options: [{ label: text, description: text, preview: text }, { label: 'No' }],
      allowFreeText: false,
    })
    const glued = await shownIn(page.locator('.sa-fields'))
    for (const index of ends.keys()) expect(glued).not.toContain(`a${index}b${index}`)
    for (const place of ['.sa-description', '.sa-preview'])
      expect((await shownIn(page.locator(place))).split(/\s+/)).toHaveLength(2 * ends.length)
    expect((await shownIn(page.locator('.sa-label').first())).split(' ')).toHaveLength(2 * ends.length)
    const sent = page.waitForRequest((request) => request.postDataJSON()?.status === 'completed')
    await press(page.getByRole('radio').first())
    expect((await sent).postDataJSON().answers).toEqual({ [question]: text })
  })

  it('keeps the signs of names in labels, and labels that would look the same', async () => {
    const names = ['D:\\data\\_old', '__init__.py', 'src/**/*.ts', '**Bold**']
    const alike = ['D:\\data\\_old', 'D:\\data_old', '**Red**', 'Red']
    for (const labels of [names, alike]) {
      const page = await ask({ question: 'Which **one**?', options: labels.map((label) => ({ label })) })
      await page.locator('strong', { hasText: 'one' }).waitFor()
      expect(await page.locator('.sa-label').allTextContents()).toEqual(
        labels.map((label) => (label === '**Bold**' ? 'Bold' : label)),
      )
    }
  })

  it('that would keep the tab busy is shown as it is written: a preview', async () => {
    const page = await askAbout([...Object.values(slow), '**short**'])
    // What is quick is rendered all the same, so the renderer is there.
    await page.locator('.sa-preview strong').waitFor()
    const shown = await page
      .locator('.sa-preview')
      .evaluateAll((all) => all.map((preview) => preview.textContent))
    expect(shown).toEqual([...Object.values(slow), 'short'])
    await press(page.getByRole('radio', { name: 'Option 2', exact: true }))
  })

  it('that would keep the tab busy is shown as it is written: a question, labels and descriptions', async () => {
    const texts = Object.values(slow)
    const page = await ask({
      question: `**Which?**\n${texts[0]}`,
      options: texts.map((text, index) => ({
        label: `${index + 1} ${text.replaceAll('\n', ' ')}`,
        description: text,
      })),
    })
    await page.locator('.sa-question strong').waitFor()
    const shown = (selector: string): Promise<(string | null)[]> =>
      page.locator(selector).evaluateAll((all) => all.map((each) => each.textContent))
    expect(await shown('.sa-description')).toEqual(texts)
    expect(await shown('.sa-clamp')).toEqual([texts[0]])
    expect((await shown('.sa-label'))[1]).toBe(`2 ${texts[1]}`)
    expect(
      await page.locator('.sa-clamp').evaluate((box) => box.getBoundingClientRect().height),
    ).toBeLessThan(400)
    await press(page.getByRole('button', { name: 'Show more' }))
    await page.getByRole('button', { name: 'Show less', expanded: true }).waitFor()
  })

  it('is shown as it is written where a hundred of them would keep the tab busy', async () => {
    const page = await askAbout(Array.from({ length: 100 }, () => '*_*_'.repeat(200)))
    await page.locator('.sa-preview').nth(99).waitFor()
    await press(page.getByRole('radio', { name: 'Option 2', exact: true }))
    expect(await page.locator('.sa-preview > pre').count()).toBe(100)
  })

  it('keeps its lines and paragraphs where no renderer is needed', async () => {
    const text = 'The first.\n\nThe second,\nand its end.'
    const page = await ask({ question: `Which?\n\n${text}`, options: [{ label: 'A', description: text }] })
    for (const place of ['.sa-clamp', '.sa-description']) {
      expect(await shownIn(page.locator(place))).toBe(text)
    }
  })

  it('leads to other sites alone: what would lead into this one is text', async () => {
    const { host } = new URL(demo().url)
    const inside = ['/api/logout', 'api/logout', '?delete=1', '#top', '//[::1]/x', `//${host}/x`]
    const links = [
      ...inside,
      `http://${host}/api/logout`,
      `HTTPS://${host.toUpperCase()}/x`,
      'https://example.org/a?b&c',
    ]
    const text = links.map((link, index) => `[link ${index}](<${link}>)`).join('\n\n')
    const page = await askAbout([`${text}\n\n<mailto:somebody@example.org>`])
    await page.locator('.sa-preview a[href]').first().waitFor()
    const hrefs = await page
      .locator('.sa-preview a[href]')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    expect(hrefs).toEqual(['https://example.org/a?b&c', 'mailto:somebody@example.org'])
    const address = page.url()
    for (let index = 0; index < 8; index++) await page.getByText(`link ${index}`).click({ force: true })
    expect(page.url()).toBe(address)
    expect(page.context().pages()).toEqual([page])
  })
})
