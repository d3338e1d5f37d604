import { PassThrough } from 'node:stream'
import { systemClock } from '@sandagent/core/internal'
import { createHostChannel } from '@sandagent/core/store'
import { type Connection, RemoteSandbox } from '@sandagent/remote'
import { openRecord } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { HELLO, type Reply, scriptedSandbox, valued } from '../support/remote/scripted-relay.ts'

const UNREACHABLE = { code: 'UNREACHABLE' }
const LARGE = 'x'.repeat(2_000_000)

/** The host's channel of a sandbox whose relay a test plays. */
function scriptedChannel(reply: Reply) {
  const { sandbox } = scriptedSandbox(reply)
  const onWarning = vi.fn()
  const channel = createHostChannel(sandbox.questions, {
    publicKeys: async () => null,
    authenticate: async (answerFile) => answerFile,
    onWarning,
    clock: systemClock,
  })
  return { channel, onWarning }
}

it('a relay that lists older questions without end fails the request', async () => {
  const { channel } = scriptedChannel(({ id }, say) => {
    for (let count = 0; count < 40; count++)
      say(`${JSON.stringify({ id, event: { state: { toolCallId: 'toolu_1', record: LARGE } } })}\n`)
  })
  await expect(channel.withoutRecord?.()).rejects.toMatchObject(UNREACHABLE)
})

it('a relay that repeats a state without end fails the request', async () => {
  const { channel } = scriptedChannel(({ id }, say) => {
    for (let count = 0; count < 40; count++)
      say(`${JSON.stringify({ id, event: { index: 0, state: { toolCallId: 'toolu_1', record: LARGE } } })}\n`)
  })
  const records = ['toolu_1', 'toolu_2'].map((toolCallId) => openRecord(toolCallId))
  await expect(channel.states(records)).rejects.toMatchObject(UNREACHABLE)
})

it('1,000 warnings of one call are passed on, and no more', async () => {
  const warning = { code: 'INVALID_FILE', message: 'It is broken' }
  const { channel, onWarning } = scriptedChannel((request, say) => {
    for (let count = 0; count < 1100; count++)
      say(`${JSON.stringify({ id: request.id, event: { warning } })}\n`)
    valued(null)(request, say)
  })
  expect(await channel.questions()).toEqual([])
  expect(onWarning).toHaveBeenCalledTimes(1000)
})

it('a subscription that the relay ends fails', async () => {
  const { channel } = scriptedChannel(valued(null))
  const states = channel.subscribe(new AbortController().signal)[Symbol.asyncIterator]()
  await expect(states.next()).rejects.toMatchObject({
    ...UNREACHABLE,
    message: 'The relay ended a subscription',
  })
})

it('a state of another question than the subscribed one is not remembered', async () => {
  const { channel, onWarning } = scriptedChannel(({ id }, say) => {
    for (const toolCallId of ['toolu_2', 'toolu_1']) {
      const record = JSON.stringify(openRecord(toolCallId))
      say(`${JSON.stringify({ id, event: { state: { toolCallId, record } } })}\n`)
    }
  })
  const states = channel.subscribe(new AbortController().signal, 'toolu_1')[Symbol.asyncIterator]()
  expect(await states.next()).toMatchObject({ value: { toolCallId: 'toolu_1' } })
  expect(onWarning).toHaveBeenCalledWith(expect.objectContaining(UNREACHABLE))
  expect(await channel.known('toolu_1')).toMatchObject({ toolCallId: 'toolu_1' })
  expect(await channel.known('toolu_2')).toBeNull()
  await states.return?.()
})

it('the relay is uploaded once in a connection', async () => {
  let received = 0
  let size = 0
  const connect = ([, , , hash, bytes]: readonly string[]): Connection => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    size = Number(bytes)
    let isGreeted = false
    stdin.on('data', (piece: Buffer) => {
      received += piece.length
      if (received < size) return
      const line = isGreeted ? '{"id":1,"value":null}\n' : HELLO
      isGreeted = true
      setImmediate(() => stdout.write(line))
    })
    stdout.write(`{"sandagent":"start","wants":"${hash}"}\n`.repeat(3))
    return { stdin, stdout, closed: new Promise(() => {}) }
  }
  const sandbox = new RemoteSandbox({ name: 'greedy', workdir: '/w', connect })
  onTestFinished(() => sandbox.close())
  expect(await sandbox.files.read('f')).toBeNull()
  expect(received).toBeGreaterThan(size)
  expect(received).toBeLessThan(size + 10_000)
})
