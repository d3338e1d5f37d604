import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import {
  ASKS,
  answer,
  asked,
  kill,
  openPage,
  question,
  saved,
  seen,
  serve,
  told,
  viewOf,
  wordsOf,
} from '../support/ai-chat.ts'
import { aiVersions } from '../support/models/ai-versions.ts'

describe.each(Object.values(aiVersions))('the chat of the guide with ai $name', (version) => {
  it('goes on when the tab is closed and somebody answers elsewhere', async () => {
    const { folder, server, page } = await asked(version)
    await page.chat.stop()
    await answer(server, 'call_1', 'Blue')
    await vi.waitFor(async () =>
      expect((await saved(folder)).at(-1)?.parts).toEqual(
        expect.arrayContaining([expect.objectContaining(told(wordsOf('Blue')))]),
      ),
    )
    expect((await saved(folder)).map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('shows a page that is loaded again the question, its answer, and what follows', async () => {
    const { folder, server, page, sent } = await asked(version)
    const again = openPage(version, server, await saved(folder))
    const resumed = again.chat.resumeStream()
    await seen(again, ASKS, question('input-available'))
    await answer(server, 'call_1', 'Red')
    await Promise.all([sent, resumed])
    for (const each of [page, again])
      await seen(each, ASKS, question('output-available'), told(wordsOf('Red')))
    const later = openPage(version, server, await saved(folder))
    await later.chat.resumeStream()
    await seen(later, ASKS, question('output-available'), told(wordsOf('Red')))
  })

  it.each(['before', 'after'])('goes on after a restart with an answer that is given %s it', async (when) => {
    const { folder, server: first } = await asked(version)
    await kill(first)
    const server = await serve(version.name, folder)
    expect(await viewOf(server, 'call_1')).toMatchObject({ state: 'open', runEnded: true })
    if (when === 'before') await answer(server, 'call_1', 'Blue')
    const page = openPage(version, server, await saved(folder))
    const resumed = page.chat.resumeStream()
    if (when === 'after') {
      await seen(page, ASKS, question('input-available'))
      await vi.waitFor(async () => expect(await viewOf(server, 'call_1')).not.toHaveProperty('runEnded'))
      await answer(server, 'call_1', 'Blue')
    }
    await resumed
    await seen(page, ASKS, question('output-available'), told(wordsOf('Blue')))
    expect(await saved(folder)).toEqual(page.state.messages)

    const next = page.chat.sendMessage({ text: 'And the door.' })
    await seen(page, ASKS, { toolCallId: 'call_2', state: 'input-available' })
    await vi.waitFor(async () => expect(await viewOf(server, 'call_2')).toMatchObject({ state: 'open' }))
    await answer(server, 'call_2', 'Red')
    await next
    await seen(page, ASKS, { toolCallId: 'call_2', state: 'output-available' }, told(wordsOf('Red')))
  })

  it('does not wait for a question whose record was swept', async () => {
    const { folder, server: first } = await asked(version)
    await kill(first)
    await rm(join(folder, 'workdir/.sandagent/questions'), { recursive: true })
    const server = await serve(version.name, folder)
    const page = openPage(version, server, await saved(folder))
    await page.chat.resumeStream()
    await seen(page, ASKS, question('output-error'), { text: expect.stringContaining('no record of it') })
  })
})
