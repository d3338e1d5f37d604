import { inspect } from 'node:util'
import type { QuestionView } from '@sandagent/core'
import { createSecretKeys, sealSecret } from '@sandagent/core/secret'
import { decoded, startMailServer } from '@sandagent/fixtures/servers/mail-server.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createInbox } from '@sandagent/inbox'
import { createMailSink, startNotices } from '@sandagent/notices'
import { listQuestions, submitAnswer } from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { askingProgram, startHost } from '../support/ag-ui/host.ts'
import { chatOffice, labelsOf } from '../support/chat/chat-office.ts'
import { playedDiscord } from '../support/chat/played-discord.ts'
import { playedSlack } from '../support/chat/played-slack.ts'
import { playedTelegram } from '../support/chat/played-telegram.ts'
import { createWorkspace } from '../support/workspace.ts'
import { formsIn } from './plain-forms.ts'

const SECRET = 'Tr0ub4dor&3 "ключ"/+='
const questions = [{ id: 'token', question: 'The token of the registry?', secret: true }]

/** The forms of the secret anywhere in a value. */
const found = (value: unknown): string[] =>
  formsIn(inspect(value, { depth: 20, maxStringLength: null, maxArrayLength: null }), SECRET)

/** The response that a page sends for the first question of a view. */
async function sealedFor({ toolCallId, questionDigest, questions: [question] }: QuestionView) {
  const { id = '', secret } = question ?? {}
  const { publicKey } = secret as { publicKey: string }
  const place = { toolCallId, questionId: id, questionDigest: questionDigest ?? '' }
  const sealed = await sealSecret(SECRET, publicKey, place)
  return { [id]: { selected: [], source: 'human' as const, sealed } }
}

it('a secret is in no mail, before and after it was given', async () => {
  const { sandbox, channel } = await createWorkspace()
  const { publicKey } = await createSecretKeys()
  const { mails, urlWith } = await startMailServer()
  const stop = new AbortController()
  const warnings: unknown[] = []
  const notices = startNotices({
    inbox: createInbox({ sandboxes: [{ id: 'shop', name: 'The shop', sandbox }], signingKeys: null }),
    folder: await tempDir(),
    sinks: { mail: createMailSink({ server: urlWith(), from: 'agents@example.com' }) },
    people: { Ada: { addresses: { mail: { to: 'ada@example.com', showText: true } } } },
    signal: stop.signal,
    onWarning: (warning) => void warnings.push(warning),
  })
  onTestFinished(async () => {
    stop.abort()
    await notices
  })
  const ask = (toolCallId: string) =>
    channel.open(
      openRecord(toolCallId, {
        questions: [{ id: 'token', question: 'The token of the registry?', secret: { publicKey } }],
      }),
    )
  await ask('toolu_1')
  await vi.waitFor(() => expect(mails).toHaveLength(1))
  const [view] = await listQuestions(sandbox)
  await submitAnswer(sandbox, {
    ...{ toolCallId: 'toolu_1', status: 'completed', responses: await sealedFor(view as QuestionView) },
  })
  await ask('toolu_2')
  await vi.waitFor(() => expect(mails).toHaveLength(2))
  const texts = mails.map(({ body }) => decoded(body))
  expect(texts[0]).toContain('The token of the registry?')
  expect(found([mails, texts, warnings])).toEqual([])
})

describe.each([
  ['Slack', playedSlack],
  ['Telegram', playedTelegram],
  ['Discord', playedDiscord],
])('in %s', (_, play) => {
  it('a secret is in no message, and cannot be typed there', async () => {
    const platform = await play()
    const { inbox, ask, ended, warnings } = await chatOffice(platform)
    const { outcome, message } = await ask({ questions })
    expect(labelsOf(message)).toEqual(['Decline', 'Open'])
    const [waiting] = (await inbox.list()).questions
    const view = waiting?.question as QuestionView
    const request = { toolCallId: view.toolCallId, responses: await sealedFor(view) }
    await inbox.submit('shop', { ...request, status: 'completed' }, { answeredBy: 'Ada' })
    expect(await outcome).toMatchObject({ kind: 'answered' })
    await ended(message, 'Answered by')
    expect(found([platform.calls, platform.messages, platform.whispers, platform.forms, warnings])).toEqual(
      [],
    )
  })
})

it.each(['/api/chat', '/api/ag-ui'])('a secret is in no event of the stream of %s', async (path) => {
  const { origin, sandboxOf } = await startHost(askingProgram({ questions }))
  const body =
    path === '/api/chat'
      ? { id: 'thread-1', messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Begin' }] }] }
      : {
          ...{ threadId: 'thread-1', runId: 'run-1', state: {}, tools: [], context: [], forwardedProps: {} },
          messages: [{ id: 'm1', role: 'user', content: 'Begin' }],
        }
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-user': 'ada' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  const text = response.text()
  const view = await vi.waitFor(async () => {
    const [open] = await listQuestions(sandboxOf())
    expect(open).toBeDefined()
    return open as QuestionView
  })
  const responses = await sealedFor(view)
  await submitAnswer(sandboxOf(), { toolCallId: view.toolCallId, status: 'completed', responses })
  expect(await text).toContain('read ')
  expect(await text).toContain('given')
  expect(formsIn(await text, SECRET)).toEqual([])
})
