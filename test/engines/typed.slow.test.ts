import { expect, it } from 'vitest'
import { describeInEngines } from '../support/engines/engines.ts'
import { askOnPage } from '../support/engines/question-page.ts'
import type { Tab } from '../support/engines/tab.ts'

describeInEngines('numbers and dates', (openTab) => {
  it('are entered by keyboard alone, and arrive as the agent reads them in every browser', async () => {
    const page = await askOnPage('Numbers and dates')
    const tab = await openTab()
    await tab.driver.goto(page.url)
    await tab.see({ role: 'slider' }, ({ isEnabled }) => isEnabled)

    await tabInto(tab, 'After how long')
    await tab.type('200')
    await tab.press('ArrowUp')
    await tabInto(tab, 'How many of the requests')
    await tab.press(...Array<string>(6).fill('ArrowRight'))
    await tabInto(tab, '1 of 5')
    await tab.press('4')
    await tabInto(tab, 'From: Which ports')
    await tab.type('1000')
    await tabInto(tab, 'To: Which ports')
    await tab.type('2000')
    await tabInto(tab, 'On which day')
    await enterDate(tab, '2026-03-01')
    await tabInto(tab, 'When is the backup')
    await enterDate(tab, '03:30')
    await tabInto(tab, 'When is the switch')
    await enterDate(tab, '2026-03-01T11:30', OFFSET)
    await tabInto(tab, 'From: When is nobody')
    await enterDate(tab, '2026-07-01')
    await tabInto(tab, 'To: When is nobody')
    await enterDate(tab, '2026-07-14')
    await tabInto(tab, 'Who gets the reports')
    await tab.type('team@example.org')
    await tabInto(tab, 'Where is the documentation')
    await tab.type('https://example.org/docs')
    await tab.press('Control+Enter')

    const { kind, responses } = await page.outcome
    expect(kind).toBe('answered')
    const texts = Object.entries(responses).map(([id, response]) => [
      id,
      'freeText' in response && response.freeText,
    ])
    expect(Object.fromEntries(texts)).toEqual({
      timeout: '250',
      share: '30',
      draft: '4',
      ports: '1000/2000',
      day: '2026-03-01',
      time: '03:30',
      moment: `2026-03-01T11:30${OFFSET}`,
      away: '2026-07-01/2026-07-14',
      mail: 'team@example.org',
      page: 'https://example.org/docs',
    })
  })
})

/** The offset of this machine, and so of the browsers on it, in March. */
const OFFSET = offsetAt(new Date(2026, 2, 1, 11, 30))

function offsetAt(date: Date): string {
  const minutes = -date.getTimezoneOffset()
  const digits = (number: number): string => String(Math.floor(number)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${digits(Math.abs(minutes) / 60)}:${digits(Math.abs(minutes) % 60)}`
}

/** Presses Tab until the focus is in the field with this name. Date fields have no role that a finder knows. */
async function tabInto(tab: Tab, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await tab.press('Tab')
    const focused = await tab.driver.run(() => {
      const field = document.activeElement as HTMLInputElement
      return field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent ?? ''
    })
    if (focused.startsWith(name)) return
  }
  throw new Error(`Tab never reaches the field "${name}"`)
}

/** Types a date, or a time in the morning: its parts in the browser's own order, or the text where it has no such field. */
async function enterDate(tab: Tab, text: string, offset = ''): Promise<void> {
  const { isNative, order, staysInPart } = await tab.driver.run(() => ({
    isNative: (document.activeElement as HTMLInputElement).type !== 'text',
    order: new Intl.DateTimeFormat().formatToParts().map((part) => part.type as string),
    // Others go on to the next part by themselves.
    staysInPart: /AppleWebKit(?!.*Chrome)/.test(navigator.userAgent),
  }))
  if (!isNative) return tab.type(`${text}${offset}`)
  const [, year = '', month = '', day = ''] = /(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? []
  const [, hours = '', minutes = ''] = /(\d\d):(\d\d)$/.exec(text) ?? []
  const days: Record<string, string> = { year, month, day }
  // A field of 24 hours takes no letters.
  const clock = hours === '' ? [] : [hours, minutes, 'AM']
  const parts = [...order.map((part) => days[part]), ...clock].filter(Boolean)
  for (const [index, part = ''] of parts.entries()) {
    if (index > 0 && staysInPart) await tab.press('ArrowRight')
    await tab.type(part)
  }
}
