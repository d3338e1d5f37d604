import type { AskError } from '@sandagent/core'
import { createVerifiedChannel } from '@sandagent/runner'
import { listQuestions } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { channelOf, connect, overHttp, tempSandbox } from '../support/mcp.ts'
import { answerDatabase, ask, check, newKeys } from '../support/tickets.ts'

/** A server of tickets. */
async function start({ isSigned = false } = {}) {
  const sandbox = await tempSandbox()
  const signingKeys = await newKeys(isSigned)
  const files = channelOf(sandbox)
  const channel = signingKeys ? createVerifiedChannel(files, { publicKeys: signingKeys.publicKeys }) : files
  const client = await connect(await overHttp({ channel, tickets: true }))
  return {
    sandbox,
    ask: async () => (await ask(client)).ticket,
    check: (ticket: string, action: string) => check(client, ticket, action),
    answer: (toolCallId: string) => answerDatabase(sandbox, toolCallId, 'SQLite', signingKeys),
  }
}

describe.each([{ isSigned: false }, { isSigned: true }])('an agent that withdraws ($isSigned)', (how) => {
  it('gets the answer that a person was told was taken', async () => {
    const { ask, check, answer } = await start(how)
    const ticket = await ask()
    await answer(ticket)
    const answered = { kind: 'answered', answers: { 'Which database?': 'SQLite' } }
    expect(await check(ticket, 'withdraw')).toMatchObject(answered)
    expect(await check(ticket, 'look')).toMatchObject(answered)
  })

  it('refuses an answer that comes later', async () => {
    const { ask, check, answer } = await start(how)
    const ticket = await ask()
    expect(await check(ticket, 'withdraw')).toMatchObject({ kind: 'aborted' })
    await expect(answer(ticket)).rejects.toMatchObject({ code: 'GONE' })
    expect(await check(ticket, 'look')).toMatchObject({ kind: 'aborted' })
  })

  it('and a person who answers at that moment are told the same', async () => {
    const { sandbox, ask, check, answer } = await start(how)
    const kinds = new Set<string>()
    for (let delay = 0; delay < 24; delay++) {
      const ticket = await ask()
      const withdrawing = (async () => {
        for (let turns = 0; turns < delay; turns++) await new Promise(setImmediate)
        return check(ticket, 'withdraw')
      })()
      const refusal = await answer(ticket).then(
        () => null,
        (error: AskError) => error.code,
      )
      const { kind } = await withdrawing
      expect(refusal).toBe(kind === 'answered' ? null : 'GONE')
      expect(await check(ticket, 'look')).toMatchObject({ kind })
      kinds.add(kind)
    }
    expect([...kinds].every((kind) => kind === 'answered' || kind === 'aborted')).toBe(true)
    expect(await listQuestions(sandbox)).toEqual([])
  })
})
