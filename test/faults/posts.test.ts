import { once } from 'node:events'
import { connect } from 'node:net'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { receiptsWritten } from '@sandagent/runner'
import { createAnswerHandler, LocalSandbox } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { answerFile, exists } from '../support/question-files.ts'
import { post, serve } from '../support/servers/serve.ts'
import { answerOf, asking } from './question.ts'

const answeredA = { kind: 'answered', responses: answerOf('A').responses }
const ANSWER_FILE = '.sandagent/approvals/t1.json'

/** A question that waits, and the answer API of its host. */
async function waitingQuestion() {
  const workdir = await tempDir()
  const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  const failures: unknown[] = []
  const onError = (error: unknown): void => void failures.push(error)
  const url = await serve(createAnswerHandler({ sandbox, signingKeys: null, authorize: () => true, onError }))
  const { outcome } = await asking(workdir)
  return { workdir, url, outcome, failures }
}

/** Sends the first bytes of a POST of the answer, and closes the connection when `until` resolves. */
async function cutPost(url: string, share: number, until: () => Promise<unknown>): Promise<void> {
  const body = JSON.stringify(answerOf('A'))
  const head = `POST / HTTP/1.1\r\nhost: ${new URL(url).host}\r\ncontent-type: application/json\r\n`
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  // Nobody reads the reply.
  socket.pause()
  socket.write(`${head}content-length: ${body.length}\r\n\r\n${body.slice(0, body.length * share)}`)
  await until()
  socket.destroy()
}

describe('a POST of an answer', () => {
  it('stores nothing when it is cut off in the middle, and the whole one after it is stored', async () => {
    const { workdir, url, outcome, failures } = await waitingQuestion()
    // The server has read what was sent before the cut when it replies to a later request.
    for (const share of [0, 0.5, 0.99]) await cutPost(url, share, () => fetch(`${url}?toolCallId=t1`))
    expect(await exists(workdir, ANSWER_FILE)).toBe(false)
    expect((await post(url, answerOf('A'))).status).toBe(200)
    expect(await outcome).toMatchObject(answeredA)
    expect(failures).toEqual([])
    await receiptsWritten()
  })

  it('is one answer when it comes twice at once', async () => {
    const { workdir, url, outcome } = await waitingQuestion()
    const replies = await Promise.all([post(url, answerOf('A')), post(url, answerOf('A'))])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(await outcome).toMatchObject(answeredA)
    expect(await answerFile(workdir, 't1')).toMatchObject({ status: 'completed', revision: 1 })
    await receiptsWritten()
  })

  it('is one answer when its reply is lost and it is sent again', async () => {
    const { workdir, url, outcome } = await waitingQuestion()
    await cutPost(url, 1, () => vi.waitFor(async () => expect(await exists(workdir, ANSWER_FILE)).toBe(true)))
    expect((await post(url, answerOf('A'))).status).toBe(200)
    expect((await post(url, answerOf('B'))).status).toBe(409)
    expect(await outcome).toMatchObject(answeredA)
    await receiptsWritten()
  })
})
