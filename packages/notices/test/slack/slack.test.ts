import type { OpenRecord } from '@sandagent/core/internal'
import type { Policy } from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import type { InputBlock, ModalView } from '@slack/types'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Notice } from '../../src/notice.ts'
import { exampleNotice, patience, SECRET } from '../example-notice.ts'
import { buttonsOf, fakeSlack, slackOffice } from './fake-slack.ts'

const ada = { name: 'Ada', address: 'U1' }

describe('a message in Slack', () => {
  it('says only where an agent asks, and has the link', async () => {
    const { sink, calls } = await fakeSlack()
    const sent = await sink.send(exampleNotice({ person: ada, sandboxName: 'A <!here> & B' }), {
      signal: patience,
    })
    expect(calls).toMatchObject([
      {
        method: 'chat.postMessage',
        body: {
          channel: 'U1',
          text: 'An agent in A &lt;!here&gt; &amp; B has a question',
          unfurl_links: false,
        },
      },
    ])
    expect(JSON.stringify(calls)).not.toContain(SECRET)
    expect(JSON.stringify(calls)).not.toContain('<!')
    expect(buttonsOf(calls[0] as never)).toMatchObject([{ url: 'https://inbox.example.com/answer#token=t' }])
    expect(sent).toMatchObject({ channel: 'D1', ts: '1.1' })
  })

  it('with words has a button for each option, and nothing in it is markup', async () => {
    const { sink, calls } = await fakeSlack()
    await sink.send(exampleNotice({ person: ada, isTextAllowed: true }), { signal: patience })
    const [call] = calls
    expect(call?.body.text).toContain('&lt;!channel&gt; &amp; now')
    const [, words] = call?.body.blocks ?? []
    expect(words).toMatchObject({
      type: 'section',
      text: { type: 'plain_text', text: expect.stringContaining(SECRET) },
    })
    const labels = buttonsOf(call as never).map(({ text }) => text.text)
    expect(labels).toEqual([`${SECRET} <it>`, 'Wait', 'Something else…', 'Open'])
  })

  it('that Slack does not place is sent again later', async () => {
    const { sink, replies } = await fakeSlack()
    replies.push({ body: { ok: true, channel: null } })
    await expect(sink.send(exampleNotice({ person: ada }), { signal: patience })).rejects.toMatchObject({
      code: 'UNREACHABLE',
    })
  })

  it('without a known place is not edited', async () => {
    const { sink, calls } = await fakeSlack()
    const ending = { state: 'answered', answeredBy: 'Ada' } as const
    const settled = sink.settle?.(exampleNotice({ person: ada }), 'C1', ending, { signal: patience })
    await expect(settled).rejects.toMatchObject({ code: 'INVALID_FILE' })
    expect(calls).toEqual([])
  })

  it('in a channel has no link: everybody there could answer with the name of this person', async () => {
    const { sink, calls } = await fakeSlack()
    for (const address of ['C012AB3CD', 'G012AB3CD'])
      await sink.send(exampleNotice({ person: { name: 'Ada', address } }), { signal: patience })
    expect(calls.map((call) => buttonsOf(call))).toEqual([[], []])
    expect(JSON.stringify(calls)).not.toContain('token=t')
  })

  it.each([
    { label: 'A label that no phone shows as a whole' },
    { label: 'Yes', description: 'All data goes' },
    { label: 'Yes', preview: 'rm -rf /' },
  ])('has no button for the option %j, which one would not show as a whole', async (option) => {
    const { sink, calls } = await fakeSlack()
    const questions = [{ id: 'q1', question: 'Go on?', options: [option, { label: 'No' }] }]
    await sink.send(exampleNotice({ person: ada, isTextAllowed: true, question: { questions } }), {
      signal: patience,
    })
    expect(calls.flatMap((call) => buttonsOf(call).map(({ text }) => text.text))).toEqual(['Answer…', 'Open'])
  })

  it('with several questions has one button, and one with too many options has only the link', async () => {
    const { sink, calls } = await fakeSlack()
    const several = [
      { id: 'q1', question: 'Who?' },
      { id: 'q2', question: 'When?' },
    ]
    const many = [
      { id: 'q1', question: 'Who?', options: Array.from({ length: 101 }, (_, i) => ({ label: `${i}` })) },
    ]
    for (const questions of [several, many])
      await sink.send(exampleNotice({ person: ada, isTextAllowed: true, question: { questions } }), {
        signal: patience,
      })
    const labels = calls.map((call) => buttonsOf(call).map(({ text }) => text.text))
    expect(labels).toEqual([['Answer…', 'Open'], ['Open']])
  })

  it.each([
    ['a secret has no form: Slack would read it', { secret: true }],
    ['files alone has no form: it could not take them', { files: {}, allowFreeText: false }],
  ])('about %s', async (_, more) => {
    const { sink, calls } = await fakeSlack()
    const questions = [{ id: 'q1', question: 'The password?', ...more }]
    await sink.send(exampleNotice({ person: ada, isTextAllowed: true, question: { questions } }), {
      signal: patience,
    })
    expect(calls.flatMap((call) => buttonsOf(call).map(({ text }) => text.text))).toEqual(['Open'])
  })

  it('shows the whole call that an approval permits', async () => {
    const { sink, calls } = await fakeSlack()
    const subject = { toolName: 'Bash', input: { command: 'rm -rf \u202e/tmp' } }
    const notice = exampleNotice({
      person: ada,
      isTextAllowed: true,
      question: { kind: 'approval', subject },
    })
    await sink.send(notice, { signal: patience })
    expect(JSON.stringify(calls[0]?.body.blocks)).toContain('rm -rf <U+202E>/tmp')
  })

  it('is edited when the question has ended, and the words go', async () => {
    const { sink, calls } = await fakeSlack()
    const notice = exampleNotice({ person: ada, isTextAllowed: true })
    const sent = await sink.send(notice, { signal: patience })
    await sink.settle?.(notice, sent, { state: 'answered', answeredBy: 'Ben <!here>' }, { signal: patience })
    expect(calls[1]).toMatchObject({
      method: 'chat.update',
      body: {
        channel: 'D1',
        ts: '1.1',
        text: 'An agent in The shop has a question\nAnswered by Ben &lt;!here&gt;.',
      },
    })
    expect(JSON.stringify(calls[1])).not.toContain(SECRET)
  })

  it.each([
    [{ body: { ok: false, error: 'channel_not_found' } }, 'FORBIDDEN', 'Slack refuses: channel_not_found'],
    [{ body: { ok: false, error: 'internal_error' } }, 'UNREACHABLE', 'Slack refuses: internal_error'],
    [{ status: 429, headers: { 'retry-after': '30' } }, 'RATE_LIMITED', 'It replied with status 429'],
    [{ body: 'no object' }, 'UNREACHABLE', expect.stringContaining('This is no reply of Slack')],
  ])('that Slack refuses with %j fails with the code %s', async (reply, code, message) => {
    const { sink, replies } = await fakeSlack()
    replies.push(reply)
    const sending = sink.send(exampleNotice({ person: ada }), { signal: patience })
    await expect(sending).rejects.toMatchObject({ code, message })
  })
})

/** Asks a question in the shop, and sends Ada a notice with its words. */
async function asked(record: Partial<OpenRecord> = {}, policy?: Policy) {
  const office = await slackOffice(policy)
  await office.channel.open(openRecord('toolu_1', record))
  const { sandboxId, sandboxName, question } = await office.inbox.find({ toolCallId: 'toolu_1' })
  const subject = { id: '0'.repeat(32), sandboxId, sandboxName, toolCallId: 'toolu_1', person: ada }
  const notice: Notice = { ...subject, question, isTextAllowed: true }
  await office.sink.send(notice, { signal: patience })
  const buttons = buttonsOf(office.calls[0] as never)
  const now = async () => (await office.inbox.find({ toolCallId: 'toolu_1' })).question
  return { ...office, buttons, now }
}

describe('a click in Slack', () => {
  it('on an option answers under the name of the person', async () => {
    const { click, buttons, now } = await asked()
    expect((await click(buttons[1])).status).toBe(200)
    expect(await now()).toMatchObject({
      state: 'sent',
      answeredBy: 'Ada',
      responses: { q1: { selected: ['B'] } },
    })
  })

  it('of somebody else changes nothing, and is told so', async () => {
    const { click, buttons, now, calls } = await asked()
    expect((await click(buttons[1], 'U2')).status).toBe(200)
    expect(await now()).toMatchObject({ state: 'open' })
    expect(calls.at(-1)).toMatchObject({
      method: 'chat.postEphemeral',
      body: { channel: 'D1', user: 'U2', text: 'You are not among the people who may answer this.' },
    })
  })

  it('under a policy is a vote, and says how many are missing', async () => {
    const { click, buttons, now, calls } = await asked({}, [{ votes: 2 }])
    await click(buttons[1])
    expect(calls.at(-1)).toMatchObject({
      method: 'chat.postEphemeral',
      body: { text: 'Your answer is a vote. One more person must give the same.' },
    })
    expect(await now()).toMatchObject({ state: 'open' })
    await click(buttons[1], 'U3')
    expect(await now()).toMatchObject({ state: 'sent' })
  })

  it('after another answer says that it came too late', async () => {
    const { click, buttons, now, calls } = await asked()
    await click(buttons[0])
    await click(buttons[1])
    expect(await now()).toMatchObject({ responses: { q1: { selected: ['A'] } } })
    expect(calls.at(-1)).toMatchObject({ method: 'chat.postEphemeral' })
  })

  it.each([
    ['an hour old', { at: Date.now() - 3_600_000 }],
    ['of the future', { at: Date.now() + 3_600_000 }],
    ['signed with another secret', { secret: 'guessed' }],
  ])('that is %s is refused', async (_, given) => {
    const { deliver, buttons, now } = await asked()
    const [, { action_id, value } = {}] = buttons
    const payload = {
      type: 'block_actions',
      user: { id: 'U1' },
      trigger_id: 't',
      actions: [{ action_id, value }],
    }
    expect((await deliver(payload, given)).status).toBe(401)
    expect(await now()).toMatchObject({ state: 'open' })
  })

  it('without a signature, with a wrong method or with a huge body is refused', async () => {
    const { url } = await asked()
    expect((await fetch(url, { method: 'POST', body: 'payload={}' })).status).toBe(401)
    expect((await fetch(url)).status).toBe(405)
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(1_100_000) })).status).toBe(413)
  })
})

describe('a request to the handler of Slack', () => {
  it('whose body ends in the middle is refused', async () => {
    const { handler } = await slackOffice()
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('aborted')) })
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    expect((await handler(new Request('https://inbox.example.com/api/slack', init))).status).toBe(400)
  })

  it('that Slack does not let it reply to gets 500, and the host reads why', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => logged.mockRestore())
    const { click, buttons, now, replies } = await asked()
    replies.push({ body: { ok: false, error: 'channel_not_found' } })
    replies.push({ body: { ok: false, error: 'channel_not_found' } })
    expect((await click(buttons[1], 'U2')).status).toBe(500)
    expect(logged.mock.calls.flat().join()).toContain(
      'A click in Slack was not taken (Slack refuses: channel_not_found)',
    )
    expect((await click(buttons[1])).status).toBe(200)
    expect(await now()).toMatchObject({ state: 'sent' })
  })

  it.each(['no JSON', '{}', '{"sandboxId":1}'])(
    'that names no question, but %s, is ignored',
    async (text) => {
      const { deliver, buttons, calls } = await asked()
      const user = { id: 'U1' }
      const action = { action_id: buttons[0]?.action_id, value: text }
      const clicked = { type: 'block_actions', user, trigger_id: 't', actions: [action] }
      const state = { values: {} }
      const view = { callback_id: 'sandagent-answer', private_metadata: text, state }
      const before = calls.length
      for (const payload of [clicked, { type: 'view_submission', user, view }])
        expect((await deliver(payload)).status).toBe(200)
      expect(calls).toHaveLength(before)
    },
  )
})

describe('a form in Slack', () => {
  const questions = [
    {
      id: 'q1',
      question: 'Which language?',
      options: [{ label: 'A', value: 'a', description: 'The first' }, { label: 'B' }],
    },
    {
      id: 'q2',
      question: 'Which parts?',
      options: [{ label: 'X' }, { label: 'Y' }],
      multiSelect: true,
      allowFreeText: false,
    },
    { id: 'q3', question: 'How many?', typed: { kind: 'number' as const, min: 1, max: 9 }, placeholder: '3' },
    { id: 'q4', question: 'Anything else?', required: false },
  ]

  /** Opens the form, and resolves to what sends it. */
  async function openForm() {
    const office = await asked({ questions })
    await office.click(office.buttons[0])
    const call = office.calls.at(-1)
    const view = call?.body.view as ModalView
    const send = (values: Record<string, unknown>, user = 'U1') =>
      office.deliver({
        type: 'view_submission',
        user: { id: user },
        view: {
          callback_id: view.callback_id,
          private_metadata: view.private_metadata,
          state: { values: Object.fromEntries(Object.entries(values).map(([id, input]) => [id, { input }])) },
        },
      })
    return { ...office, call, view, send }
  }

  const picks = (...values: number[]) => ({
    selected_options: values.map((value) => ({ value: `${value}` })),
  })
  const pick = (value: number) => ({ selected_option: { value: `${value}` } })

  it('has an input for each question, within the limits of Slack', async () => {
    const { call, view } = await openForm()
    expect(call).toMatchObject({ method: 'views.open', body: { trigger_id: 't1' } })
    const inputs = (view.blocks as InputBlock[]).map(({ block_id, element, optional }) => [
      block_id,
      element.type,
      optional,
    ])
    expect(view.blocks[0]).toMatchObject({
      element: { options: [{ description: { text: 'The first' } }, {}] },
    })
    expect(inputs).toEqual([
      ['0-pick', 'radio_buttons', true],
      ['0-text', 'plain_text_input', true],
      ['1-pick', 'checkboxes', false],
      ['2-text', 'plain_text_input', false],
      ['3-text', 'plain_text_input', true],
    ])
  })

  it('answers all questions at once', async () => {
    const { send, now } = await openForm()
    const response = await send({
      '0-pick': pick(0),
      '0-text': { value: null },
      '1-pick': picks(0, 1),
      '2-text': { value: '4' },
      '3-text': { value: ' No, thanks ' },
    })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(await now()).toMatchObject({
      state: 'sent',
      answeredBy: 'Ada',
      responses: {
        q1: { selected: ['a'] },
        q2: { selected: ['X', 'Y'] },
        q3: { freeText: '4' },
        q4: { freeText: 'No, thanks' },
      },
    })
  })

  it('shows what is wrong beside the question', async () => {
    const { send, now } = await openForm()
    const response = await send({ '1-pick': picks(0), '2-text': { value: '12' } })
    expect(await response.json()).toEqual({
      response_action: 'errors',
      errors: {
        '0-pick': expect.stringContaining('Expected an answer to "Which language?"'),
        '2-text': expect.stringContaining('a number'),
      },
    })
    expect(await now()).toMatchObject({ state: 'open' })
  })

  it('is refused from a stranger, and for a question that has ended', async () => {
    const { send, now, inbox } = await openForm()
    const values = { '0-pick': pick(1), '1-pick': picks(0), '2-text': { value: '2' } }
    expect(await (await send(values, 'U2')).json()).toMatchObject({
      errors: { '0-pick': 'You are not among the people who may answer this.' },
    })
    await inbox.decline('shop', { toolCallId: 'toolu_1' })
    expect(await (await send(values)).json()).toMatchObject({ response_action: 'errors' })
    expect(await now()).toMatchObject({ declined: true })
  })
})
