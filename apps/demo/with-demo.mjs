import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findCommand } from '../../scripts/find-command.mjs'
import { root } from '../../scripts/run.mjs'

/**
 * Serves the demo that was built last, in a folder of its own, and opens the system's Chromium, until `use` is done.
 *
 * @param {(browser: import('playwright-core').Browser, address: string) => Promise<void>} use
 */
export async function withDemo(use) {
  const workdir = mkdtempSync(join(tmpdir(), 'greeter-'))
  const server = spawn(
    process.execPath,
    [join(root, 'apps/demo/dist/server/main.js'), '--agent', 'scripted'],
    {
      env: { ...process.env, PORT: '0', SANDAGENT_WORKDIR: workdir },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const browser = await chromium.launch({
    executablePath: findCommand('chromium') ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    await use(browser, await addressOf(server.stdout))
  } finally {
    await browser.close()
    server.kill()
    server.on('exit', () => rmSync(workdir, { recursive: true }))
  }
}

/**
 * @param {import('node:stream').Readable} output
 * @returns {Promise<string>} the address that the demo prints when it is ready
 */
async function addressOf(output) {
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    const address = /ready (\S+)/.exec(String(chunk))?.[1]
    if (address) return address
  }
  throw new Error('The demo ended before it was ready')
}
