// Scripts that do nothing but wait. A process of Node ends with code 13 when nothing keeps it running.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createFileRunnerChannel } from '@sandagent/files'
import { listen } from '@sandagent/fixtures/listen.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createMemoryFleet } from '@sandagent/fleet'
import { createRunnerHandler, createRunnerToken, fleetSandbox } from '@sandagent/fleet-host'
import {
  createSigningKey,
  LocalSandbox,
  listQuestions,
  parseSigningKeys,
  submitAnswer,
  toNodeHandler,
} from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { COMMAND } from '../support/remote/piped-sandbox.ts'

/** Starts a script, which gives its lines one by one, and its exit code. */
function start(name: string, ...args: string[]) {
  const path = fileURLToPath(new URL(`../support/programs/${name}`, import.meta.url))
  const script: ChildProcess = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(script, 'exit').then(([code]) => code)
  onTestFinished(async () => {
    script.kill('SIGKILL')
    await ended
  })
  const lines = createInterface({ input: script.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  return { line: async () => (await lines.next()).value, ended, isOver: () => script.exitCode !== null }
}

it('a script that watches a remote sandbox goes on until there is a question', async () => {
  const workdir = await tempDir()
  const { line, ended, isOver } = start('watch-remotely.mjs', workdir, process.execPath, COMMAND)
  expect(await line()).toBe('connected')
  // Its connection is idle now. Without a reason to stay, it would end within a few of these.
  const here = new LocalSandbox({ workdir, isolation: 'none' })
  for (let looks = 0; looks < 100 && !isOver(); looks++) await listQuestions(here)
  await createFileRunnerChannel({ workdir }).open(openRecord('call_1'))
  expect(await line()).toBe('call_1')
  expect(await ended).toBe(0)
})

it('a script that asks over HTTP waits while its host is down, and gets its answer', async () => {
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const store = createMemoryFleet()
  const handle = toNodeHandler(createRunnerHandler({ fleet: store, signingKeys }))
  const connections = new Set<ServerResponse>()
  let isDown = false
  let refused = 0
  const url = await listen((request: IncomingMessage, response: ServerResponse) => {
    if (isDown) refused++
    connections.add(response)
    if (isDown) response.destroy()
    else void handle(request, response)
  })
  const token = await createRunnerToken({ namespace: 'n', runId: 'run' }, { signingKeys })
  const { line, ended, isOver } = start('ask-over-http.mjs', url, token)
  expect(await line()).toBe('asked')
  isDown = true
  for (const response of connections) response.destroy()
  await vi.waitFor(() => expect(refused > 3 || isOver()).toBe(true))
  isDown = false
  const answer = {
    toolCallId: 'call_1',
    answers: { 'Which language?': 'Python' },
    status: 'completed',
  } as const
  await submitAnswer(fleetSandbox(store, 'n'), answer, { signingKeys })
  expect(await line()).toBe('answered')
  expect(await ended).toBe(0)
})
