import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { press } from '@sandagent/testing/playwright'
import { afterEach, describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { demoIn } from '../support/browser/demo-page.ts'
import { claudeEnvironment } from '../support/models/claude-environment.ts'
import { type Block, call, type MessagesApi, startMessagesApi, text } from '../support/models/messages-api.ts'
import { exists } from '../support/question-files.ts'
import { runnerPid } from '../support/runner-process.ts'
import { type DemoServer, startDemo } from '../support/servers/demo-server.ts'

const questions = [
  {
    question: 'Which colour?',
    header: 'Colour',
    multiSelect: false,
    options: [
      { label: 'Red', description: 'r' },
      { label: 'Blue', description: 'b' },
    ],
  },
]

/** This machine's own session must not reach the demo. */
const withoutClaude = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^(CLAUDE|ANTHROPIC)/.test(name))
    .map((name) => [name, undefined]),
)

describe.skipIf(!chromiumPath)('the demo with Claude Code', () => {
  const browser = sharedChromium()
  const cleanUps: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
  })

  /** The real binary in the demo. A stub plays its model. */
  async function open(turns: readonly (readonly Block[])[]) {
    const home = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-claude-')))
    cleanUps.push(() => rm(home, { recursive: true, maxRetries: 5 }))
    const api: MessagesApi = await startMessagesApi(turns)
    cleanUps.push(() => api.close())
    const env = {
      ...withoutClaude,
      ...claudeEnvironment(home, api.url),
      ANTHROPIC_MODEL: 'claude-sonnet-4-5',
    }
    const demo: DemoServer = await startDemo(0, undefined, { args: [], env })
    cleanUps.push(() => demo.close())
    const page = await browser().newPage({ viewport: { width: 1280, height: 800 } })
    // The binary takes long to start on a busy machine.
    page.setDefaultTimeout(90_000)
    cleanUps.push(() => page.close())
    await page.goto(demo.url)
    const say = async (words: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'Message to the agent' }).fill(words)
      await press(page.getByRole('button', { name: 'Send', exact: true }))
    }
    return { api, demo, page, say, tab: demoIn(page) }
  }

  it('shows its questions and its approvals in the chat, and the files that it writes beside it', async () => {
    const asking = call('AskUserQuestion', { questions })
    const writing = call('Write', { file_path: 'colour.txt', content: 'Blue' })
    const again = call('Bash', { command: 'rm colour.txt', description: 'Remove it' })
    const { api, demo, page, say, tab } = await open([
      [asking],
      [writing],
      [text('It is written.')],
      [again],
      [text('Then I keep it.')],
    ])
    expect(demo.output).toContain('The agent is Claude Code')
    await page.getByText('The agent is Claude Code').waitFor()
    await say('Choose a colour')
    await press(tab.radio('Blue'))
    await page.getByRole('region', { name: 'The agent asks for permission: Write' }).waitFor()
    await press(page.getByRole('button', { name: 'Allow once' }))
    await page.getByText('It is written.').waitFor()
    expect(api.resultOf(asking.id)?.text).toContain('Blue')
    expect(await exists(demo.workdir, 'colour.txt')).toBe(true)
    const sandbox = page.getByRole('region', { name: 'Sandbox', exact: true })
    await press(sandbox.getByRole('button', { name: /colour\.txt/ }))
    await sandbox.getByText('Blue', { exact: true }).waitFor()

    // The next message goes on with the same session.
    await say('Remove it')
    await press(page.getByRole('button', { name: 'Deny' }))
    await page.getByText('Then I keep it.').waitFor()
    expect(await exists(demo.workdir, 'colour.txt')).toBe(true)
    expect(api.resultOf(writing.id)).toBeDefined()
    await page.reload()
    await page.getByText('Then I keep it.').waitFor()
    expect(await tab.answers(0)).toEqual(['Blue'])
  }, 300_000)

  it('goes on with its session and its question after a crash', async () => {
    const { api, demo, page, say, tab } = await open([
      [call('AskUserQuestion', { questions })],
      [text('I go on with it.')],
    ])
    await say('Choose a colour')
    await tab.radio('Blue').and(page.locator(':enabled')).waitFor()
    process.kill(await runnerPid(demo.workdir), 'SIGKILL')
    await page.getByText('The agent ended before it was done').waitFor()
    await press(page.getByRole('button', { name: 'Start it again' }))
    await page.getByText('Go on where you stopped').waitFor()
    await press(tab.radio('Blue').and(page.locator(':enabled')))
    await page.getByText('I go on with it.').waitFor()
    expect(api.lastPrompt()).toContain('Blue')
    expect(api.lastPrompt()).toContain('Go on where you stopped')
  }, 300_000)
})

describe('the choice of the agent', () => {
  const refusal = async (args: string[], env: NodeJS.ProcessEnv = {}): Promise<[number, string]> => {
    const main = join(root, 'apps/demo/dist/server/main.js')
    const demo = spawn(process.execPath, [main, ...args], {
      env: { ...process.env, ...withoutClaude, ...env, PORT: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [[code], complaint] = await Promise.all([once(demo, 'exit'), textOf(demo.stderr)])
    return [code, complaint]
  }

  it('says in one line why an agent cannot run', async () => {
    expect(await refusal(['--agent', 'claude'])).toEqual([
      2,
      'Claude Code needs a key: set ANTHROPIC_API_KEY, or start with --agent scripted\n',
    ])
    expect(await refusal(['--agent', 'gpt'])).toEqual([2, '--agent takes claude or scripted, not "gpt"\n'])
    expect(await refusal(['--agnet', 'claude'])).toEqual([
      2,
      expect.stringMatching(/^Unknown option '--agnet'.*\n$/),
    ])
  })
})
