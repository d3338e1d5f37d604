import { askUser } from '@sandagent/runner'
import { describe, expect, it, onTestFinished } from 'vitest'
import { answerWithFile, PNG } from '../support/attachments/place.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox } from '../support/browser/strict-page.ts'
import { startInbox } from '../support/servers/inbox-server.ts'
import { createWorkspace } from '../support/workspace.ts'

const LARGE = Buffer.concat([PNG, Buffer.alloc(1_200_000)])

describe.skipIf(!chromiumPath)('the history of the inbox', () => {
  const browser = sharedChromium()

  it('shows the images of an answer, and a large one only to who wants it', async () => {
    const { sandbox, channel } = await createWorkspace()
    const ask = async (toolCallId: string, bytes: Buffer, name: string): Promise<void> => {
      const questions = [{ id: 'q', question: `Which file is ${name}?`, files: {} }]
      const asked = askUser(channel, { toolCallId, runId: 'run-1', questions })
      await answerWithFile(sandbox, toolCallId, bytes, name)
      await asked
    }
    await ask('small', PNG, 'small.png')
    await ask('large', LARGE, 'large.png')
    const { link } = await startInbox(['--workdir', sandbox.workdir])
    const context = await browser().newContext()
    onTestFinished(() => context.close())
    const page = await openInbox(context, link)
    const fetched: string[] = []
    page.on('request', (request) => {
      const file = new URL(request.url()).searchParams.get('file')
      if (file) fetched.push(file)
    })
    await page.getByRole('link', { name: 'History' }).click()
    const files = page.getByRole('list', { name: 'Files' })

    await page.getByRole('link', { name: /small\.png/ }).click()
    await files.locator('img').waitFor()
    expect(fetched).toHaveLength(1)

    await page.getByRole('link', { name: /large\.png/ }).click()
    await files.filter({ hasText: 'large.png' }).waitFor()
    const show = page.getByRole('button', { name: 'Show large.png' })
    await show.waitFor()
    expect(fetched).toHaveLength(1)
    await show.click()
    await files.locator('img').waitFor()
    expect(fetched).toHaveLength(2)
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/history.png` })
  })
})
