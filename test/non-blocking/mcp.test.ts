import { declineQuestion, listQuestions } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { worksOnRow } from '../support/matrix/agent-row.ts'
import {
  asked,
  channelOf,
  connect,
  overHttp,
  recordOf,
  sandagent,
  startProgram,
  tempSandbox,
} from '../support/mcp.ts'
import { connectWithTasks } from '../support/mcp-tasks.ts'
import { ASK, answerDatabase as answer, ask, call, check, DATABASE } from '../support/tickets.ts'

async function start() {
  const sandbox = await tempSandbox()
  const client = await connect(await overHttp({ channel: channelOf(sandbox), tickets: true }))
  return { sandbox, client }
}

describe('a model over MCP that does not wait', () => {
  it('gets a ticket and its own assumption at once', async () => {
    const { sandbox, client } = await start()
    const { kind, text, ticket } = await ask(client)
    expect(kind).toBe('open')
    expect(text).toContain('- "Which database?": "Postgres"')
    expect(await asked(sandbox)).toMatchObject({ toolCallId: ticket, blocking: false })
  })

  worksOnRow('MCP clients', ['`--tickets`', 'by `check_question`, or as a task'], async () => {
    const { sandbox, client } = await start()
    const { ticket } = await ask(client)
    expect(await check(client, ticket)).toMatchObject({ kind: 'open', ticket })
    await answer(sandbox, ticket, 'SQLite')
    await vi.waitFor(async () =>
      expect(await check(client, ticket)).toMatchObject({
        kind: 'answered',
        text: expect.stringContaining('does not hold: undo'),
        answers: { 'Which database?': 'SQLite' },
      }),
    )
  })

  it('waits for it in the end', async () => {
    const { sandbox, client } = await start()
    const { ticket } = await ask(client)
    const waiting = check(client, ticket, 'wait')
    await answer(sandbox, ticket, 'Postgres')
    expect((await waiting).text).toContain('as you assumed, so go on')
  })

  it('leaves its question open when it stops waiting', async () => {
    const { sandbox, client } = await start()
    const { ticket } = await ask(client)
    const stop = new AbortController()
    const waiting = call(client, 'check_question', { ticket, action: 'wait' }, stop.signal)
    stop.abort()
    await expect(waiting).rejects.toThrow()
    expect(await recordOf(sandbox, ticket)).toMatchObject({ state: 'open' })
  })

  it('withdraws its question', async () => {
    const { sandbox, client } = await start()
    const { ticket } = await ask(client)
    const args = { ticket, action: 'withdraw' }
    const result = await client.callTool({ name: 'check_question', arguments: args })
    // A model takes an error for something that it has to repeat.
    expect(result).toMatchObject({ isError: false, structuredContent: { kind: 'aborted' } })
    expect(await client.callTool({ name: 'check_question', arguments: args })).toEqual(result)
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('is told of a refusal, and that nothing is confirmed', async () => {
    const { sandbox, client } = await start()
    const { ticket } = await ask(client)
    await declineQuestion(sandbox, { toolCallId: ticket })
    expect((await check(client, ticket, 'wait')).text).toContain('What you assumed is not confirmed')
  })

  it('is told of a ticket that there is not, and sees none of others', async () => {
    const { sandbox, client } = await start()
    const other = await connect(await overHttp({ channel: channelOf(sandbox) }))
    const tool = { name: 'check_question', arguments: { ticket: 'other' } }
    for (const [args, words] of [
      [{ ticket: 'other' }, /^There is no question with the ticket other/],
      [{ ticket: 'x'.repeat(100_000) }, /^There is no question with the ticket x{100}…\. Ask it again/],
      [{ ticket: 'other', action: 'drop' }, /^This cannot be checked: action: expected/],
      [{}, /^This cannot be checked: ticket: expected/],
    ] as const)
      expect(await client.callTool({ ...tool, arguments: args })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(words) }],
      })
    await expect(other.callTool(tool)).rejects.toThrow('Unknown tool')
  })

  it('is told which keys were passed over, in each result, and which would have made it wait', async () => {
    const { sandbox, client } = await start()
    const input = { ...ASK, assumptoin: 'Postgres', explanation: 'I need it' }
    const note = /These keys were passed over, .*: \["assumptoin","explanation"\]$/
    const asking = await client.callTool({ name: 'ask_user_question', arguments: input })
    expect(asking).toMatchObject({
      content: [{ text: expect.stringContaining('Ticket:') }, { text: expect.stringMatching(note) }],
      structuredContent: { kind: 'open', text: expect.stringMatching(note) },
    })
    const { toolCallId: ticket } = await asked(sandbox)
    const looked = await call(client, 'check_question', { ticket, acton: 'withdraw' })
    expect(looked).toMatchObject({ kind: 'open', text: expect.stringContaining('["acton"]') })
    const nameless = { name: 'check_question', arguments: { tiket: ticket } }
    expect(await client.callTool(nameless)).toMatchObject({
      isError: true,
      content: [
        { text: expect.stringContaining('ticket: expected') },
        { text: expect.stringContaining('["tiket"]') },
      ],
    })
    const refused = { ...ASK, blocking: undefined, block: false }
    expect(await client.callTool({ name: 'ask_user_question', arguments: refused })).toMatchObject({
      isError: true,
      content: [
        { text: expect.stringContaining('block: expected no such key: whether you wait is "blocking"') },
      ],
    })
  })

  it('waits as before where it says nothing of it', async () => {
    const { sandbox, client } = await start()
    const asking = ask(client, { questions: [DATABASE] })
    const { toolCallId, blocking } = await asked(sandbox)
    expect(blocking).toBeUndefined()
    await answer(sandbox, toolCallId, 'SQLite')
    expect(await asking).toMatchObject({ kind: 'answered' })
  })

  it('finds the answer after a restart of its server, and asks nothing twice', async () => {
    const sandbox = await tempSandbox()
    const command = [sandagent, 'mcp', '--workdir', sandbox.workdir, '--tickets']
    const before = await connect(startProgram(...command))
    const { ticket } = await ask(before)
    await before.close()
    // People are told that it is not there now, and that it looks for the answer by itself.
    await vi.waitFor(async () =>
      expect(await listQuestions(sandbox)).toMatchObject([{ comesBack: true, runEnded: true }]),
    )
    await answer(sandbox, ticket, 'SQLite')
    const after = await connect(startProgram(...command))
    expect(await check(after, ticket, 'wait')).toMatchObject({ answers: { 'Which database?': 'SQLite' } })
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('is told the same by two servers that look at once', async () => {
    const sandbox = await tempSandbox()
    const command = [sandagent, 'mcp', '--workdir', sandbox.workdir, '--tickets']
    const before = await connect(startProgram(...command))
    const { ticket } = await ask(before)
    await before.close()
    const servers = await Promise.all([1, 2].map(() => connect(startProgram(...command))))
    const looks = await Promise.all(servers.map((server) => check(server, ticket)))
    expect(looks).toMatchObject([{ kind: 'open' }, { kind: 'open' }])
    const waiting = servers.map((server) => check(server, ticket, 'wait'))
    await answer(sandbox, ticket, 'SQLite')
    const answers = { 'Which database?': 'SQLite' }
    expect(await Promise.all(waiting)).toMatchObject([{ answers }, { answers }])
  })

  it('sees that another server of the same questions has withdrawn one', async () => {
    const { sandbox, client } = await start()
    const { ticket } = await ask(client)
    const other = await connect(await overHttp({ channel: channelOf(sandbox), tickets: true }))
    expect(await check(other, ticket)).toMatchObject({ kind: 'open', ticket })
    expect(await check(client, ticket, 'withdraw')).toMatchObject({ kind: 'aborted' })
    expect(await check(other, ticket)).toMatchObject({ kind: 'aborted' })
    expect(await recordOf(sandbox, ticket)).toMatchObject({ state: 'aborted' })
  })

  it('gets a task where its client knows tasks', async () => {
    const sandbox = await tempSandbox()
    const { dispatch } = await connectWithTasks(
      await overHttp({ channel: channelOf(sandbox), tickets: true }),
    )
    const params = { name: 'ask_user_question', arguments: ASK }
    expect(await dispatch({ method: 'tools/call', params })).toMatchObject({
      result: { resultType: 'task', status: 'working' },
    })
    expect(await asked(sandbox)).toMatchObject({ blocking: false })
  })
})
