import { PassThrough } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { serveAskMcpStdio } from '../../src/mcp.ts'
import { createWorkspace } from '../workspace.ts'

const questions = [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }]

async function start() {
  const space = await createWorkspace()
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  let printed = ''
  stdout.on('data', (piece) => {
    printed += piece
  })
  const connection = serveAskMcpStdio({ channel: space.channel }, { stdin, stdout })
  const send = (message: object): void =>
    void stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'test', version: '1' }
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  })
  send({ method: 'notifications/initialized' })
  send({
    id: 2,
    method: 'tools/call',
    params: { name: 'ask_user_question', arguments: { questions }, _meta: { callId: 'call_1' } },
  })
  await vi.waitFor(() => space.record('call_1'))
  return { space, stdin, connection, printed: () => printed }
}

it('a client asks over the streams, and the end of the connection withdraws its question', async () => {
  const { space, connection, printed } = await start()
  expect(printed()).toContain('"id":1')
  await connection.close()
  await connection.ended
  expect(await space.record('call_1')).toMatchObject({ state: 'aborted' })
})

it('a client that goes away ends the connection, after its question is settled', async () => {
  const { space, stdin, connection } = await start()
  stdin.end()
  await connection.ended
  expect(await space.record('call_1')).toMatchObject({ state: 'aborted' })
})

it('an unknown option is refused', () => {
  expect(() => serveAskMcpStdio({ typo: 1 } as never)).toThrow('serveAskMcpStdio')
})
