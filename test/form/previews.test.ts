import type { Question } from '@sandagent/core'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { sharedDemo } from '../support/servers/demo-server.ts'

const columns = Array.from({ length: 10 }, (_, n) => `Column${n + 1}`)
const TABLE = [columns, columns.map(() => '---'), columns.map((name) => `${name} value`)]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n')
const MOCK_UP = [
  `┌${'─'.repeat(58)}┐`,
  `│ Orders     * new *       _all_${' '.repeat(28)}│`,
  `├${'─'.repeat(58)}┤`,
  `└${'─'.repeat(58)}┘`,
].join('\n')
const CODE = `\`\`\`ts\nconst orders = await database.query('select id, placed_at, total from orders where total > 100')\n\`\`\``
const LONG = Array.from({ length: 60 }, (_, n) => `Line ${n + 1}`).join('\n\n')

const asked = (...previews: string[]): Question[] => [
  {
    question: 'Which one?',
    options: previews.map((preview, index) => ({ label: `Option ${index + 1}`, preview })),
  },
]

describe.skipIf(!chromiumPath)('a preview', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  async function open(width: number, ...previews: string[]): Promise<Page> {
    return openAs({ viewport: { width, height: 900 } }, ...previews)
  }

  async function openAs(options: BrowserContextOptions, ...previews: string[]): Promise<Page> {
    const width = options.viewport?.width
    const page = await browser().newPage(options)
    onTestFinished(() => page.close())
    const query = new URLSearchParams({ questions: JSON.stringify(asked(...previews)), state: 'Waiting' })
    await page.goto(`${demo().url}/gallery?${query}`)
    await page.locator('.sa-fields:enabled').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    const cardEdge = await page.locator('.sa-ask').evaluate((card) => card.getBoundingClientRect().right)
    for (const option of await page.locator('.sa-option').all())
      expect(await option.evaluate((each) => each.getBoundingClientRect().right)).toBeLessThan(cardEdge)
    return page
  }
  const scrollsAside = (preview: Locator): Promise<boolean> =>
    preview.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  const linesOf = (place: Locator): Promise<number> =>
    place.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    })

  it.each([360, 800])('of many columns keeps its words whole, and scrolls: %d px', async (width) => {
    const page = await open(width, TABLE, 'Nothing')
    const preview = page.locator('.sa-preview').first()
    for (const cell of await preview.locator('th').all()) expect(await linesOf(cell)).toBe(1)
    expect(await scrollsAside(preview)).toBe(true)
    expect(await preview.getAttribute('tabindex')).toBe('0')
  })

  it.each([
    ['a drawing', MOCK_UP, 4],
    ['code', CODE, 1],
  ])('of %s keeps its lines as they are, and scrolls', async (_, preview, lines) => {
    const page = await open(360, preview, 'Nothing')
    const shown = page.locator('.sa-preview pre').first()
    expect(await linesOf(shown)).toBe(lines)
    expect(await shown.evaluate((element) => getComputedStyle(element).fontFamily)).toContain('mono')
    expect(await scrollsAside(page.locator('.sa-preview').first())).toBe(true)
    if (preview === MOCK_UP) expect(await shown.textContent()).toBe(MOCK_UP)
  })

  it('stands alone beside the options where there is room: that of the option a person looks at', async () => {
    const page = await open(1000, 'First preview', 'Second preview', 'Third preview')
    const shown = (): Promise<string[]> =>
      page
        .locator('.sa-preview')
        .evaluateAll((all) =>
          all.filter((one) => getComputedStyle(one).opacity === '1').map((one) => `${one.textContent}`),
        )
    const list = page.locator('.sa-choice').first()
    const beside = async (): Promise<boolean> => {
      const [left, right] = [
        await list.boundingBox(),
        await page.locator('.sa-preview').first().boundingBox(),
      ]
      return (left?.x ?? 0) + (left?.width ?? 0) < (right?.x ?? 0) && (right?.width ?? 0) > (left?.width ?? 0)
    }
    expect(await shown()).toEqual(['First preview'])
    expect(await beside()).toBe(true)
    await page.locator('.sa-choice').nth(2).hover()
    expect(await shown()).toEqual(['Third preview'])
    const box = await page.locator('.sa-preview').nth(2).boundingBox()
    // On its way there, the pointer leads over no other option.
    await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 300, { steps: 10 })
    expect(await shown()).toEqual(['Third preview'])
    await page.getByRole('radio').nth(0).focus()
    await page.keyboard.press('ArrowDown')
    expect(await shown()).toEqual(['Second preview'])
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    const [right, left] = [await list.boundingBox(), await page.locator('.sa-preview').first().boundingBox()]
    expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThan(right?.x ?? 0)
    await page.setViewportSize({ width: 720, height: 900 })
    expect(await shown()).toEqual(['First preview', 'Second preview', 'Third preview'])
  })

  it('is below its option where nothing hovers, as on a tablet', async () => {
    const tablet = { viewport: { width: 1000, height: 900 }, hasTouch: true, isMobile: true }
    const page = await openAs(tablet, 'First preview', 'Second preview')
    const [option, preview] = [page.locator('.sa-option').nth(1), page.locator('.sa-preview').nth(1)]
    const [outer, inner] = [await option.boundingBox(), await preview.boundingBox()]
    expect(inner?.x).toBeGreaterThan(outer?.x ?? 0)
    expect((inner?.y ?? 0) + (inner?.height ?? 0)).toBeLessThan((outer?.y ?? 0) + (outer?.height ?? 0))
  })

  it('that goes on shows a shadow at its lower edge, until its end is in sight', async () => {
    const page = await open(360, LONG, 'Nothing')
    const [long, short] = [page.locator('.sa-preview').first(), page.locator('.sa-preview').last()]
    const atEdge = async (preview: Locator): Promise<Buffer> => {
      const box = await preview.boundingBox()
      if (!box) throw new Error('No preview')
      return page.screenshot({
        clip: { x: box.x + box.width - 24, y: box.y + box.height - 6, width: 8, height: 4 },
      })
    }
    const goingOn = await atEdge(long)
    await long.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    const ended = await atEdge(long)
    expect(goingOn.equals(ended)).toBe(false)
    expect(ended.equals(await atEdge(short))).toBe(true)
  })
})
