import { readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Attachment, Outcome } from '@sandagent/core'
import { createRunnerChannel } from '@sandagent/core/store'
import { createFileRunnerChannel } from '@sandagent/files'
import { listen } from '@sandagent/fixtures/listen.ts'
import { hasNatsServer, natsServer } from '@sandagent/fixtures/servers/nats-server.ts'
import { hasPostgres, startPostgres } from '@sandagent/fixtures/servers/postgres-server.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createMemoryFleet, type FleetStore } from '@sandagent/fleet'
import { createRunFleet, createRunnerHandler, fleetSandbox, mirrorQuestions } from '@sandagent/fleet-host'
import { createNatsFleet } from '@sandagent/nats'
import { createPostgresFleet } from '@sandagent/postgres'
import { askUser } from '@sandagent/runner'
import {
  type AnswerableSandbox,
  createAnswerHandler,
  createSigningKey,
  LocalSandbox,
  listQuestions,
  parseSigningKeys,
  startRun,
  stopRun,
  submitAnswer,
  toNodeHandler,
} from '@sandagent/sdk'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { RUNNER, SCENARIO, saidIn } from '../support/attachments/asking-runner.ts'
import { PNG, sha256 } from '../support/attachments/place.ts'

const signingKeys = await parseSigningKeys(await createSigningKey())
/** A picture of several pieces. */
const LARGE = Buffer.concat([PNG, Buffer.alloc(1_000_000, 7)])

interface Carrier {
  /** The store as another host has it. */
  host(): FleetStore
  start?(): Promise<void>
  end?(): Promise<void>
  restart?(): Promise<void>
}

const inMemory = (): Carrier => {
  const fleet = createMemoryFleet()
  return { host: () => fleet }
}

const inPostgres = (): Carrier => {
  let server: Awaited<ReturnType<typeof startPostgres>>
  return {
    host: () => createPostgresFleet({ connectionString: server.url() }),
    async start() {
      server = await startPostgres()
    },
    end: () => server.remove(),
    async restart() {
      await server.kill()
      await server.start()
    },
  }
}

const inNats = (): Carrier => {
  const ends: (() => Promise<void>)[] = []
  let server: Awaited<ReturnType<typeof natsServer>>
  return {
    host: () => createNatsFleet({ servers: server.url }),
    async start() {
      server = await natsServer({ cleanUp: (end) => ends.push(end) })
    },
    restart: () => server.restart(),
    end: async () => ends.pop()?.(),
  }
}

/** What a page of a host can do with the first question of a sandbox. */
async function pageOf(sandbox: AnswerableSandbox) {
  const url = await listen(toNodeHandler(createAnswerHandler({ sandbox, signingKeys })))
  const question = () =>
    vi.waitFor(async () => {
      const [first] = await listQuestions(sandbox, { signingKeys })
      if (!first) throw new Error('Nothing was asked')
      return first
    })
  return {
    question,
    async give(bytes: Buffer): Promise<Attachment> {
      const { toolCallId } = await question()
      const view = await fetch(`${url}?toolCallId=${toolCallId}`)
      expect(await view.json()).toMatchObject({ takesFiles: true })
      const response = await fetch(`${url}?toolCallId=${toolCallId}&question=q&type=image/png`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: Buffer.from(bytes),
      })
      expect(response.status).toBe(200)
      const { file } = (await response.json()) as { file: Omit<Attachment, 'name'> }
      return { ...file, name: 'screen.png' }
    },
    async answer(file: Attachment, status: 'completed' | 'pending' = 'completed'): Promise<void> {
      const { toolCallId } = await question()
      const responses = { q: { selected: [], files: [file], source: 'human' as const } }
      await submitAnswer(sandbox, { toolCallId, status, responses }, { signingKeys })
    },
    /** The digest of the bytes that a page gets of a file. */
    async shown(toolCallId: string, file: Attachment): Promise<string> {
      const response = await fetch(`${url}?toolCallId=${toolCallId}&file=${file.sha256}`)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
      return sha256(Buffer.from(await response.arrayBuffer()))
    },
  }
}

const pathIn = ({ responses }: Outcome): string => {
  const { q } = responses
  return (q && 'files' in q && q.files?.[0]?.path) || ''
}

const request = {
  toolCallId: 'c1',
  runId: 'run-1',
  questions: [{ id: 'q', question: 'What do you see?', files: {} }],
}

describe.each([
  ['memory', true, inMemory],
  ['Postgres', hasPostgres, inPostgres],
  ['NATS', hasNatsServer, inNats],
] as const)('a file for an agent of a fleet over %s', (_name, canRun, makeCarrier) => {
  const carrier = makeCarrier()
  beforeAll(async () => {
    if (canRun) await carrier.start?.()
  })
  afterAll(async () => {
    if (canRun) await carrier.end?.()
  })
  const hostOf = (namespace: string) => {
    const store = carrier.host()
    if (_name !== 'memory') onTestFinished(() => store.close())
    return { store, sandbox: fleetSandbox(store, namespace), questions: store.questions(namespace) }
  }

  it.skipIf(!canRun)('goes from one host to a run over HTTP, and another host shows it', async () => {
    const { store } = hostOf('any')
    const url = await listen(toNodeHandler(createRunnerHandler({ fleet: store, signingKeys })))
    const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
    await writeFile(join(sandbox.workdir, 'scenario.json'), JSON.stringify(SCENARIO))
    const args = ['--scenario', 'scenario.json']
    const { runId } = await startRun(
      sandbox,
      { agent: 'scripted', args, prompt: 'Go', runner: RUNNER },
      { signingKeys, fleet: createRunFleet({ store, url }) },
    )
    onTestFinished(async () => void (await stopRun(sandbox, runId, { graceMs: 0 })))
    const [near, far] = [await pageOf(hostOf(runId).sandbox), await pageOf(hostOf(runId).sandbox)]
    const { toolCallId } = await far.question()
    const file = await near.give(LARGE)
    await near.answer(file, 'pending')
    expect(await far.shown(toolCallId, file)).toBe(sha256(LARGE))
    await near.answer(file)
    const path = join(sandbox.workdir, '.sandagent/attachments', `${sha256(LARGE)}.png`)
    expect(await saidIn(sandbox, runId)).toBe(`It is screen.png at ${path}`)
    expect(sha256(await readFile(path))).toBe(sha256(LARGE))
    expect(await readFile(join(sandbox.workdir, '.sandagent/.gitignore'), 'utf8')).toBe('*\n')
    expect(await far.shown(toolCallId, file)).toBe(sha256(LARGE))
  })

  it.skipIf(!canRun)(
    'comes to a runner that has the store itself, into a folder that nobody else reads',
    async () => {
      const { sandbox } = hostOf('direct')
      const outcome = askUser(createRunnerChannel(hostOf('direct').questions), request)
      const page = await pageOf(sandbox)
      await page.answer(await page.give(LARGE))
      const path = pathIn(await outcome)
      expect(basename(path)).toBe(`${sha256(LARGE)}.png`)
      expect(sha256(await readFile(path))).toBe(sha256(LARGE))
      expect((await stat(path)).mode & 0o777).toBe(0o600)
    },
  )

  it.skipIf(!canRun)('is mirrored with its answer, into the sandbox and out of it', async () => {
    const workdir = await tempDir()
    const sandbox = new LocalSandbox({ workdir })
    const { store } = hostOf('mirrored')
    const stop = new AbortController()
    const mirror = { fleet: store, namespace: 'mirrored', signal: stop.signal, signingKeys }
    const mirroring = mirrorQuestions(sandbox, mirror)
    onTestFinished(async () => {
      stop.abort()
      await mirroring
    })
    const outcome = askUser(createFileRunnerChannel({ workdir }), request)
    const [near, far] = [await pageOf(sandbox), await pageOf(hostOf('mirrored').sandbox)]
    const draft = await near.give(PNG)
    await near.answer(draft, 'pending')
    await vi.waitFor(async () => expect((await far.question()).responses).toHaveProperty('q'))
    expect(await far.shown('c1', draft)).toBe(sha256(PNG))
    const changed = Buffer.concat([PNG, Buffer.from('more')])
    const lost = await near.give(changed)
    await writeFile(
      join(workdir, '.sandagent/attachments', `${sha256(changed)}.png`),
      Buffer.alloc(changed.length),
    )
    await near.answer(lost, 'pending')
    await vi.waitFor(async () => expect((await far.question()).responses.q).toMatchObject({ files: [lost] }))
    await expect(far.shown('c1', lost)).rejects.toThrow('404')
    await far.answer(await far.give(LARGE))
    const path = pathIn(await outcome)
    expect(path).toBe(join(workdir, '.sandagent/attachments', `${sha256(LARGE)}.png`))
    expect(sha256(await readFile(path))).toBe(sha256(LARGE))
  })

  // A server of its own, which memory has not.
  if (carrier.restart)
    it.skipIf(!canRun)('survives the server', async () => {
      const outcome = askUser(createRunnerChannel(hostOf('restarted').questions), request)
      const page = await pageOf(hostOf('restarted').sandbox)
      const file = await page.give(LARGE)
      await carrier.restart?.()
      await vi.waitFor(() => page.answer(file), { timeout: 30_000 })
      expect(sha256(await readFile(pathIn(await outcome)))).toBe(sha256(LARGE))
      expect(await page.shown('c1', file)).toBe(sha256(LARGE))
    })
})
