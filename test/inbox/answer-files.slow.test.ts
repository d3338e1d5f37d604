import { createInbox } from '@sandagent/inbox'
import { askUser } from '@sandagent/runner'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PNG, sha256 } from '../support/attachments/place.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox, openStrictly } from '../support/browser/strict-page.ts'
import { startInbox } from '../support/servers/inbox-server.ts'
import { createWorkspace } from '../support/workspace.ts'

const QUESTION = { id: 'q', question: 'What does the page show?', files: {} }
const FILE = { name: 'screen.png', mediaType: 'image/png', sha256: sha256(PNG), path: expect.any(String) }

describe.skipIf(!chromiumPath)('a file for an agent', () => {
  const browser = sharedChromium()

  /** Asks in a folder that an inbox serves. */
  async function asking() {
    const { sandbox, channel } = await createWorkspace()
    const outcome = askUser(channel, { toolCallId: 'c1', runId: 'run-1', questions: [QUESTION] })
    const server = await startInbox(['--workdir', sandbox.workdir])
    return { sandbox, server, outcome }
  }

  async function give(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Add files' }).waitFor()
    await page
      .locator('input[type=file]:not([capture])')
      .setInputFiles({ name: 'screen.png', mimeType: 'image/png', buffer: PNG })
    await page.getByRole('list', { name: 'Files' }).locator('img').waitFor()
    await page.getByRole('button', { name: 'Send answer' }).click()
  }

  it('is chosen in the inbox, and the agent gets its path', async () => {
    const { server, outcome } = await asking()
    const page = await openInbox(await browser().newContext(), server.link)
    await page.getByRole('link', { name: /What does the page show/ }).click()
    await give(page)
    // The line of what is on its way names the file.
    await page
      .getByText(/screen\.png/)
      .first()
      .waitFor()
    const { responses } = await outcome
    expect(responses.q).toMatchObject({ files: [FILE] })
  })

  it('is chosen on the page of an answer link', async () => {
    const { sandbox, server, outcome } = await asking()
    const id = sandbox.workdir
    const inbox = createInbox({ sandboxes: [{ id, name: 'shop', sandbox }] })
    const link = await inbox.answerLink(id, {
      toolCallId: 'c1',
      page: `${server.origin}/answer`,
      answeredBy: 'Ada',
    })
    await give(await openStrictly(browser(), link))
    const { responses } = await outcome
    expect(responses.q).toMatchObject({ files: [FILE] })
  })
})
