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
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'

const part: ToolPart = {
  type: 'tool-AskUserQuestion',
  toolCallId: 'call-1',
  state: 'input-available',
  input: { questions: [{ id: 'q1', question: 'Which one?', options: [{ label: 'A' }, { label: 'B' }] }] },
}
const FORM = renderToStaticMarkup(createElement(AskUserQuestion, { part, answerEndpoint: '/api/answer' }))

/** The style sheets that users import, bundled for production as a page of theirs is: by Vite, with Lightning CSS. */
async function bundle(styles: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'styles-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = createRequire(import.meta.url).resolve(styles)
  await writeFile(join(folder, 'main.js'), `import ${JSON.stringify(file)}`)
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
