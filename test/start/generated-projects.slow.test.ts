import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { press } from '@sandagent/testing/playwright'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import {
  buildNext,
  generatedProject,
  quotedFiles,
  removeProject,
  runScript,
  tracedFiles,
  writeFiles,
} from '../support/generated-project.ts'
import { execute } from '../support/packed-project.ts'
import { startServer } from '../support/servers/start-server.ts'

/** A build and its pages take long on a busy machine. */
const PATIENCE_MS = 600_000

const stylesOf = (element: Locator) =>
  element.evaluate((node) => {
    const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor, color } = getComputedStyle(node)
    /** The lightness of a colour from 0 to 1, as the screen shows it; `null` for one that is not there. */
    const lightness = (text: string): number | null => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
      if (!canvas) throw new Error('There is no canvas')
      canvas.fillStyle = text
      canvas.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
      return alpha === 0 ? null : (0.21 * red + 0.72 * green + 0.07 * blue) / 255
    }
    return {
      border: `${borderTopStyle} ${Number.parseFloat(borderTopWidth) >= 1}`,
      line: lightness(borderTopColor),
      background: lightness(backgroundColor),
      text: lightness(color),
    }
  })

/** The form is a card, with frames around its options and its button, light and dark. */
async function expectLooks(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const form = await stylesOf(page.locator('.sa-ask'))
    const option = await stylesOf(page.locator('.sa-ask .sa-option').first())
    const button = await stylesOf(page.locator('.sa-ask .sa-button', { hasText: 'Send' }))
    const name = `${colorScheme}: ${JSON.stringify({ form, option, button })}`
    for (const framed of [form, option, button]) {
      expect(framed.border, name).toBe('solid true')
      expect(framed.line, name).not.toBeNull()
    }
    const [back, front] = [form.background ?? Number.NaN, form.text ?? Number.NaN]
    expect(colorScheme === 'light' ? back : 1 - back, name).toBeGreaterThan(0.8)
    expect(Math.abs(back - front), name).toBeGreaterThan(0.5)
    await screenshot(page, colorScheme)
  }
}

/** A page with the chat, for the component of the guide. */
const APP = `
import { useChat } from '@ai-sdk/react'
import { Questions } from './Questions'

export default function App() {
  const { messages, sendMessage } = useChat()
  const texts = messages.flatMap(({ parts }) => parts).map((part) => (part.type === 'text' ? part.text : ''))
  return (
    <main>
      <button type="button" onClick={() => void sendMessage({ text: 'Deploy' })}>Deploy</button>
      {messages.map((message) => <Questions key={message.id} message={message} />)}
      {texts}
    </main>
  )
}
`

/** `SCREENSHOTS=FOLDER` keeps pictures to look at. */
async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder)
    await page.screenshot({
      path: join(folder, `${expect.getState().currentTestName}-${name}.png`.replace(/[^\w.-]+/g, '-')),
    })
}

describe.skipIf(!chromiumPath)('a project of a generator', { timeout: PATIENCE_MS }, () => {
  const browser = sharedChromium()

  /** Opens the page, starts the agent, and looks at the form. */
  async function askedOn(url: string): Promise<Page> {
    const page = await browser().newPage()
    onTestFinished(() => page.close())
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.goto(url)
    await press(page.getByRole('button', { name: 'Deploy' }))
    await page.getByRole('radio', { name: 'Staging' }).waitFor()
    await expectLooks(page)
    expect(faults).toEqual([])
    return page
  }

  async function answer(page: Page): Promise<void> {
    await press(page.getByRole('radio', { name: 'Staging' }))
    await page.getByText('I deploy to Staging.').waitFor()
  }

  const agentOf = async (): Promise<string> =>
    (await quotedFiles('start/express.md'))['examples/start/express/workspace/agent.mjs'] as string

  it('for Next.js shows the page of the start, as it is built', async () => {
    const project = await generatedProject(
      ['create-next-app', 'dist/index.js', '--js', '--app', '--yes', '--skip-install', '--disable-git'],
      {
        'examples/start/next': ['next', 'react', 'react-dom', '@ai-sdk/react'],
        test: ['tailwindcss', '@tailwindcss/turbopack'],
      },
    )
    onTestFinished(() => removeProject(project))
    expect(await readFile(join(project, 'next.config.mjs'), 'utf8')).toContain('cacheComponents: true')
    const start = await quotedFiles('start/next.md')
    const files = Object.entries(start).map(([path, code]) => [
      path.replace('examples/start/next/', ''),
      code,
    ])
    await rm(join(project, 'app/page.js'))
    await writeFiles(project, { ...Object.fromEntries(files), 'workspace/agent.mjs': await agentOf() })
    const styles = join(project, 'app/globals.css')
    const css = await readFile(styles, 'utf8')
    expect(css).toContain('@import "tailwindcss"')
    const preset = await readFile(join(root, 'apps/demo/src/web/gallery/themes/tailwind.css'), 'utf8')
    await writeFile(styles, css + preset)
    // The sign-in that the page leaves to its reader.
    const route = join(project, 'app/api/[...path]/route.js')
    const code = await readFile(route, 'utf8')
    expect(code).toContain("process.env.NODE_ENV === 'development'")
    await writeFile(route, code.replace("process.env.NODE_ENV === 'development'", 'true'))

    expect(await buildNext(project)).toContain('Compiled successfully')
    expect(await tracedFiles(project)).toEqual([])
    const next = 'node_modules/next/dist/bin/next'
    const page = await askedOn(
      await startServer(project, next, 'start', '--hostname', '127.0.0.1', '--port', '0'),
    )
    const [accent, indigo] = await page
      .getByRole('radio')
      .first()
      .evaluate((radio) => {
        radio.style.color = 'color-mix(in oklab, var(--color-indigo-500, red) 74%, CanvasText)'
        const { accentColor, color } = getComputedStyle(radio)
        return [accentColor, color]
      })
    expect(accent).toBe(indigo)
    await answer(page)
  })

  it('for Vite shows the component of the guide, as it is built, with the server of the start', async () => {
    const project = await generatedProject(
      ['create-vite', 'index.js', '--template', 'react-ts', '--no-interactive'],
      {
        'apps/demo': ['vite', '@vitejs/plugin-react', '@types/react-dom', 'express'],
        'examples/start/next': ['react', 'react-dom', '@ai-sdk/react'],
        'apps/next-example': ['ai', '@types/react'],
        '.': ['typescript', '@types/node'],
      },
    )
    onTestFinished(() => removeProject(project))
    const guide = await readFile(join(root, 'docs/guides/form.md'), 'utf8')
    const server = (await quotedFiles('start/express.md'))['examples/start/express/server.mjs'] as string
    await writeFiles(project, {
      'src/Questions.tsx': /^```tsx\n([\s\S]*?)^```$/m.exec(guide)?.[1] as string,
      'src/App.tsx': APP,
      'workspace/agent.mjs': await agentOf(),
      'server.mjs': server,
    })
    expect(await runScript(project, 'build')).toContain('built in')
    const url = await startServer(project, 'server.mjs')
    await answer(await askedOn(url))

    // Not every page says its schemes, and CSS tools replace colours by what only that rule defines.
    const styles = join(project, 'src/index.css')
    const css = await readFile(styles, 'utf8')
    expect(css).toContain('color-scheme: light dark;')
    await writeFile(styles, css.replace('color-scheme: light dark;', ''))
    await runScript(project, 'build')
    await askedOn(url)
  })

  it('for Vite shows the page of the start without a chat, with its types checked, as it is built, live', async () => {
    const project = await generatedProject(
      ['create-vite', 'index.js', '--template', 'react-ts', '--no-interactive'],
      {
        'apps/demo': ['vite', '@vitejs/plugin-react', '@types/react-dom', 'express', 'react', 'react-dom'],
        'apps/next-example': ['@types/react'],
        '.': ['typescript', '@types/node'],
      },
    )
    onTestFinished(() => removeProject(project))
    const files = Object.entries(await quotedFiles('start/page.md')).map(([path, code]) => [
      path.replace(/^examples\/start\/(page|express)\//, '').replace(/\.js(x?)$/, '.ts$1'),
      code,
    ])
    const server = (await quotedFiles('start/express.md'))['examples/start/express/server.mjs'] as string
    // As the page says for production.
    await writeFiles(project, {
      ...Object.fromEntries(files),
      'server.mjs': server,
    })
    expect(await runScript(project, 'build')).toContain('built in')
    for (const args of [
      ['server.mjs'],
      ['node_modules/vite/bin/vite.js', '--host', '127.0.0.1', '--port', '0'],
    ])
      await expectLive(await startServer(project, ...args), project)
  })

  /**
   * Two agents ask, one after the other. One answer is given in the page, one by the command: each question leaves the page.
   */
  async function expectLive(url: string, project: string): Promise<void> {
    const page = await askedOn(url)
    const deploy = () => press(page.getByRole('button', { name: 'Deploy' }))
    const forms = page.locator('.sa-ask')
    const sandagent = (...args: string[]) =>
      execute(process.execPath, ['node_modules/sandagent/dist/main.js', ...args], project)
    const said = () => sandagent('runs', 'logs', '--workdir', 'workspace')
    // The chat has an agent, which a second click does not start again.
    await deploy()
    await page.setViewportSize({ width: 390, height: 844 })
    await screenshot(page, 'phone')
    expect(await forms.count()).toBe(1)
    await press(forms.nth(0).getByRole('radio', { name: 'Staging' }))
    await vi.waitFor(async () => expect(await forms.count()).toBe(0))
    await vi.waitFor(async () => expect(await said()).toContain('I deploy to Staging.'))
    // Until the first agent has ended, a click joins it.
    await vi.waitFor(async () => {
      await deploy()
      await forms.nth(0).waitFor({ timeout: 3000 })
    })
    await sandagent('answer', '--workdir', 'workspace', '--option', 'Production')
    await vi.waitFor(async () => expect(await forms.count()).toBe(0))
    await vi.waitFor(async () => expect(await said()).toContain('I deploy to Production.'))
    await page.close()
  }
})
