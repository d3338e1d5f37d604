import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { type InboxServer, main, startInbox } from '../servers/inbox-server.ts'

/** What {@link passkeyInbox} gives. */
export interface PasskeyInbox {
  workdir: string
  /** The folder of the audit log. */
  audit: string
  server: InboxServer
  /** Runs `sandagent` as the user of the inbox. */
  command(...args: string[]): Promise<{ stdout: string }>
  /** A code by which Ada registers a passkey. */
  code(): Promise<string>
  /** Registers a passkey of the page's authenticator for Ada. */
  register(page: Page): Promise<void>
  /**
   * Runs the agent under the policy. @param inbox the address that the run takes passkeys from; `null` for a run that checks
   * none
   */
  startScript(inbox?: string | null): Promise<{ ended: Promise<unknown> }>
}

const POLICY = [{ for: { tools: ['Bash'] }, passkey: true }, {}]

/**
 * An inbox under a policy that demands passkeys, and commands of the same user.
 *
 * @param names the files that the agent makes, each by a call of its own
 */
export async function passkeyInbox(names: readonly string[]): Promise<PasskeyInbox> {
  const [workdir, config, audit] = [await tempDir(), await tempDir(), await tempDir()]
  const policy = join(config, 'policy.json')
  const scenario = join(config, 'scenario.json')
  const steps = names.map((name) => ({
    run: { command: 'touch', args: [name], needsApproval: true },
  }))
  await writeFile(policy, JSON.stringify(POLICY))
  await writeFile(scenario, JSON.stringify({ title: 'Files', steps }))
  const env: Record<string, string> = { XDG_CONFIG_HOME: config }
  const command = (...args: string[]) =>
    promisify(execFile)(process.execPath, [main, ...args], { env: { ...process.env, ...env } })
  const words = [
    '--host',
    'localhost',
    '--workdir',
    workdir,
    '--policy',
    policy,
    '--name',
    'Ada',
    '--audit',
    audit,
  ]
  const server = await startInbox(words, { env })
  const code = async () =>
    /inbox: (\S+)/.exec((await command('passkeys', 'add', '--name', 'Ada')).stdout)?.[1] ?? ''
  return {
    ...{ workdir, audit, server, command, code },
    async register(page) {
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByLabel('Code of the terminal').fill(await code())
      await page.getByRole('button', { name: 'Register a passkey' }).click()
      await page.getByText(/^Registered/).waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
    },
    async startScript(inbox = server.origin) {
      const running = command(
        'run',
        ...(inbox === null ? [] : ['--policy', policy, '--inbox', inbox]),
        '--agent',
        'scripted',
        '--scenario',
        scenario,
        '--workdir',
        workdir,
        '--format',
        'stream',
      )
      // A test that ends in the middle of the script ends the script too.
      const gone = running.catch(() => {})
      onTestFinished(async () => {
        running.child.kill('SIGTERM')
        await gone
      })
      return { ended: running }
    },
  }
}
