import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Notice, questionKey } from '@sandagent/notices'
import { approvalIn, approvalQuestion } from '@sandagent/runner'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { approval, colours, given, LINK, noticeTo, tags } from '../support/chat/asked.ts'
import { asRead, chatOffice, labelsOf, quotedIn, userOf } from '../support/chat/chat-office.ts'
import { playedDiscord } from '../support/chat/played-discord.ts'
import { playedSlack } from '../support/chat/played-slack.ts'
import { playedTelegram } from '../support/chat/played-telegram.ts'

const reference = readFileSync(join(root, 'docs/reference/notices.md'), 'utf8').split('## Chats')[1] ?? ''
const PLATFORMS = { slack: playedSlack, telegram: playedTelegram, discord: playedDiscord }

describe.each(Object.entries(PLATFORMS))('in %s', (_, play) => {
  it('a button answers, the agent goes on, and the message says who it was', async () => {
    const platform = await play()
    const { ask, click, ended } = await chatOffice(platform)
    const { outcome, message } = await ask({ questions: colours })
    expect(asRead(platform, message.text)).toContain('An agent in `my_shop` has a question')
    expect(quotedIn(platform, message)).toEqual(['Which colour?'])
    expect(message.buttons.find(({ url }) => url)).toMatchObject({ text: 'Open', url: LINK })
    expect((await click(message, 'Red, dark')).status).toBe(200)
    expect(given(await outcome)).toEqual({ selected: ['Red, dark'], source: 'human' })
    await ended(message, 'Answered by `Ada`.')
    expect(message.buttons).toEqual([])
    expect(message.text).not.toContain('Which colour?')
  })

  it('several options are picked one by one, and sent together', async () => {
    const platform = await play()
    const { ask, click } = await chatOffice(platform)
    const { outcome, message } = await ask({ questions: tags })
    expect(labelsOf(message)).not.toContain('Send')
    await click(message, 'a, b')
    await click(message, 'c')
    await click(message, 'd')
    await click(message, '✓ c')
    expect(labelsOf(message)).toEqual(expect.arrayContaining(['✓ a, b', 'c', '✓ d', 'Send']))
    expect(message.buttons.find(({ url }) => url)).toMatchObject({ url: LINK })
    await click(message, 'Send')
    expect(given(await outcome)).toMatchObject({ selected: ['a, b', 'd'] })
  })

  it('ten options have a button each, with what it means, and eleven have the link', async () => {
    const platform = await play()
    const { sink } = await chatOffice(platform)
    const labels = async (count: number, multiSelect: boolean): Promise<string[]> => {
      const options = Array.from({ length: count }, (_, index) => ({ label: `${index}`, description: 'x' }))
      const questions = [{ id: 'q1', question: 'Which?', options, multiSelect, allowFreeText: false }]
      const notice = noticeTo(`${platform.name}:${userOf(platform, 42)}`, { questions })
      await sink().send(notice, { signal: AbortSignal.timeout(30_000) })
      return labelsOf(platform.messages.at(-1) as (typeof platform.messages)[number])
    }
    for (const several of [false, true]) {
      const ten = Array.from({ length: 10 }, (_, index) => `${index + 1}. ${index}`)
      expect(await labels(10, several)).toEqual([...ten, 'Decline', 'Open'])
      expect(await labels(11, several)).not.toContain('1. 0')
    }
  })

  it('an approval shows the call and why it is asked, and is given or denied', async () => {
    const platform = await play()
    const { ask, click } = await chatOffice(platform)
    for (const [label, decision] of [
      ['Allow once', 'allowOnce'],
      ['Deny', 'deny'],
    ] as const) {
      const { outcome, message } = await ask(approval)
      const [, call] = quotedIn(platform, message)
      expect(call).toBe('Bash {\n  "command": "npm publish"\n}\nThe agent says: "All is green"')
      await click(message, label)
      expect(approvalIn(await outcome)).toEqual({ decision })
    }
  })

  it('what an option means stands in the message, and its button has the number', async () => {
    const platform = await play()
    const { ask, click } = await chatOffice(platform)
    const { outcome, message } = await ask({
      ...approval,
      questions: [approvalQuestion('Bash', { sessionScope: 'Bash(npm *)' })],
    })
    expect(quotedIn(platform, message).join('\n')).toContain('2. Allow for this session\nBash(npm *)')
    await click(message, '2. Allow for this session')
    expect(approvalIn(await outcome)).toEqual({ decision: 'allowSession' })
  })

  it('a question is declined, and an approval has no such button', async () => {
    const platform = await play()
    const { ask, click, ended } = await chatOffice(platform)
    const { outcome, message } = await ask({ questions: colours })
    await click(message, 'Decline')
    expect(await outcome).toMatchObject({ kind: 'declined', answeredBy: 'Ada' })
    await ended(message, 'Declined by `Ada`.')
    const second = await ask(approval)
    expect(labelsOf(second.message)).not.toContain('Decline')
    await click(second.message, 'Deny')
    await second.outcome
  })

  it('a message is edited when the answer is given elsewhere, time runs out, or the agent stops asking', async () => {
    const platform = await play()
    const { ask, inbox, ended } = await chatOffice(platform)
    const first = await ask({ toolCallId: 'elsewhere', questions: colours })
    const responses = { q1: { selected: ['Blue'], source: 'human' as const } }
    await inbox.submit(
      'shop',
      { toolCallId: 'elsewhere', status: 'completed', responses },
      { answeredBy: 'Cyd_`*' },
    )
    await first.outcome
    await ended(first.message, "Answered by `Cyd_'*`.")
    const second = await ask({ questions: colours }, { timeoutMs: 1500 })
    expect(await second.outcome).toMatchObject({ kind: 'timed-out' })
    await ended(second.message, 'Nobody answered in time.')
    const stopping = new AbortController()
    const third = await ask({ questions: colours }, { signal: stopping.signal })
    stopping.abort()
    await third.outcome
    await ended(third.message, 'The agent withdrew the question.')
    for (const { message } of [first, second, third]) expect(message.buttons).toEqual([])
  })

  it('a second click, a repeated request and an old button change nothing', async () => {
    const platform = await play()
    const { ask, arrive, restart, inbox, ended, lastSaid } = await chatOffice(platform)
    const { outcome, message } = await ask({ questions: colours })
    const buttons = [...message.buttons]
    const before = { ...message, buttons }
    const user = userOf(platform, 42)
    const first = platform.click(before, buttons[0], user)
    await Promise.all([arrive(first), arrive(platform.click(before, buttons[1], user))])
    const { selected } = given(await outcome) as { selected: string[] }
    expect(['Red, dark', 'Blue']).toContain(selected[0])
    await ended(message, 'Answered by `Ada`.')
    await arrive(first)
    await restart()
    await arrive(first)
    expect(asRead(platform, lastSaid() ?? '')).toContain(
      'This has been answered, or nobody asks it any more.',
    )
    const { questions } = await inbox.history()
    expect(questions[0]?.question.responses).toEqual({ q1: { selected, source: 'human' } })
    expect(asRead(platform, message.text)).toContain('Answered by `Ada`.')
  })

  it('a request of somebody else than the platform is refused', async () => {
    const platform = await play()
    const { ask, arrive, click } = await chatOffice(platform)
    const { outcome, message } = await ask({ questions: colours })
    const forged = platform.forged(platform.click(message, message.buttons[0], userOf(platform, 42)))
    expect((await arrive(forged)).status).toBe(401)
    await click(message, 'Blue')
    expect(given(await outcome)).toMatchObject({ selected: ['Blue'] })
  })

  it('a chat user whom the host does not know answers nothing', async () => {
    const platform = await play()
    const { ask, click, inbox } = await chatOffice(platform)
    const { outcome, message } = await ask({ questions: colours })
    const count = platform.messages.length
    for (const label of ['Blue', 'Decline']) await click(message, label, userOf(platform, 66))
    expect(platform.messages).toHaveLength(count)
    expect((await inbox.find({ toolCallId: 'call-0' })).question.state).toBe('open')
    await click(message, 'Blue', userOf(platform, 43))
    expect(await outcome).toMatchObject({ answeredBy: 'Ben' })
  })

  it('a button works after the host has started again, and nothing is sent twice', async () => {
    const platform = await play()
    const { ask, click, restart, ended } = await chatOffice(platform)
    const { outcome, message } = await ask({ questions: tags })
    await click(message, 'c')
    await restart()
    await click(message, 'a, b')
    await click(message, 'Send')
    expect(given(await outcome)).toMatchObject({ selected: ['a, b', 'c'] })
    await ended(message, 'Answered by `Ada`.')
    expect(platform.messages).toHaveLength(1)
  })

  it('what an agent writes is read as it is: no mention, no markup, no link, no picture', async () => {
    const platform = await play()
    const { ask, click } = await chatOffice(platform)
    const text =
      '<!channel> <@U1> @everyone **bold** _it_ [safe](https://evil.example) `x` ``` ```` {{emoji:fire}} ****\n' +
      '~~~\n    # \\_title\\ > | a | &lt; :fire: <b>'
    const label = '*Go* {{emoji:x}} :ok: <!here>'
    const { outcome, message } = await ask({
      questions: [{ id: 'q1', question: text, textFormat: 'plain', options: [{ label }, { label: 'No' }] }],
    })
    expect(quotedIn(platform, message)).toEqual([text])
    const outside = message.text.replace(/```\n[\s\S]*?\n```/g, '')
    expect(asRead(platform, outside).trim()).toBe('An agent in `my_shop` has a question')
    if (platform.name === 'slack') expect(message.text).not.toMatch(/<[!@]/)
    await click(message, label)
    expect(given(await outcome)).toMatchObject({ selected: [label] })
  })

  it('what cannot be read whole has a link, and no button, whatever a client sends', async () => {
    const platform = await play()
    const { ask, arrive, inbox } = await chatOffice(platform)
    const stopping = new AbortController()
    const command = `echo ${'`'.repeat(2000)} && rm -rf /`
    const { outcome, message } = await ask(
      { ...approval, toolCallId: 'long', subject: { toolName: 'Bash', input: { command } } },
      { signal: stopping.signal },
    )
    expect(labelsOf(message)).toEqual(['Open'])
    expect(asRead(platform, message.text)).toContain(
      'This chat cannot show this whole. Read it and answer on the page.',
    )
    const short = await ask({ questions: colours }, { signal: stopping.signal })
    // The key of the long one on the button of another.
    const key = questionKey(await inbox.find({ toolCallId: 'long' }))
    const replaced = JSON.parse(
      JSON.stringify(short.message.buttons[0]).replace(/[0-9a-f]{32}/, key),
    ) as (typeof message.buttons)[number]
    await arrive(platform.click(short.message, replaced, userOf(platform, 42)))
    expect((await inbox.find({ toolCallId: 'long' })).question.state).toBe('open')
    stopping.abort()
    await Promise.all([outcome, short.outcome])
  })

  it('the words stay here without permission, and a channel gets no link', async () => {
    const platform = await play()
    const addresses: Record<string, string> = {
      slack: '#slack:C1',
      telegram: '#telegram:-100',
      discord: '#discord:g1:7',
    }
    const address = addresses[platform.name] ?? ''
    const stopping = new AbortController()
    const shy = await chatOffice(platform, { showText: false })
    const first = await shy.ask({ questions: colours }, { signal: stopping.signal })
    expect(JSON.stringify(first.message)).not.toContain('colour')
    expect(labelsOf(first.message)).toEqual(['Open'])
    const open = await chatOffice(platform, { address })
    const second = await open.ask({ questions: colours })
    expect(JSON.stringify(second.message)).not.toContain('token=t')
    await open.click(second.message, 'Blue', userOf(platform, 43))
    expect(await second.outcome).toMatchObject({ answeredBy: 'Ben' })
    await open.ended(second.message, 'Answered by `Ben`.')
    stopping.abort()
    await first.outcome
  })

  it('what can be done there is what the reference says', async () => {
    const platform = await play()
    const { sink } = await chatOffice(platform)
    const labels = async (more: Partial<Notice['question']>): Promise<string[]> => {
      const notice = noticeTo(`${platform.name}:${userOf(platform, 42)}`, more)
      await sink().send(notice, { signal: AbortSignal.timeout(30_000) })
      return labelsOf(platform.messages.at(-1) as (typeof platform.messages)[number])
    }
    const [typed] = [{ id: 'q1', question: 'Why?' }]
    const can = async (label: string, more: Partial<Notice['question']>): Promise<string> =>
      (await labels(more)).includes(label) ? 'yes' : 'on the page'
    let [fits, isTooMuch] = [0, 5000]
    while (isTooMuch - fits > 1) {
      const middle = Math.floor((fits + isTooMuch) / 2)
      const questions = [{ ...colours[0], id: 'q1', question: 'x'.repeat(middle) }]
      if ((await labels({ questions })).includes('Blue')) fits = middle
      else isTooMuch = middle
    }
    const row = [
      platform.name,
      await can('Blue', { questions: colours }),
      await can('c', { questions: tags }),
      await can('Answer…', { questions: [typed] }),
      await can('Answer…', { questions: [...colours, { ...typed, id: 'q2' }] }),
      await can('Allow once', { ...approval, kind: 'approval' }),
      await can('With a note…', { ...approval, kind: 'approval' }),
      `${fits.toLocaleString('en')} characters`,
    ]
    const line = reference.split('\n').find((each) => each.toLowerCase().startsWith(`| ${platform.name} |`))
    expect(line?.toLowerCase()).toBe(`| ${row.join(' | ')} |`)
  })

  it('a click under a policy is a vote, and its person is told', async () => {
    const platform = await play()
    const { ask, click, lastSaid } = await chatOffice(platform, { policy: [{ votes: 2 }] })
    const { outcome, message } = await ask({ questions: colours })
    await click(message, 'Blue')
    expect(asRead(platform, lastSaid() ?? '')).toContain(
      'Your answer is a vote. One more person must give the same.',
    )
    await click(message, 'Blue', userOf(platform, 43))
    expect(given(await outcome)).toMatchObject({ selected: ['Blue'] })
  })
})
