import { describe, expect, it, vi } from 'vitest'
import {
  ASKS,
  answer,
  asked,
  kill,
  measured,
  openPage,
  question,
  restarted,
  saved,
  seen,
  serve,
  timesIn,
  told,
  viewOf,
  wordsOf,
} from '../support/ai-chat.ts'
import { aiVersions } from '../support/models/ai-versions.ts'

const LOST = { ...measured('output-error'), errorText: expect.stringContaining('Whether it had an effect') }

describe.each(Object.values(aiVersions))('after a restart, the chat with ai $name', (version) => {
  it.each([
    ['before the question', 'Measure first', [measured('output-available'), ASKS], 3],
    ['beside the question', 'Measure at once', [measured('output-available')], 2],
  ] as const)('runs no tool again that had a result %s', async (_, text, before, steps) => {
    const { folder, server: first } = await asked(version, text, ...before)
    const { server, page, resumed } = await restarted(version, folder, first)
    await seen(page, ...before, question('input-available'))
    await answer(server, 'call_1', 'Blue')
    await resumed
    await seen(page, ...before, question('output-available'), told('3 m', wordsOf('Blue')))
    expect(await timesIn(folder, 'measured.txt')).toBe(1)
    expect(await timesIn(folder, 'asked-model.txt')).toBe(steps)
    expect(await saved(folder)).toEqual(page.state.messages)
  })

  it('does not run a tool again whose result is not known', async () => {
    const { folder, server: first } = await asked(
      version,
      'Measure at once, for ever',
      measured('input-available'),
    )
    const { server, page, resumed } = await restarted(version, folder, first)
    await seen(page, LOST, question('input-available'))
    await answer(server, 'call_1', 'Blue')
    await resumed
    const words = { text: expect.stringContaining('Look before you call it again') }
    expect(page.state.messages.at(-1)?.parts.at(-1)).toMatchObject(words)
    expect(await timesIn(folder, 'measured.txt')).toBe(1)
  })

  it('is the same after many restarts', async () => {
    const { folder, server: first } = await asked(
      version,
      'Measure first',
      measured('output-available'),
      ASKS,
    )
    let { server, page, resumed } = await restarted(version, folder, first)
    for (let restart = 0; restart < 2; restart++) {
      await seen(page, measured('output-available'), ASKS, question('input-available'))
      const next = await restarted(version, folder, server)
      await resumed.catch(() => {})
      ;({ server, page, resumed } = next)
    }
    await answer(server, 'call_1', 'Blue')
    await resumed
    await seen(
      page,
      measured('output-available'),
      ASKS,
      question('output-available'),
      told('3 m', wordsOf('Blue')),
    )
    expect(await timesIn(folder, 'measured.txt')).toBe(1)
    expect(await timesIn(folder, 'asked-model.txt')).toBe(3)
  })

  it.each([
    ['withdraws the question', null],
    ['keeps an answer that was given', 'Blue'],
  ])('replies to another message, and %s', async (_, given) => {
    const before = [measured('output-available'), ASKS]
    const { folder, server: first } = await asked(version, 'Measure first', ...before)
    await kill(first)
    const server = await serve(version.name, folder)
    if (given !== null) await answer(server, 'call_1', given)
    const page = openPage(version, server, await saved(folder))
    const sent = page.chat.sendMessage({ text: 'No, the door.' })
    await seen(page, ASKS, { toolCallId: 'call_2', state: 'input-available' })
    expect(await viewOf(server, 'call_1')).toMatchObject({ state: given === null ? 'aborted' : 'answered' })
    await vi.waitFor(async () => expect(await viewOf(server, 'call_2')).toMatchObject({ state: 'open' }))
    await answer(server, 'call_2', 'Red')
    await sent
    const parts = (await saved(folder)).map(({ parts }) => parts.filter(({ type }) => type !== 'step-start'))
    expect(parts).toMatchObject([
      [{ text: 'Measure first' }],
      [...before, question(given === null ? 'output-error' : 'output-available')],
      [{ text: 'No, the door.' }],
      [ASKS, { toolCallId: 'call_2', state: 'output-available' }, told(wordsOf('Red'))],
    ])
  })
})
