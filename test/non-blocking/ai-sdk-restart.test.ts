import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, vi } from 'vitest'
import { answer, kill, openPage, seen, serve, viewOf } from '../support/ai-chat.ts'
import { aiVersions } from '../support/models/ai-versions.ts'

it('a chat whose server was killed comes back to its question, and its model is told the answer', async () => {
  const version = aiVersions['7']
  const folder = await tempDir()
  const first = await serve('7', folder, 'tickets')
  const page = openPage(version, first)
  await page.chat.sendMessage({ text: 'Paint it.' })
  expect(JSON.stringify(page.state.messages)).toContain('I was told: The user has not answered yet')
  const comesBack = { state: 'open', blocking: false, comesBack: true, runEnded: true }
  await vi.waitFor(async () => expect(await viewOf(first, 'call_1')).toMatchObject(comesBack))
  await kill(first)

  const second = await serve('7', folder, 'tickets')
  expect(await viewOf(second, 'call_1')).toMatchObject(comesBack)
  await answer(second, 'call_1', 'Blue')
  const again = openPage(version, second, page.state.messages)
  await again.chat.sendMessage({ text: 'And now?' })
  await seen(again, { type: 'text', text: expect.stringMatching(/^I was told: .*Which colour\?": "Blue"/s) })
  expect(await viewOf(second, 'call_1')).toMatchObject({ state: 'answered' })
})
