import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { press } from '@sandagent/testing/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import {
  buildNext,
  generatedProject,
  quotedFiles,
  removeProject,
  writeFiles,
} from '../support/generated-project.ts'
import { playedOpenAi } from '../support/models/played-openai.ts'

interface Server {
  port: string
  child: ChildProcess
}

/** Serves a project that was built; on the port of an earlier server, if it is given. */
async function serve(project: string, OPENAI_BASE_URL: string, port = '0'): Promise<Server> {
  const args = ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1', '--port', port]
  const { NODE_ENV: _, ...own } = process.env
  const env = { ...own, NEXT_TELEMETRY_DISABLED: '1', OPENAI_API_KEY: 'k', OPENAI_BASE_URL }
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => kill(child))
  let printed = ''
  child.stdout.on('data', (text) => {
    printed += text
  })
  const found = await vi.waitFor(() => {
    expect(printed).toContain('Ready')
    return /127\.0\.0\.1:(\d+)/.exec(printed)?.[1] as string
  })
  return { port: found, child }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Requests a page of the server by a name that somebody else has pointed to this machine. */
async function byOtherName(
  { port }: Server,
  path: string,
): Promise<{ status: number | undefined; body: string }> {
  const request = get({ host: '127.0.0.1', port, path, headers: { host: `elsewhere.example:${port}` } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: await text(response) }
}

const IN_PRODUCTION = "process.env.NODE_ENV === 'development'"

describe.skipIf(!chromiumPath)('the start on Next.js with the AI SDK', () => {
  const browser = sharedChromium()

  /** A project as the page of the start says, built. */
  async function builtProject(): Promise<string> {
    const project = await generatedProject(
      ['create-next-app', 'dist/index.js', '--js', '--app', '--yes', '--skip-install', '--disable-git'],
      {
        'examples/start/next-ai-sdk': ['next', 'react', 'react-dom', 'ai', '@ai-sdk/react', '@ai-sdk/openai'],
        test: ['tailwindcss', '@tailwindcss/turbopack'],
      },
    )
    onTestFinished(() => removeProject(project))
    const files = Object.entries(await quotedFiles('start/next-ai-sdk.md')).map(([path, code]) => {
      expect(code.split('\n').length).toBeLessThanOrEqual(26)
      // The sign-in that the page leaves to its reader.
      return [path.replace('examples/start/next-ai-sdk/', ''), code.replace(IN_PRODUCTION, 'true')]
    })
    expect(files).toHaveLength(3)
    await writeFiles(project, Object.fromEntries(files))
    expect(await buildNext(project)).toContain('Compiled successfully')
    return project
  }

  async function openPage({ port }: Server): Promise<Page> {
    const page = await browser().newPage()
    await page.goto(`http://127.0.0.1:${port}`)
    return page
  }

  const option = (page: Page) => page.getByRole('radio', { name: 'Staging' })
  const told = (page: Page, times: number) =>
    expect.poll(() => page.getByText('I was told: The user').count()).toBe(times)

  async function send(page: Page, text: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await press(page.getByRole('button', { name: 'Send', exact: true }))
    await option(page).waitFor()
  }

  it('asks, also after a reload, a closed tab and a killed server, and goes on with the answer', async () => {
    const project = await builtProject()
    const model = await playedOpenAi()
    const server = await serve(project, model)

    const page = await openPage(server)
    await send(page, 'Deploy the first')
    await press(option(page))
    await told(page, 1)

    expect(await byOtherName(server, '/api/answer')).toMatchObject({
      status: 403,
      body: expect.stringContaining('WRONG_HOST'),
    })
    expect((await byOtherName(server, '/')).body).not.toContain('Deploy the first')

    await send(page, 'Deploy the second')
    await page.reload()
    await page.getByText('Deploy the second').waitFor()
    await option(page).waitFor()
    await page.close()
    const second = await openPage(server)
    await press(option(second))
    await told(second, 2)

    await send(second, 'Deploy the third')
    await kill(server.child)
    const restarted = await serve(project, model, server.port)
    await second.reload()
    await press(option(second))
    await told(second, 3)
    await second.reload()
    await told(second, 3)

    await send(second, 'Deploy the fourth')
    await kill(restarted.child)
    const third = await serve(project, model, server.port)
    // The page that is still open answers. Loaded again, it shows what the model says to it.
    const stored = second.waitForResponse((reply) => reply.request().method() === 'POST' && reply.ok())
    await press(option(second))
    await stored
    await second.reload()
    await told(second, 4)

    await send(second, 'Deploy the fifth')
    await kill(third.child)
    // A message would withdraw the question that waits.
    const goOn = second.getByRole('button', { name: 'Go on' })
    await goOn.waitFor()
    expect(await second.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    await press(goOn)
    await expect.poll(() => goOn.isVisible()).toBe(true)
    const fourth = await serve(project, model, server.port)
    await press(goOn)
    await goOn.waitFor({ state: 'detached' })
    await press(option(second))
    await told(second, 5)

    // The answer may come before the page goes on.
    await send(second, 'Deploy the sixth')
    await kill(fourth.child)
    await goOn.waitFor()
    await serve(project, model, server.port)
    await press(option(second))
    await press(goOn)
    await told(second, 6)
    await second.reload()
    await told(second, 6)
  }, 600_000)
})
