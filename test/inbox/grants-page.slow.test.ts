import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { axeFaults } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox } from '../support/browser/strict-page.ts'
import { main, startInbox } from '../support/servers/inbox-server.ts'

const browser = sharedChromium()

it.skipIf(!chromiumPath)('the inbox allows more than one call, shows that, and takes it back', async () => {
  const [workdir, config] = [await tempDir(), await tempDir()]
  const env = { XDG_CONFIG_HOME: config }
  const scenario = join(workdir, 'scenario.json')
  const names = ['one.js', 'two.js', 'three.js']
  for (const name of names) await writeFile(join(workdir, name), 'console.log(1)')
  const steps = [
    ...names.slice(0, 2).map((name) => ({ run: { command: 'node', args: [name], needsApproval: true } })),
    { run: { command: 'ls', needsApproval: true } },
    { run: { command: 'node', args: ['three.js'], needsApproval: true } },
  ]
  await writeFile(scenario, JSON.stringify({ title: 'Three programs', steps }))
  const { link } = await startInbox(['--workdir', workdir], { env })
  const page = await openInbox(browser(), link)
  const args = [
    main,
    'run',
    '--agent',
    'scripted',
    '--scenario',
    scenario,
    '--workdir',
    workdir,
    '--format',
    'stream',
  ]
  const running = promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
  running.catch(() => {})

  const form = page.locator('.sa-ask')
  await form.locator('pre', { hasText: 'node one.js' }).waitFor()
  await form.getByText('Allow more than this call').click()
  expect(await axeFaults(page)).toEqual([])
  await form
    .getByRole('button', { name: /^Every command that starts with node, until this run ends/ })
    .click()
  // The second program has run without a question.
  await form.locator('pre', { hasText: /^ls$/ }).waitFor()
  await page.getByRole('button', { name: 'Settings' }).click()
  const given = page.getByRole('region', { name: 'Permissions given' })
  await given.getByText(/used once/).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await given.getByRole('button', { name: /^Take back: Every command/ }).click()
  await given.getByText(/taken back by/).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await form.getByRole('button', { name: 'Deny' }).click()
  await form.locator('pre', { hasText: 'node three.js' }).waitFor()
  await form.getByText(/The permission for every command that starts with .node. was taken back by/).waitFor()
  await form.getByRole('button', { name: 'Deny' }).click()
  await running
})
