import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { questionRecordPath } from '@sandagent/files'
import { createSigningKey, LocalSandbox, parseSigningKeys, startRun, stopRun } from '@sandagent/sdk'
import { durableWrite } from './durable-write.ts'
import { type Summary, summarize } from './statistics.ts'

/** From the POST of an answer over HTTP, by what came of it; host, runner and person are processes of their own. */
export interface Stack {
  /** Until the person's request was answered: the answer is stored durably. */
  stored: Summary
  /** Until the runner's `askUser` had resolved to the signed answer. */
  resolved: Summary
  /** One durable atomic write of a file of the same size, on the same disk. */
  durableWrite: Summary
}

const SAMPLES = 300
/** So many come first and do not count: files are read for the first time, and code is compiled. */
const WARM_UP = 30
/** How long people take to answer, in milliseconds: short, but longer than it takes to begin the wait. */
const THINK_MS = 20
/** About what a signed answer with one question takes. */
const ANSWER_BYTES = 900

export async function measureStack(workdir: string): Promise<Stack> {
  await mkdir(workdir, { recursive: true })
  const sandbox = new LocalSandbox({ workdir, isolation: 'none' })
  const key = await createSigningKey()
  const script = fileURLToPath(new URL('stack-runner.js', import.meta.url))
  const run = await startRun(
    sandbox,
    { agent: 'bench', prompt: '', runner: [process.execPath, script] },
    { signingKeys: await parseSigningKeys(key) },
  )
  const server = fork(fileURLToPath(new URL('stack-server.js', import.meta.url)), [workdir], {
    env: { ...process.env, SANDAGENT_SIGNING_KEY: key },
  })
  const agent = new Agent({ keepAlive: true })
  try {
    const [port] = (await once(server, 'message')) as [number]
    const stream = join(workdir, `.sandagent/runs/${run.runId}/1/stream.sse`)
    const times = { stored: [] as bigint[], resolved: [] as bigint[], durableWrite: [] as bigint[] }
    for (let round = -WARM_UP; round < SAMPLES; round++) {
      const n = round + WARM_UP
      const toolCallId = `ask-${n}`
      await exists(join(workdir, questionRecordPath(toolCallId)))
      await sleep(THINK_MS * (1 + Math.random()))
      const sentAt = process.hrtime.bigint()
      await post(agent, port, toolCallId)
      const storedAt = process.hrtime.bigint()
      const resolvedAt = await lineOf(stream, n)
      const beganAt = process.hrtime.bigint()
      durableWrite(join(workdir, 'durable.json'), 'x'.repeat(ANSWER_BYTES))
      const writtenAt = process.hrtime.bigint()
      if (round < 0) continue
      times.stored.push(storedAt - sentAt)
      times.resolved.push(resolvedAt - sentAt)
      times.durableWrite.push(writtenAt - beganAt)
    }
    return {
      stored: summarize(times.stored),
      resolved: summarize(times.resolved),
      durableWrite: summarize(times.durableWrite),
    }
  } finally {
    agent.destroy()
    server.kill()
    await stopRun(sandbox, run.runId, { graceMs: 0 })
  }
}

async function post(agent: Agent, port: number, toolCallId: string): Promise<void> {
  const body = JSON.stringify({
    toolCallId,
    status: 'completed',
    responses: { q1: { selected: ['Python'], source: 'human' } },
  })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const sent = request({ agent, port, host: '127.0.0.1', method: 'POST', path: '/', headers })
  sent.end(body)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  if (response.statusCode !== 200) throw new Error(`The host answered ${response.statusCode}: ${text}`)
}

async function exists(path: string): Promise<void> {
  for (;;) {
    const file = await open(path).catch(() => null)
    if (file) return file.close()
    await sleep(1)
  }
}

async function lineOf(path: string, n: number): Promise<bigint> {
  for (;;) {
    const line = (await readFile(path, 'utf8')).split('\n').slice(0, -1)[n]
    if (line !== undefined) return BigInt(line)
    await sleep(1)
  }
}
