import { createHmac } from 'node:crypto'
import { json } from 'node:stream/consumers'
import { createFileRunnerChannel } from '@sandagent/files'
import { listen } from '@sandagent/fixtures/listen.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createInbox } from '@sandagent/inbox'
import { LocalSandbox, type Policy, toNodeHandler } from '@sandagent/sdk'
import type { Button, KnownBlock, ModalView } from '@slack/types'
import { createSlackHandler } from '../../src/slack/slack-handler.ts'
import { createSlackSink } from '../../src/slack/slack-sink.ts'

const TOKEN = 'xoxb-1'
const PEOPLE: Readonly<Record<string, { answeredBy: string }>> = {
  U1: { answeredBy: 'Ada' },
  U3: { answeredBy: 'Cyd' },
}
const SIGNING_SECRET = 'shhh'

interface Call {
  method: string
  body: { blocks?: KnownBlock[]; text?: string; view?: ModalView } & Record<string, unknown>
}

/** A stand-in for Slack's methods, on this machine. It takes one token, and keeps what it was asked. */
export async function fakeSlack() {
  const calls: Call[] = []
  const replies: { status?: number; headers?: Record<string, string>; body?: unknown }[] = []
  const apiUrl = await listen(async (request, response) => {
    const body = (await json(request)) as Call['body']
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}`
    calls.push({ method: request.url?.replace('/api/', '') ?? '', body })
    const { status = 200, headers = {}, body: reply } = replies.shift() ?? {}
    const usual = isKnown
      ? { ok: true, channel: 'D1', ts: `${calls.length}.1` }
      : { ok: false, error: 'invalid_auth' }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(reply ?? usual))
  })
  const api = { botToken: TOKEN, apiUrl: `${apiUrl}/api/` }
  return { calls, replies, api, sink: createSlackSink({ ...api, hasButtons: true }) }
}

/** The buttons of a message. */
export const buttonsOf = ({ body }: Call): Button[] =>
  (body.blocks ?? []).flatMap((block) => (block.type === 'actions' ? (block.elements as Button[]) : []))

/** A host with the folder `shop`, whose people answer in that Slack. */
export async function slackOffice(policy?: Policy) {
  const slack = await fakeSlack()
  const workdir = await tempDir()
  const inbox = createInbox({
    sandboxes: [{ id: 'shop', name: 'The shop', sandbox: new LocalSandbox({ workdir }) }],
    signingKeys: null,
    policy,
    onWarning: () => {},
  })
  const authorize = (id: string) => PEOPLE[id] ?? null
  const options = { ...slack.api, signingSecret: SIGNING_SECRET, inbox, authorize }
  const handler = createSlackHandler(options)
  const url = await listen(toNodeHandler(handler))
  /** Sends what Slack sends, signed. */
  const deliver = (
    payload: unknown,
    { at = Date.now(), secret = SIGNING_SECRET } = {},
  ): Promise<Response> => {
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
    const timestamp = `${Math.floor(at / 1000)}`
    const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
    return fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${signature}`,
      },
      body,
    })
  }
  const click = (button: Button | undefined, user = 'U1'): Promise<Response> =>
    deliver({
      type: 'block_actions',
      user: { id: user },
      trigger_id: 't1',
      channel: { id: 'D1' },
      message: { ts: '1.1' },
      actions: [{ action_id: button?.action_id, value: button?.value }],
    })
  return { ...slack, inbox, deliver, click, handler, url, channel: createFileRunnerChannel({ workdir }) }
}
