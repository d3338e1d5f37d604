import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PNG } from '../support/attachments/place.ts'
import { describeInEngines } from '../support/engines/engines.ts'
import { askOnPage } from '../support/engines/question-page.ts'

describeInEngines('files of an answer', (openTab) => {
  it('are chosen, pasted and dropped, and arrive in every browser', async () => {
    const page = await askOnPage('Files')
    const tab = await openTab()
    await tab.driver.goto(page.url)
    await tab.see({ role: 'button', name: 'Add files' }, ({ isEnabled }) => isEnabled)

    const folder = await mkdtemp(join(tmpdir(), 'sandagent-files-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'chosen.png')
    await writeFile(path, PNG)
    await tab.driver.choose('input[type=file]:not([capture])', path)
    await tab.see({ role: 'button', name: 'Remove chosen.png' })

    await tab.driver.run(giveFile, 'paste', 'pasted.png', 'image/png', [...PNG, 2])
    await tab.see({ role: 'button', name: 'Remove pasted.png' })
    await tab.driver.run(giveFile, 'drop', 'dropped.pdf', 'application/pdf', [...Buffer.from('%PDF-1.7 x')])
    await tab.see({ role: 'button', name: 'Remove dropped.pdf' })
    // Both images are drawn.
    const drawn = (): number =>
      [...document.querySelectorAll<HTMLImageElement>('.sa-question li img')].filter(
        ({ naturalWidth }) => naturalWidth === 1,
      ).length
    await expect.poll(() => tab.driver.run(drawn)).toBe(2)

    await tab.click('button', 'Send answer')
    const { responses } = await page.outcome
    expect(responses.shot).toMatchObject({
      files: [
        { name: 'chosen.png', mediaType: 'image/png', path: expect.any(String) },
        { name: 'pasted.png', mediaType: 'image/png', path: expect.any(String) },
        { name: 'dropped.pdf', mediaType: 'application/pdf', path: expect.any(String) },
      ],
    })
  })
})

/** Runs in the page: hands a file to the question, as the clipboard or the mouse does. */
function giveFile(type: 'paste' | 'drop', name: string, mediaType: string, bytes: number[]): void {
  const data = new DataTransfer()
  data.items.add(new File([new Uint8Array(bytes)], name, { type: mediaType }))
  const event = new Event(type, { bubbles: true, cancelable: true })
  // Not every engine takes the data of a made event.
  Object.defineProperty(event, type === 'paste' ? 'clipboardData' : 'dataTransfer', { value: data })
  document.querySelector('.sa-question textarea')?.dispatchEvent(event)
}
