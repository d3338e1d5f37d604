import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { drawn } from './drawn.ts'

/** The questions of the page: the second one takes the place of the first one. */
export const QUESTIONS = ['Which format should the report have?', 'Who is going to read it in the end?'].map(
  (question, index) => ({
    id: `q${index}`,
    question,
    options: ['Alpha', 'Beta', 'Gamma'].map((label) => ({
      label,
      description: 'A description that is long enough to be marked with the mouse.',
    })),
  }),
)

/** What a person does without meaning an option. */
export type Accident =
  | { do: 'click'; on: Place; times: number }
  | { do: 'drag'; from: Place | number; to: Place | number }
  | { do: 'mark'; option: number; pixels: number }
  | { do: 'keys'; keys: string[] }
  | { do: 'hold'; key: string }
  | { do: 'scroll'; by: number }
  | { do: 'shift'; option: number; pixels: number }
  | { do: 'arrive'; option: number; clicks: number }

/** What a person does to pick an option. */
export type Act =
  | { do: 'click'; option: number; times: number }
  | { do: 'number'; option: number; repeats: number }
  | { do: 'enter'; option: number; repeats: number }

/** Where a click means nothing, by a selector. */
const PLACES = {
  title: 'h1',
  question: '.sa-legend',
  hint: '.sa-hint',
  status: '[role=status]',
  body: 'body',
} as const
type Place = keyof typeof PLACES

const KEYS = ['Enter', 'Space', '1', '2', '3', 'n', 'ArrowDown', 'ArrowRight', 'Escape']

const place = fc.constantFrom(...(Object.keys(PLACES) as Place[]))
const option = fc.nat({ max: 2 })

export const accident: fc.Arbitrary<Accident> = fc.oneof(
  fc.record({ do: fc.constant('click' as const), on: place, times: fc.integer({ min: 1, max: 3 }) }),
  fc
    .record({ do: fc.constant('drag' as const), from: fc.oneof(place, option), to: fc.oneof(place, option) })
    .filter(({ from, to }) => from !== to),
  fc.record({ do: fc.constant('mark' as const), option, pixels: fc.integer({ min: 15, max: 120 }) }),
  fc.record({
    do: fc.constant('keys' as const),
    keys: fc.array(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 6 }),
  }),
  fc.record({ do: fc.constant('hold' as const), key: fc.constantFrom(...KEYS) }),
  fc.record({ do: fc.constant('scroll' as const), by: fc.integer({ min: -300, max: 300 }) }),
  fc.record({ do: fc.constant('shift' as const), option, pixels: fc.integer({ min: 20, max: 150 }) }),
  fc.record({ do: fc.constant('arrive' as const), option, clicks: fc.integer({ min: 1, max: 12 }) }),
)

export const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant('click' as const), option, times: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('number' as const), option, repeats: fc.nat({ max: 5 }) }),
  fc.record({ do: fc.constant('enter' as const), option, repeats: fc.nat({ max: 5 }) }),
)

/** What the page writes down of itself. */
interface Log {
  /** What it sent as final. */
  sent: unknown[]
  /** What the mouse and the keys did. It is printed with a failure. */
  events: string[]
  /** When the form appeared, or its place changed. */
  changedAt: number
  /** When the mouse was pressed last. */
  pressedAt: number
  /** The option under the first press of a click; -1 where the form ignores the click, because it has just moved. */
  pressedOption?: number | undefined
}

declare global {
  interface Window {
    log: Log
  }
}

/** To be run in the page before anything else: keeps a log, and makes the page long enough to be scrolled. */
export function keepLog(): void {
  addEventListener('DOMContentLoaded', () => {
    // Without anchors, what is added above the form moves it.
    document.documentElement.style.overflowAnchor = 'none'
    document.body.style.minHeight = '3000px'
  })
  window.log = { sent: [], events: [], changedAt: Number.NaN, pressedAt: Number.NaN }
  addEventListener('gallery-send', (event) => {
    const { detail } = event as CustomEvent<{ status: string; responses: unknown }>
    if (detail.status !== 'pending') window.log.sent.push(detail.responses)
  })
  addEventListener('pointerdown', () => (window.log.pressedAt = performance.now()), true)
  const optionAt = ({ target }: Event): number => {
    const options = document.querySelectorAll('.sa-ask:not([data-settling]) .sa-option')
    return [...options].findIndex((option) => option.contains(target as Node))
  }
  const onClick = (click: MouseEvent): void => {
    if (click.detail === 1 && optionAt(click) !== window.log.pressedOption) window.log.pressedOption = -1
  }
  addEventListener('pointerdown', (press) => {
    window.log.pressedOption ??= optionAt(press)
    // A click on a label makes a second one, which the form never ignores.
    addEventListener('click', onClick, { capture: true, once: true })
  })
  const note = (event: Event): void => {
    const { key = '', detail = '' } = event as Partial<KeyboardEvent>
    const { tagName, textContent } = event.target as Element
    const question = document.querySelector('.sa-legend')?.textContent
    window.log.events.push(
      [
        Math.round(event.timeStamp),
        event.type,
        detail,
        key,
        tagName,
        textContent?.slice(0, 20),
        question,
      ].join(' '),
    )
  }
  for (const type of ['pointerdown', 'click', 'keydown']) addEventListener(type, note, true)
  const arrival = new MutationObserver(() => {
    if (!document.querySelector('.sa-option')) return
    window.log.changedAt = performance.now()
    arrival.disconnect()
  })
  arrival.observe(document, { subtree: true, childList: true })
}

/** A press this long after a change may be meant for what is there now. Shorter than the form's own guard. */
const CLEARLY_TOO_SOON_MS = 250

/** A shorter drag may be a click of a hand that is not steady. */
const SHORTEST_DRAG_PX = 15

type Point = { x: number; y: number }

/** The hands of a person at a page with {@link QUESTIONS}. */
export class Hands {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** What the page has sent as final. */
  sent(): Promise<unknown[]> {
    return this.#page.evaluate(() => window.log.sent)
  }

  /** What the mouse and the keys did. */
  events(): Promise<string[]> {
    return this.#page.evaluate(() => window.log.events)
  }

  /** The question that is shown, and its picked option. */
  async shown(): Promise<{ question: string | null; picked: string | null }> {
    await drawn(this.#page)
    return this.#page.evaluate(() => ({
      question: document.querySelector('.sa-legend')?.textContent ?? null,
      picked: document.querySelector<HTMLInputElement>('.sa-ask input:checked')?.value ?? null,
    }))
  }

  /** Resolves once the form takes entries. */
  async settled(): Promise<void> {
    await this.#page.waitForFunction(
      () => document.querySelector('.sa-fields:enabled') && !document.querySelector('.sa-ask[data-settling]'),
    )
  }

  /**
   * @returns false if the accident may have been meant: the machine was too slow, or keys before it scroll the page so late
   * that a click or a short drag is on an option
   */
  async hasAccident(accident: Accident): Promise<boolean> {
    const { mouse, keyboard } = this.#page
    switch (accident.do) {
      case 'click':
        return (await this.#pressed(await this.#still(accident.on), accident.times)) === -1
      case 'drag': {
        const from = await this.#still(accident.from)
        const to = await this.#middle(accident.to)
        await this.#drag(from, to)
        // A page that scrolls may bring both ends to one place. Then the drag is a click.
        return Math.hypot(to.x - from.x, to.y - from.y) >= SHORTEST_DRAG_PX
      }
      case 'mark': {
        const from = await this.#textStart(accident.option)
        await this.#drag(from, { x: from.x + accident.pixels, y: from.y })
        break
      }
      case 'keys':
        await this.#leave()
        for (const key of accident.keys) await keyboard.press(key)
        break
      case 'hold':
        await this.#leave()
        await this.#hold(accident.key, 5)
        break
      case 'scroll':
        await mouse.move(...pair(await this.#middle(0)))
        await mouse.wheel(0, accident.by)
        break
      case 'shift': {
        const { x, y } = await this.#middle(accident.option)
        await mouse.move(x, y)
        await this.#page.evaluate((pixels) => {
          const news = document.createElement('p')
          news.style.height = `${pixels}px`
          document.querySelector('h1')?.after(news)
          window.log.changedAt = performance.now()
        }, accident.pixels)
        await mouse.down()
        await mouse.up()
        return this.#wasTooSoon()
      }
      case 'arrive':
        return this.#clickAtArrival(accident.option, accident.clicks)
    }
    return true
  }

  /** @returns the option that it meant: on a busy machine, a page may scroll while the mouse is pressed */
  async does(act: Act): Promise<number> {
    await this.settled()
    if (act.do === 'click') return this.#clickOption(act.option, act.times)
    const focused = act.do === 'enter' ? act.option : 0
    await this.#page.locator('.sa-option input').nth(focused).focus()
    await this.#hold(act.do === 'enter' ? 'Enter' : `${act.option + 1}`, act.repeats)
    return act.option
  }

  /** Clicks, and once more if the form had just moved. */
  async #clickOption(option: number, times: number): Promise<number> {
    for (;;) {
      const middle = await this.#still(option)
      await this.settled()
      const pressed = await this.#pressed(middle, times)
      if (pressed >= 0) return pressed
    }
  }

  /** Clicks. @returns the option under the first press; -1 if there was none, or if the form had just moved */
  async #pressed(point: Point, times: number): Promise<number> {
    await this.#page.evaluate(() => (window.log.pressedOption = undefined))
    await this.#click(point, times)
    return this.#page.evaluate(() => window.log.pressedOption ?? -1)
  }

  async #clickAtArrival(option: number, clicks: number): Promise<boolean> {
    const { mouse } = this.#page
    await mouse.move(...pair(await this.#middle(option)))
    await this.#page.reload({ waitUntil: 'commit' })
    if (clicks === 1) await this.#page.waitForSelector('.sa-option')
    for (let clickCount = 1; clickCount <= clicks; clickCount++) {
      await mouse.down({ clickCount })
      await mouse.up({ clickCount })
    }
    await this.#page.waitForSelector('.sa-option')
    return this.#wasTooSoon()
  }

  #wasTooSoon(): Promise<boolean> {
    return this.#page.evaluate(
      (limit) => !(window.log.pressedAt - window.log.changedAt > limit),
      CLEARLY_TOO_SOON_MS,
    )
  }

  async #click({ x, y }: Point, times: number): Promise<void> {
    const { mouse } = this.#page
    await mouse.move(x, y)
    for (let clickCount = 1; clickCount <= times; clickCount++) {
      await mouse.down({ clickCount })
      await mouse.up({ clickCount })
    }
  }

  async #drag(from: Point, to: Point): Promise<void> {
    const { mouse } = this.#page
    await mouse.move(from.x, from.y)
    await mouse.down()
    await mouse.move(to.x, to.y, { steps: 4 })
    await mouse.up()
  }

  /** Holds a key, so that it repeats. */
  async #hold(key: string, repeats: number): Promise<void> {
    const { keyboard } = this.#page
    for (let presses = 0; presses <= repeats; presses++) await keyboard.down(key)
    await keyboard.up(key)
  }

  /** Takes the focus out of the form. */
  async #leave(): Promise<void> {
    await this.#page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  }

  /** The middle of a place, or of an option, in sight. */
  #middle(where: Place | number): Promise<Point> {
    return this.#page.evaluate(
      ([selector, index]) => {
        const element = document.querySelectorAll(selector)[index]
        if (!element) throw new Error(`The page has no ${selector}`)
        element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
        const { left, top, width, height } = element.getBoundingClientRect()
        return { x: left + width / 2, y: top + height / 2 }
      },
      typeof where === 'number' ? (['.sa-choice', where] as const) : ([PLACES[where], 0] as const),
    )
  }

  /** The middle of a place, or of an option, once a scrolling page has come to rest. */
  async #still(where: Place | number): Promise<Point> {
    for (;;) {
      const before = await this.#middle(where)
      await drawn(this.#page)
      const after = await this.#middle(where)
      if (after.y === before.y) return after
    }
  }

  /** Where the description of an option begins. */
  #textStart(option: number): Promise<Point> {
    return this.#page.evaluate((index) => {
      const description = document.querySelectorAll('.sa-option .sa-description')[index] as Element
      description.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      const { left, top, height } = description.getBoundingClientRect()
      return { x: left + 2, y: top + height / 2 }
    }, option)
  }
}

const pair = ({ x, y }: Point): [number, number] => [x, y]
