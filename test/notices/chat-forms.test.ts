import { json } from 'node:stream/consumers'
import { createMemoryState } from '@chat-adapter/state-memory'
import { createWhatsAppAdapter } from '@chat-adapter/whatsapp'
import { listen } from '@sandagent/fixtures/listen.ts'
import { createInbox } from '@sandagent/inbox'
import { createChatSink } from '@sandagent/notices/chat'
import { approvalIn } from '@sandagent/runner'
import { type Adapter, Chat } from 'chat'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { approval, colours, given, LINK, noticeTo, tags } from '../support/chat/asked.ts'
import { asRead, chatOffice, labelsOf } from '../support/chat/chat-office.ts'
import { playedDiscord } from '../support/chat/played-discord.ts'
import { playedSlack } from '../support/chat/played-slack.ts'
import { playedTelegram } from '../support/chat/played-telegram.ts'
import { quiet } from '../support/chat/quiet-logger.ts'

describe('a form in Slack', () => {
  it('takes words of one’s own, beside options with commas', async () => {
    const platform = await playedSlack()
    const { ask, click, submit } = await chatOffice(platform)
    const { outcome, message } = await ask({ questions: colours })
    await click(message, 'Something else…')
    expect(platform.forms.at(-1)?.fields).toMatchObject([
      { label: 'Which colour?', options: ['Red, dark', 'Blue'] },
      { label: 'Something else' },
    ])
    expect((await submit({ '0-text': ' Green, or <none> ' })).status).toBe(200)
    expect(given(await outcome)).toEqual({ selected: [], freeText: 'Green, or <none>', source: 'human' })
  })

  it('takes words beside the options that were picked in the message, also after a restart', async () => {
    const platform = await playedSlack()
    const { ask, click, submit, restart } = await chatOffice(platform)
    const { outcome, message } = await ask({ questions: tags })
    await click(message, 'a, b')
    await click(message, 'Something else…')
    expect(platform.forms.at(-1)?.texts.join()).toContain('✓ a, b')
    await restart()
    await submit({ '0-text': 'e' })
    expect(given(await outcome)).toMatchObject({ selected: ['a, b'], freeText: 'e' })
  })

  it('shows options that its list would cut above it, and takes them by their numbers', async () => {
    const platform = await playedSlack()
    const { ask, click, submit } = await chatOffice(platform)
    const description = 'a:'.repeat(37)
    const { outcome, message } = await ask({
      questions: [
        { id: 'q1', question: 'Which?', options: [{ label: 'A', description }, { label: ':'.repeat(75) }] },
        { id: 'q2', question: 'Why?', required: false },
      ],
    })
    await click(message, 'Answer…')
    const [form] = platform.forms
    expect(form?.texts.join().replaceAll('\u200b', '')).toContain(`1. A\n${description}`)
    const options = form?.fields[0]?.options ?? []
    expect(options.map((text) => text.slice(0, 3))).toEqual(['1. ', '2. '])
    for (const text of options) expect(text.length).toBeLessThanOrEqual(75)
    await submit({ '0-pick': '1' })
    expect(given(await outcome)).toMatchObject({ selected: [':'.repeat(75)] })
  })

  it('takes the note of a decision', async () => {
    const platform = await playedSlack()
    const { ask, click, submit } = await chatOffice(platform)
    const { outcome, message } = await ask(approval)
    await click(message, 'With a note…')
    expect(platform.forms.at(-1)?.texts.join()).toContain('npm publish')
    await submit({ '0-pick': '1', note: 'Use the copy' })
    expect(approvalIn(await outcome)).toEqual({ decision: 'deny', note: 'Use the copy' })
  })

  it('takes several questions, and says what is missing', async () => {
    const platform = await playedSlack()
    const { ask, click, submit } = await chatOffice(platform)
    const { outcome, message } = await ask({
      questions: [
        ...colours,
        { id: 'q2', question: 'Why?' },
        { id: 'q3', question: 'How many?', typed: { kind: 'number', max: 3 }, required: false },
      ],
    })
    expect(labelsOf(message)).toEqual(['Answer…', 'Decline', 'Open'])
    await click(message, 'Answer…')
    expect(JSON.stringify(platform.forms.at(-1)?.view)).toContain('"a number, at most 3"')
    const missing = await submit({ '0-pick': '0' })
    expect(await missing.json()).toMatchObject({
      response_action: 'errors',
      errors: { '1-text': expect.any(String) },
    })
    const wrong = await submit({ '0-pick': '0', '1-text': 'So', '2-text': 'four' })
    expect(await wrong.json()).toMatchObject({ errors: { '2-text': expect.stringContaining('at most 3') } })
    await submit({ '0-pick': '0', '1-text': 'So', '2-text': '3' })
    expect(await outcome).toMatchObject({
      responses: { q1: { selected: ['Red, dark'] }, q2: { freeText: 'So' }, q3: { freeText: '3' } },
    })
  })

  it('of a stranger, or about a question that has ended, says so and takes nothing', async () => {
    const platform = await playedSlack()
    const { ask, click, submit, inbox } = await chatOffice(platform, { policy: [{ votes: 2 }] })
    const { outcome, message } = await ask({ questions: colours })
    await click(message, 'Something else…')
    const strange = await submit({ '0-text': 'Mine' }, 'U66')
    expect(await strange.json()).toMatchObject({
      errors: { '0-pick': 'You are not among the people who may answer this.' },
    })
    const vote = await submit({ '0-pick': '1' })
    expect(JSON.stringify(await vote.json())).toContain('Your answer is a vote.')
    await submit({ '0-pick': '1' }, 'U43')
    await outcome
    const late = await submit({ '0-text': 'Late' })
    expect(JSON.stringify(await late.json())).toContain('This has been answered')
    const { questions } = await inbox.history()
    expect(questions[0]?.question.responses).toMatchObject({ q1: { selected: ['Blue'] } })
  })

  it('that cannot be stored is told so, and stays open', async () => {
    const platform = await playedSlack()
    const { ask, click, submit, inbox } = await chatOffice(platform)
    const { outcome, message } = await ask({ questions: [{ id: 'q1', question: 'Why?' }] })
    await click(message, 'Answer…')
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => logged.mockRestore())
    vi.spyOn(inbox, 'submit').mockRejectedValueOnce(new Error('No space left'))
    const refused = await submit({ '0-text': 'So' })
    expect(await refused.json()).toMatchObject({
      response_action: 'errors',
      errors: { '0-text': 'This was not taken. Try again, or answer on the page.' },
    })
    expect(logged.mock.calls.flat().join()).toContain('No space left')
    await submit({ '0-text': 'So' })
    expect(given(await outcome)).toMatchObject({ freeText: 'So' })
  })

  it('of an approval that is too long for Slack to show at once is not opened', async () => {
    const platform = await playedSlack()
    const { ask } = await chatOffice(platform)
    const stopping = new AbortController()
    const input = { command: 'npm '.repeat(80) }
    const { outcome, message } = await ask(
      { ...approval, subject: { toolName: 'Bash', input } },
      { signal: stopping.signal },
    )
    expect(labelsOf(message)).toEqual(['Open'])
    stopping.abort()
    await outcome
  })
})

it.each([playedTelegram, playedDiscord])(
  'where there are no forms, a question without options has the link',
  async (play) => {
    const platform = await play()
    const { ask, click } = await chatOffice(platform)
    const { outcome, message } = await ask({ questions: [{ id: 'q1', question: 'Which port?' }] })
    expect(labelsOf(message)).toEqual(['Decline', 'Open'])
    expect(asRead(platform, message.text)).toContain('This chat cannot take the answer. Give it on the page.')
    await click(message, 'Decline')
    await outcome
  },
)

it('a bot that has no public address finds clicks, also those before its host has sent anything', async () => {
  const platform = await playedTelegram({ hasWebhook: false })
  const { ask, restart, ended } = await chatOffice(platform)
  const { outcome, message } = await ask({ questions: colours })
  await restart()
  platform.put(platform.click(message, message.buttons[1], '42'))
  expect(given(await outcome)).toMatchObject({ selected: ['Blue'] })
  await ended(message, 'Answered by `Ada`.')
})

it('a click that fails is told to be tried again', async () => {
  const platform = await playedDiscord()
  const { ask, click, lastSaid } = await chatOffice(platform)
  const { outcome, message } = await ask({ questions: tags })
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => logged.mockRestore())
  platform.failures.push(500)
  await click(message, 'c')
  expect(lastSaid()).toContain('This was not taken. Try again, or answer on the page.')
  expect(logged).toHaveBeenCalledOnce()
  await click(message, 'c')
  await click(message, 'Send')
  expect(given(await outcome)).toMatchObject({ selected: ['c'] })
})

it('so many questions that a platform refuses the message have the link', async () => {
  const platform = await playedSlack()
  const { sink } = await chatOffice(platform)
  const questions = Array.from({ length: 60 }, (_, index) => ({ id: `q${index}`, question: 'Why?' }))
  await sink().send(noticeTo('slack:U42', { questions }), { signal: AbortSignal.timeout(30_000) })
  expect(platform.messages.flatMap(labelsOf)).toEqual(['Open'])
})

it.each([
  ['a secret is not asked for in a chat, which would read it', { secret: true }],
  ['files alone are not asked for in a chat, which could not take them', { files: {}, allowFreeText: false }],
])('%s', async (_, more) => {
  const platform = await playedSlack()
  const { sink } = await chatOffice(platform)
  const questions = [{ id: 'q1', question: 'The password?', ...more }]
  await sink().send(noticeTo('slack:U42', { questions }), { signal: AbortSignal.timeout(30_000) })
  expect(platform.messages.flatMap(labelsOf)).toEqual(['Decline', 'Open'])
})

it('a platform of which we do not know how it shows text gets the link, and no words', async () => {
  const posted: { interactive?: unknown }[] = []
  const apiUrl = await listen(async (request, response) => {
    posted.push((await json(request)) as (typeof posted)[number])
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ messages: [{ id: 'wamid.1' }] }))
  })
  const whatsapp = createWhatsAppAdapter({
    ...{ apiUrl, accessToken: 'T', appSecret: 'S', phoneNumberId: '1', verifyToken: 'V', logger: quiet },
  }) as Adapter
  const chat = new Chat({
    userName: 'bot',
    adapters: { whatsapp },
    state: createMemoryState(),
    logger: quiet,
  })
  const inbox = createInbox({ sandboxes: [], signingKeys: null })
  const sink = createChatSink({ chat, inbox, authorize: () => null })
  await sink.send(noticeTo('whatsapp:4912345'), { signal: AbortSignal.timeout(30_000) })
  const text = JSON.stringify(posted)
  expect(text).toContain('An agent in my shop has a question')
  expect(text).toContain(LINK)
  expect(text).not.toContain('colour')
  await chat.shutdown()
})

describe('a message that a platform refuses', () => {
  it.each([
    [429, { code: 'RATE_LIMITED', facts: { retryAfterMs: 7000 } }],
    [403, { code: 'FORBIDDEN' }],
    [500, { code: 'NETWORK_ERROR' }],
  ])(
    'with the status %i of Telegram fails so that notices know whether to try again',
    async (status, failure) => {
      const platform = await playedTelegram()
      const { sink } = await chatOffice(platform)
      platform.failures.push(status)
      const sending = sink().send(noticeTo('telegram:42'), { signal: AbortSignal.timeout(30_000) })
      await expect(sending).rejects.toMatchObject(failure)
    },
  )

  it.each(['', 'ada', 'telegram:', 'teams:29'])(
    'has no address %j that the Chat can reach',
    async (address) => {
      const { sink } = await chatOffice(await playedTelegram())
      const sending = sink().send(noticeTo(address), { signal: AbortSignal.timeout(30_000) })
      await expect(sending).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    },
  )
})

it('a message for a host on this machine alone has its link as text, which Telegram takes', async () => {
  const platform = await playedTelegram()
  const { sink } = await chatOffice(platform)
  const link = 'http://localhost:4000/answer#token=t_1'
  await sink().send({ ...noticeTo('telegram:42'), link }, { signal: AbortSignal.timeout(30_000) })
  expect(platform.messages[0]?.buttons.filter(({ url }) => url)).toEqual([])
  expect(asRead(platform, platform.messages[0]?.text ?? '')).toContain(link)
})

it('a click right before a question ends leaves no buttons behind', async () => {
  const platform = await playedDiscord()
  const { ask, arrive, inbox } = await chatOffice(platform)
  const { outcome, message } = await ask({ toolCallId: 'call', questions: tags })
  const click = platform.click(message, message.buttons[0], '42')
  const responses = { q1: { selected: ['c'], source: 'human' as const } }
  const answer = { toolCallId: 'call', status: 'completed' as const, responses }
  await Promise.all([arrive(click), inbox.submit('shop', answer, { answeredBy: 'Ben' })])
  await outcome
  await vi.waitFor(() => expect(message.buttons).toEqual([]))
})
