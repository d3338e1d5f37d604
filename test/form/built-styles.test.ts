import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AskUserQuestion, type ToolPart } from '@sandagent/react'
import type { Page } from 'playwright-core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { build } from 'vite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'

const part: ToolPart = {
  type: 'tool-AskUserQuestion',
  toolCallId: 'call-1',
  state: 'input-available',
  input: { questions: [{ id: 'q1', question: 'Which one?', options: [{ label: 'A' }, { label: 'B' }] }] },
}
const FORM = renderToStaticMarkup(createElement(AskUserQuestion, { part, answerEndpoint: '/api/answer' }))

const STYLES = '@sandagent/react/styles.css'
const PREFLIGHT = 'tailwindcss/preflight.css'
const themeOf = (name: string): string => join(root, 'apps/demo/src/web/gallery/themes', name)
/** As the plugin for typography writes its rules. */
const PROSE =
  '.prose :where(a):not(:where([class~="not-prose"], [class~="not-prose"] *)) { color: red; text-decoration: none }'

/** The style sheets that users import, bundled for production as a page of theirs is: by Vite, with Lightning CSS. */
async function bundle(...styles: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'styles-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { resolve } = createRequire(import.meta.url)
  const lines = styles.map((each) => `import ${JSON.stringify(resolve(each))}\n`)
  await writeFile(join(folder, 'main.js'), lines.join(''))
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    build: { write: false, rolldownOptions: { input: join(folder, 'main.js') } },
  })
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  return outputs.map((each) => ('source' in each ? `${each.source}` : '')).join('')
}

describe.skipIf(!chromiumPath)('the styles of the form after a bundler', () => {
  const browser = sharedChromium()

  const open = async (css: string, colorScheme: 'light' | 'dark', html: string): Promise<Page> => {
    const page = await browser().newPage({ colorScheme })
    onTestFinished(() => page.close())
    await page.setContent(`<!doctype html><style>${css}</style>${html}`)
    return page
  }

  it.each(['@sandagent/react/styles.css', '@sandagent/sdk/react/styles.css'])(
    'are light or dark, whatever the page declares: %s',
    async (styles) => {
      const css = await bundle(styles)
      const looksOf = async (person: 'light' | 'dark', before: string): Promise<string> =>
        looks(await open(css, person, before + FORM))
      const scheme = (value: string): string => `<style>:root { color-scheme: ${value} }</style>`
      // Without a word of the page.
      expect(await looksOf('light', '')).toBe('light')
      expect(await looksOf('dark', '')).toBe('dark')
      expect(await looksOf('light', scheme('light dark'))).toBe('light')
      expect(await looksOf('dark', scheme('light dark'))).toBe('dark')
      expect(await looksOf('light', scheme('light'))).toBe('light')
      expect(await looksOf('light', scheme('dark'))).toBe('dark')
      // The page has a switch of its own.
      for (const person of ['light', 'dark'] as const)
        for (const theme of ['light', 'dark'])
          for (const mark of [`class="${theme}"`, `data-theme="${theme}"`])
            expect([person, mark, await looksOf(person, `<div ${mark}>`)]).toEqual([person, mark, theme])
    },
  )

  it.each([
    ['before them', [PREFLIGHT, STYLES]],
    ['behind them', [STYLES, PREFLIGHT]],
  ])('stay as they are with Tailwind’s preflight %s, and in its prose', async (_, styles) => {
    const page = await open(
      await bundle(...styles),
      'light',
      `<style>${PROSE}</style><div class="prose">${FORM}</div>`,
    )
    expect(await looks(page)).toBe('light')
    const link = await page.locator('.sa-legend').evaluate((legend) => {
      legend.insertAdjacentHTML('beforeend', '<a href="https://example.org">there</a>')
      const { textDecorationLine, color } = getComputedStyle(legend.lastElementChild as Element)
      return { textDecorationLine, color }
    })
    expect(link.textDecorationLine).toBe('underline')
    expect(link.color).not.toBe('rgb(255, 0, 0)')
    const heights = await page
      .locator('.sa-choice, .sa-button.sa-plain')
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().height))
    expect(Math.min(...heights)).toBeGreaterThan(36)
  })

  it('have the colours of shadcn where a page says so, and edges that are seen', async () => {
    const css = await bundle(STYLES, themeOf('shadcn-tokens.css'), themeOf('shadcn.css'))
    for (const theme of ['light', 'dark']) {
      const page = await open(css, 'light', `<div class="${theme}">${FORM}</div>`)
      expect(await looks(page)).toBe(theme)
      const [card, token] = await page.locator('.sa-ask').evaluate((form) => {
        const probe = document.createElement('i')
        probe.style.background = 'var(--card)'
        form.append(probe)
        return [form, probe].map((element) => getComputedStyle(element).backgroundColor)
      })
      expect(card).toBe(token)
    }
  })

  it('have more contrast where a person wants it, and the sizes that a page sets', async () => {
    const css = await bundle(STYLES)
    const page = await open(
      css,
      'light',
      `<div style="--sa-size: 20px; --sa-gap: 1rem; --sa-option-edge: red">${FORM}</div>`,
    )
    const of = (selector: string, property: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
    expect(await of('.sa-ask', 'font-size')).toBe('20px')
    expect(await of('.sa-options', 'row-gap')).toBe('16px')
    expect(await of('.sa-option', 'border-top-color')).toBe('rgb(255, 0, 0)')
    expect(await of('.sa-button.sa-plain', 'border-top-color')).not.toBe(await of('.sa-ask', 'color'))
    await page.emulateMedia({ contrast: 'more' })
    expect(await of('.sa-button.sa-plain', 'border-top-color')).toBe(await of('.sa-ask', 'color'))
  })

  it('write the list of questions in the ink of the page, and its button readably', async () => {
    const css = await bundle('@sandagent/react/styles.css')
    const page = await open(
      css,
      'dark',
      '<body style="background: white; color: rgb(10, 20, 30)"><div class="sa-list"><input class="sa-search"><ul><li><button>One <small>open</small></button></ul></div><button class="sa-banner">A question waits</button>',
    )
    const of = (selector: string, property: string): Promise<string> =>
      page
        .locator(selector)
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
    expect(await of('.sa-list li button', 'color')).toBe('rgb(10, 20, 30)')
    expect(await of('.sa-search', 'border-top-width')).toBe('1px')
    expect(await of('.sa-banner', 'background-color')).not.toBe('rgba(0, 0, 0, 0)')
  })
})

/** Whether the form is a light card or a dark one. What is missing is named. */
const looks = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    const lightness = (colour: string): number => {
      canvas.clearRect(0, 0, 1, 1)
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
      return alpha < 255 ? Number.NaN : (red + green + blue) / 3
    }
    const styleOf = (selector: string): CSSStyleDeclaration =>
      getComputedStyle(document.querySelector(selector) as Element)
    const card = styleOf('.sa-ask')
    const option = styleOf('.sa-option')
    const button = styleOf('.sa-button.sa-plain')
    for (const [name, style] of Object.entries({ card, option, button }))
      if (style.borderTopStyle !== 'solid' || style.borderTopWidth !== '1px') return `no border: ${name}`
    const [surface, ink, edge] = [card.backgroundColor, card.color, option.borderTopColor].map(lightness)
    if (surface === undefined || ink === undefined || edge === undefined) return 'no colours'
    if (surface > 240 && ink < 60 && edge < 160) return 'light'
    if (surface < 40 && ink > 200 && edge > 90) return 'dark'
    return `surface ${card.backgroundColor}, ink ${card.color}, edge ${option.borderTopColor}`
  })
