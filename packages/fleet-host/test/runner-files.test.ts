import { createHash } from 'node:crypto'
import type { Attachment } from '@sandagent/core'
import { deferred, FILE_ROOM } from '@sandagent/core/internal'
import { createHostChannel, type QuestionStore } from '@sandagent/core/store'
import { listen } from '@sandagent/fixtures/listen.ts'
import { createHttpRunnerChannel, createMemoryFleet } from '@sandagent/fleet'
import { httpQuestions } from '@sandagent/fleet/internal'
import { answerFileFor, openRecord } from '@sandagent/testing'
import { expect, it, onTestFinished } from 'vitest'
import { serveRunners } from './support/http-runners.ts'

const BYTES = Buffer.alloc(600_000, 'picture')
const sha256 = createHash('sha256').update(BYTES).digest('hex')
const FILE: Attachment = { name: 'a.bin', mediaType: 'application/octet-stream', size: BYTES.length, sha256 }

async function serving() {
  const runners = await serveRunners()
  onTestFinished(() => runners.close())
  const questions = runners.fleet.questions('one')
  const write = (toolCallId: string, bytes = BYTES, name = sha256) =>
    questions.writeFile?.(
      toolCallId,
      (async function* () {
        for (let at = 0; at < bytes.length; at += 250_000) yield bytes.subarray(at, at + 250_000)
      })(),
      () => name,
      FILE_ROOM,
    )
  return { ...runners, questions, write }
}

/** Asks, and answers with a file. */
async function answered(questions: QuestionStore, toolCallId: string, more: { runId: string }) {
  const record = openRecord(toolCallId, more)
  const facts = { ...more, askedAt: record.askedAt, isSettled: false }
  await questions.writeRecord(toolCallId, JSON.stringify(record), { expected: null, facts })
  const responses = { q1: { selected: [], files: [FILE], source: 'human' as const } }
  const answerFile = answerFileFor(toolCallId, { status: 'completed', responses })
  await createHostChannel(questions).write(answerFile, { expectedRevision: 0 })
}

it('a runner reads the files that answers to its own questions name, and no others', async () => {
  const { url, token, questions, write } = await serving()
  for (const [toolCallId, runId] of [
    ['own', 'run-1'],
    ['earlier', 'run-0'],
    ['foreign', 'run-2'],
  ] as const) {
    await answered(questions, toolCallId, { runId })
    await write(toolCallId)
    await write(toolCallId, Buffer.from('not named'), 'a'.repeat(64))
  }
  await write('unasked')
  const { readFile } = httpQuestions({ url, token: await token({ continues: ['run-0'] }) })
  for (const toolCallId of ['own', 'earlier']) {
    const first = await readFile(toolCallId, sha256, 0)
    expect(first?.size).toBe(BYTES.length)
    const length = first?.bytes.length ?? 0
    const second = await readFile(toolCallId, sha256, length)
    expect(Buffer.from(second?.bytes ?? []).equals(BYTES.subarray(length, 2 * length))).toBe(true)
    expect(await readFile(toolCallId, 'a'.repeat(64), 0)).toBeNull()
  }
  for (const toolCallId of ['foreign', 'unasked', 'unknown'])
    expect(await readFile(toolCallId, sha256, 0)).toBeNull()
  const elsewhere = httpQuestions({ url, token: await token({ namespace: 'two' }) })
  expect(await elsewhere.readFile('own', sha256, 0)).toBeNull()
})

it('a runner needs its token for files, names them as they are called, and stores none', async () => {
  const { url, token, questions, write } = await serving()
  await answered(questions, 'own', { runId: 'run-1' })
  await write('own')
  const headers = { authorization: `Bearer ${await token()}` }
  const statusOf = async (query: string, init: RequestInit = { headers }) =>
    (await fetch(`${url}/files?${query}`, init)).status
  const good = `toolCallId=own&name=${sha256}&offset=0`
  expect(await statusOf(good)).toBe(200)
  expect(await statusOf(good, {})).toBe(401)
  for (const bad of ['', 'toolCallId=own', good.replace(sha256, '../x'), good.replace('=0', '=-1')])
    expect(await statusOf(bad)).toBe(400)
  for (const method of ['PUT', 'POST', 'DELETE'])
    expect(await statusOf(good, { method, headers, body: 'other bytes' })).toBe(404)
  expect((await questions.readFile?.('own', sha256, 0))?.size).toBe(BYTES.length)
})

it('over a store without files, a runner gets none, and answers still come', async () => {
  const fleet = createMemoryFleet()
  const { writeFile: _, readFile: __, ...questions } = fleet.questions('one')
  const runners = await serveRunners({ ...fleet, questions: () => questions })
  onTestFinished(() => runners.close())
  await answered(questions, 'own', { runId: 'run-1' })
  const channel = createHttpRunnerChannel({ url: runners.url, token: await runners.token() })
  await channel.open(openRecord('own'))
  expect(await channel.read('own')).toMatchObject({ status: 'completed' })
  expect(await channel.readFile?.('own', sha256, 0)).toBeNull()
})

it('a host that sends without end is read no further than a piece', async () => {
  const closed = deferred<void>()
  const url = await listen((_request, response) => {
    response.setHeader('sandagent-file-size', '5')
    const send = (): void => void response.write(Buffer.alloc(1_000_000))
    response.on('drain', send).on('close', closed.resolve)
    send()
  })
  const piece = await httpQuestions({ url, token: 'x.y.z' }).readFile('own', sha256, 0)
  expect(piece).toMatchObject({ size: 5, bytes: { length: 262_144 } })
  // Who reads no further closes the connection.
  await closed.promise
})
