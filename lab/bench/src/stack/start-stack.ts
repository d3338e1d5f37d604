import { fork } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { questionRecordPath } from '@sandagent/files'
import { createSigningKey, LocalSandbox, parseSigningKeys, startRun, stopRun } from '@sandagent/sdk'
import { postAnswer } from './post-answer.ts'

/** A host, and the runner of a signed run that asks one question after the other: processes of their own. */
export interface Stack {
  /** The process of the host. */
  hostPid: number
  /** Answers the next question over HTTP, `thinkMs` milliseconds after it was asked. Resolves to nanoseconds from the POST. */
  answer(thinkMs: number): Promise<{ stored: bigint; resolved: bigint }>
  end(): Promise<void>
}

/**
 * @param waiting so many more questions wait in the runner for an answer that never comes; one at least
 * @param command by which the host reaches the workdir; default: it works at the files itself
 */
export async function startStack(
  workdir: string,
  { waiting, command = [] }: { waiting: number; command?: readonly string[] },
): Promise<Stack> {
  const sandbox = new LocalSandbox({ workdir, isolation: 'none' })
  const key = await createSigningKey()
  let isEnding = false
  const run = await startRun(
    sandbox,
    {
      agent: 'bench',
      prompt: '',
      runner: [process.execPath, pathOf('stack-runner.js'), `--waiting=${waiting}`],
    },
    {
      signingKeys: await parseSigningKeys(key),
      // Receipts are compared behind the end of a run, while their folder is removed.
      onError: (error) => isEnding || console.error(error),
    },
  )
  const server = fork(pathOf('stack-server.js'), [workdir, ...command], {
    env: { ...process.env, SANDAGENT_SIGNING_KEY: key },
  })
  const agent = new Agent({ keepAlive: true })
  const [port] = (await once(server, 'message')) as [number]
  const stream = join(workdir, `.sandagent/runs/${run.runId}/1/stream.sse`)
  let answered = 0
  return {
    hostPid: server.pid as number,
    async answer(thinkMs) {
      const n = answered++
      await exists(join(workdir, questionRecordPath(`ask-${n}`)))
      await sleep(thinkMs)
      const sentAt = process.hrtime.bigint()
      await postAnswer(agent, port, `ask-${n}`)
      const storedAt = process.hrtime.bigint()
      return { stored: storedAt - sentAt, resolved: (await lineOf(stream, n)) - sentAt }
    },
    async end() {
      isEnding = true
      agent.destroy()
      server.kill()
      await stopRun(sandbox, run.runId, { graceMs: 0 })
      // The process beside the runner writes this last. The folder may be removed after it.
      await exists(join(workdir, `.sandagent/runs/${run.runId}/1/exit.json`))
    },
  }
}

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

async function exists(path: string): Promise<void> {
  for (;;) {
    const file = await open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
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
