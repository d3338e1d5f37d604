// Takes the pictures of the inbox that its guides show.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LocalSandbox, startRun, stopRun } from '@sandagent/sdk'
import { chromium } from 'playwright-core'
import { findCommand } from '../../scripts/find-command.mjs'
import { root } from '../../scripts/run.mjs'

const images = join(root, 'docs/images')
const wide = join(images, 'inbox.png')
const narrow = join(images, 'inbox-phone.png')
const main = join(root, 'packages/cli/dist/main.js')
const home = mkdtempSync(join(tmpdir(), 'sandagent-inbox-'))
process.env.XDG_CONFIG_HOME = join(home, '.config')
const env = { ...process.env, HOME: home }

/** What the agents say and ask, by the names of their folders. */
const agents = {
  blog: [
    { say: 'Three posts have no pictures.' },
    {
      ask: {
        as: 'x',
        questions: [
          {
            question: 'Shall I draw the pictures, or leave the posts as they are?',
            options: [{ label: 'Draw them' }, { label: 'Leave them' }],
          },
        ],
      },
    },
  ],
  docs: [
    { say: 'The old pages are still linked from two places.' },
    {
      ask: {
        as: 'x',
        questions: [
          {
            question: 'What happens to the old addresses?',
            options: [{ label: 'Redirect' }, { label: 'Remove' }],
          },
          { question: 'Until when?' },
        ],
      },
    },
  ],
  shop: [
    { say: 'I looked at the shop. The orders are in one file of 2 GB, and each request reads all of it.' },
    { write: { path: 'notes.md', content: 'The orders need a database.' } },
    { say: 'I can move them within the hour. The place is your decision.' },
    {
      ask: {
        as: 'x',
        questions: [
          {
            header: 'Database',
            question: 'Which database should the orders go to?',
            options: [
              { label: 'Postgres (Recommended)', description: 'As in the other services' },
              { label: 'SQLite', description: 'One file, and no server' },
            ],
          },
        ],
      },
    },
  ],
}

const runs = []
for (const [name, steps] of Object.entries(agents)) {
  const sandbox = new LocalSandbox({ workdir: join(home, name), isolation: 'none', onIsolation: () => {} })
  const scenario = join(home, `${name}.json`)
  writeFileSync(scenario, JSON.stringify({ title: name, steps }))
  const args = ['--scenario', scenario, ...(name === 'docs' ? ['--timeout-ms', '600000'] : [])]
  const request = {
    agent: 'scripted',
    args,
    prompt: `Tidy up the ${name}.`,
    runner: /** @type {const} */ ([process.execPath, main]),
  }
  runs.push({ sandbox, run: await startRun(sandbox, request, { onError: () => {} }) })
}
const server = spawn(process.execPath, [main, 'serve', '--port', '0'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const browser = await chromium.launch({
  executablePath: findCommand('chromium') ?? '',
  args: ['--no-sandbox'],
})
try {
  let output = ''
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk
    if (output.includes('/login?link=')) break
  }
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1.5 })
  await page.goto(/http\S+link=\S+/.exec(output)?.[0] ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Open 3' }).waitFor()
  await page.getByRole('link', { name: /Which database/ }).click()
  await page.locator('.sa-fields:enabled').waitFor()
  await page.getByText('I can move them within the hour').waitFor()
  await page.locator('.edits summary').click()
  await page.mouse.move(0, 0)
  await page.screenshot({ path: wide })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.locator('.edits summary').click()
  await page.getByText('2 GB').scrollIntoViewIfNeeded()
  await page.screenshot({ path: narrow })
} finally {
  await browser.close()
  for (const { sandbox, run } of runs) await stopRun(sandbox, run.runId)
  server.kill()
  await once(server, 'exit')
  rmSync(home, { recursive: true })
}
for (const path of [wide, narrow]) console.log(`${path}: ${Math.round(statSync(path).size / 1000)} kB`)
