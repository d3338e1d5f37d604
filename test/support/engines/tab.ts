import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, vi } from 'vitest'
import type { Driver } from './driver.ts'

/** An element as a person knows it: by its role, and its name. */
export interface Target {
  role: string
  /** The whole name, or an expression that is found in it. Without one, any. */
  name?: string | RegExp
}

/** What the page tells about an element. */
export interface Seen {
  text: string
  value: string
  isChecked: boolean
  /** Whether it takes clicks. The form takes none while it has just moved. */
  isEnabled: boolean
  hasFocus: boolean
  height: number
  /** Its middle, and whether a click there would reach it. */
  x: number
  y: number
  isReachable: boolean
}

// Finds by role and name in the page itself, so that every engine finds the same elements.
const finder = createRequire(import.meta.url).resolve(
  '@testing-library/dom/dist/@testing-library/dom.umd.min.js',
)

/** A page in the words of a person: what they click, type and read. */
export class Tab {
  readonly driver: Driver

  constructor(driver: Driver) {
    this.driver = driver
  }

  /** Every visible element that is meant. */
  async all({ role, name }: Target, scrolls = false): Promise<Seen[]> {
    const isReady = await this.driver.run(() => 'TestingLibraryDom' in window)
    if (!isReady) {
      await this.driver.inject(await readFile(finder, 'utf8'))
      await this.driver.run(noticePresses)
    }
    const isPattern = name instanceof RegExp
    return this.driver.run(lookAt, role, isPattern ? name.source : (name ?? null), isPattern, scrolls)
  }

  /** Resolves to the one element that is meant, once it is there and `is` holds. */
  see(target: Target, is: (seen: Seen) => boolean = () => true, scrolls = false): Promise<Seen> {
    return vi.waitFor(async () => {
      const found = await this.all(target, scrolls)
      const fitting = found.filter(is)
      expect(fitting, `${describe(target)} among ${JSON.stringify(found)}`).toHaveLength(1)
      return fitting[0] as Seen
    })
  }

  /** Resolves once no such element is there. */
  async misses(target: Target): Promise<void> {
    await vi.waitFor(async () => expect(await this.all(target), describe(target)).toEqual([]))
  }

  /** Resolves once the page shows this text. */
  async reads(text: string): Promise<void> {
    await vi.waitFor(async () => expect(await this.text()).toContain(text))
  }

  /** All that the page shows. */
  text(): Promise<string> {
    // biome-ignore lint/performance/useDomNodeTextContent: people do not see what is hidden
    return this.driver.run(() => document.body.innerText)
  }

  /** Moves the mouse to an element that takes clicks and stands still. */
  async pointAt(target: Target): Promise<void> {
    let before: Seen | undefined
    const standsStill = (seen: Seen): boolean => {
      const isStill = seen.x === before?.x && seen.y === before.y
      before = seen
      return seen.isEnabled && seen.isReachable && isStill
    }
    const { x, y } = await this.see(target, standsStill, true)
    await this.driver.moveTo(x, y)
  }

  /** Clicks with the mouse, and once more if the form moved just before. */
  async click(role: string, name: string | RegExp): Promise<void> {
    let isTooSoon = true
    while (isTooSoon) {
      await this.pointAt({ role, name })
      await this.driver.mouseDown()
      await this.driver.mouseUp()
      isTooSoon = await this.driver.run(() => 'pressedTooSoon' in window && window.pressedTooSoon === true)
    }
  }

  /** Clicks into a field, and types at the end of it. */
  async fill(name: string | RegExp, text: string): Promise<void> {
    await this.click('textbox', name)
    await this.press('Control+End')
    await this.type(text)
  }

  type(text: string): Promise<void> {
    return this.driver.type(text)
  }

  async press(...chords: string[]): Promise<void> {
    for (const chord of chords) await this.driver.press(chord)
  }

  /** Waits until an element takes entries, and presses Tab until it has the focus. */
  async tabTo(role: string, name: string | RegExp): Promise<void> {
    await this.see({ role, name }, ({ isEnabled }) => isEnabled)
    for (let presses = 0; presses < 40; presses++) {
      await this.press('Tab')
      const found = await this.all({ role, name })
      if (found.some(({ hasFocus }) => hasFocus)) return
    }
    throw new Error(`Tab never reaches ${describe({ role, name })}`)
  }

  reload(): Promise<void> {
    return this.driver.reload()
  }

  close(): Promise<void> {
    return this.driver.close()
  }
}

const describe = ({ role, name }: Target): string => `${role} ${name ?? ''}`

/** Runs in the page: notices presses and clicks that the form ignores, because it has just moved. */
function noticePresses(): void {
  const isTooSoon = ({ target }: Event): boolean => (target as Element).closest('[data-settling]') !== null
  const onClick = (click: Event): void => {
    if (isTooSoon(click)) Object.assign(window, { pressedTooSoon: true })
  }
  addEventListener('pointerdown', (press) => {
    Object.assign(window, { pressedTooSoon: isTooSoon(press) })
    // A click on a label makes a second one, which the form never ignores.
    addEventListener('click', onClick, { capture: true, once: true })
  })
}

/** Runs in the page, so it must not use anything of this file. */
function lookAt(role: string, name: string | null, isPattern: boolean, scrolls: boolean): Seen[] {
  type Finder = { queryAllByRole(root: Element, role: string, options: object): HTMLElement[] }
  const { TestingLibraryDom: finder } = window as unknown as { TestingLibraryDom: Finder }
  const options = name === null ? {} : { name: isPattern ? new RegExp(name) : name }
  return finder.queryAllByRole(document.body, role, options).map((element) => {
    const middle = (): [number, number] => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return [x + width / 2, y + height / 2]
    }
    const isInSight = ([x, y]: [number, number]): boolean =>
      x > 0 && y > 0 && x < innerWidth && y < innerHeight
    if (scrolls && !isInSight(middle())) element.scrollIntoView({ block: 'center', behavior: 'instant' })
    const [x, y] = middle()
    const hit = document.elementFromPoint(x, y)
    const { value = '', checked = false } = element as HTMLInputElement
    return {
      text: element.textContent ?? '',
      value,
      isChecked: checked,
      isEnabled: !element.matches(':disabled') && !element.closest('[data-settling]'),
      hasFocus: element === document.activeElement,
      height: element.offsetHeight,
      x,
      y,
      isReachable: element.contains(hit) || hit?.closest('label')?.control === element,
    }
  })
}
