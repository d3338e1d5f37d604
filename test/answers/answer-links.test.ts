import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { askUser } from '@sandagent/runner'
import { press } from '@sandagent/testing/playwright'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'

const questions = [
  { question: 'Which <b>language</b>?', options: [{ label: 'TypeScript' }, { label: 'Py<i>thon' }] },
  { question: 'Which extras?', multiSelect: true, options: [{ label: 'Tests' }, { label: 'Docs' }] },
  { question: 'Anything else?', required: false },
]

describe.skipIf(chromiumPath === undefined)('examples/answer-links', () => {
  const browser = sharedChromium()

  it('mails a link to a form, by which one answers once', async () => {
    const workdir = await tempDir()
    const host = spawn(process.execPath, [join(root, 'examples/answer-links/host.mjs'), workdir], {
      env: { ...process.env, PORT: '0', TO: 'ada@example.com' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(host, 'exit')
    onTestFinished(async () => {
      host.kill('SIGKILL')
      await ended
    })
    const request = { toolCallId: 'toolu_1', runId: 'run', questions }
    const outcome = askUser(createFileRunnerChannel({ workdir }), request)
    const [line] = await once(createInterface({ input: host.stdout }), 'line')
    const mail: { to: string; text: string } = JSON.parse(line)
    expect(mail.to).toBe('ada@example.com')
    expect(mail.text).toContain('> Which <b>language</b>?')
    const link = /http:\S+$/.exec(mail.text)?.[0] as string

    const page = await browser().newPage()
    onTestFinished(() => page.close())
    await page.goto(link)
    await press(page.getByLabel('Py<i>thon'))
    await press(page.getByLabel('Docs'))
    await press(page.getByRole('button', { name: 'Send' }))
    await page.getByText('Thank you').waitFor()
    expect(await outcome).toMatchObject({
      kind: 'partial',
      answeredBy: 'ada@example.com',
      responses: { q1: { selected: ['Py<i>thon'] }, q2: { selected: ['Docs'] }, q3: { skipped: true } },
    })

    const again = await browser().newPage()
    onTestFinished(() => again.close())
    await again.goto(link)
    await again.getByText('link used up').waitFor()
    expect(await again.getByRole('button').count()).toBe(0)
  })
})
