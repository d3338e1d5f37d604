import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createSigningKey, LocalSandbox, parseSigningKeys, readRun, startRun, stopRun } from '@sandagent/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sandagent } from '../support/mcp.ts'
import { repeats } from '../support/repeats.ts'

const HOST = fileURLToPath(new URL('../support/park/host.mjs', import.meta.url))
const QUESTIONS = repeats(15, 40)
/** At first, a host lives between nothing and this long after its start, in milliseconds. */
const SHORT_LIFE_MS = 200
/** A person takes at most this long to answer, in milliseconds: so answers come at any moment of a host's life. */
const LONGEST_THOUGHT_MS = 400

const textOf = (n: number): string => `Question ${n}?`
const scenario = {
  steps: Array.from({ length: QUESTIONS }, (_, n) => [
    { ask: { questions: [{ id: `q${n}`, question: textOf(n), options: [{ label: 'A' }, { label: 'B' }] }] } },
    { write: { path: `answer-${n}.txt`, content: `{{answers.q${n}}}` } },
  ]).flat(),
}

it(`delivers ${QUESTIONS} answers although the parking host is killed all the time`, async () => {
  const workdir = join(await tempDir(), 'workdir')
  const folder = join(await tempDir(), 'parked')
  const key = await createSigningKey()
  const local = new LocalSandbox({ workdir, isolation: 'none' })
  await writeFile(join(workdir, 'scenario.json'), JSON.stringify(scenario))
  const { runId } = await startRun(
    local,
    {
      agent: 'scripted',
      args: ['--scenario', 'scenario.json'],
      prompt: 'Go',
      runner: [process.execPath, sandagent],
    },
    { signingKeys: await parseSigningKeys(key), onError: () => {} },
  )
  onTestFinished(() => stopRun(local, runId, { graceMs: 0 }).then(() => {}))

  let host: ChildProcess | undefined
  let port = 0
  let kills = 0
  const phases = new Set<string>()
  const isAlive = (host?: ChildProcess): host is ChildProcess =>
    host?.exitCode === null && host.signalCode === null
  const kill = async (): Promise<void> => {
    if (!isAlive(host)) return
    host.kill('SIGKILL')
    await once(host, 'exit')
    kills++
  }
  onTestFinished(kill)
  const start = async (): Promise<void> => {
    host = fork(HOST, [workdir, folder], { env: { ...process.env, SANDAGENT_SIGNING_KEY: key } })
    host.on('message', (message: { port?: number; phase?: string }) => {
      port = message.port ?? port
      if (message.phase) phases.add(message.phase)
    })
    await Promise.race([once(host, 'message'), once(host, 'exit')])
  }

  // Later hosts may be killed before they park.
  await start()
  await vi.waitFor(() => expect(phases).toContain('asleep'))
  await kill()

  let isOver = false
  // On a slow machine a host needs longer for an answer. So hosts live longer until one comes, and shorter afterwards.
  let longestLifeMs = SHORT_LIFE_MS
  const lives = (async () => {
    while (!isOver) {
      await start()
      await sleep(longestLifeMs * Math.random())
      longestLifeMs *= 1.3
      if (!isOver) await kill()
    }
  })()

  const url = (): string => `http://127.0.0.1:${port}/`
  for (let n = 0; n < QUESTIONS; n++) {
    const label = n % 3 === 0 ? 'A' : 'B'
    let isSent = false
    await sleep(LONGEST_THOUGHT_MS * Math.random())
    // A person sends an answer until the host says that it is stored.
    await vi.waitFor(
      async () => {
        const { questions } = await (await fetch(url())).json()
        const asked = questions.find(
          (view: { questions: { question: string }[] }) => view.questions[0]?.question === textOf(n),
        )
        // The host may have been killed between storing the answer and saying so.
        if (!asked && isSent) return
        if (!asked) throw new Error(`${textOf(n)} is not asked`)
        const { toolCallId, questionDigest } = asked
        const body = { toolCallId, questionDigest, status: 'completed', answers: { [textOf(n)]: label } }
        const headers = { 'content-type': 'application/json' }
        isSent = true
        const response = await fetch(url(), { method: 'POST', headers, body: JSON.stringify(body) })
        expect(response.status).toBe(200)
      },
      { timeout: 120_000 },
    )
    longestLifeMs = Math.max(SHORT_LIFE_MS, longestLifeMs / 2)
  }
  isOver = true
  await lives
  // The last host may have been killed after it took the last answer, and before it woke the sandbox.
  if (!isAlive(host)) await start()
  await vi.waitFor(async () => expect(await readRun(local, runId)).toMatchObject({ state: 'finished' }))
  for (let n = 0; n < QUESTIONS; n++)
    expect(await local.files.read(`answer-${n}.txt`)).toBe(n % 3 === 0 ? 'A' : 'B')
  expect(kills).toBeGreaterThan(QUESTIONS / 2)
}, 600_000)
