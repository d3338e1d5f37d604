import { setTimeout as sleep } from 'node:timers/promises'
import { parseSigningKeys } from '@sandagent/sdk'
import { treeCpuMs } from '../lib/cpu-time.ts'
import { summarize } from '../lib/statistics.ts'
import type { Carrier } from './carrier.ts'
import { carrierOf } from './carriers.ts'
import { Child } from './child.ts'

export const RUNNERS = 20
export const HOSTS = 4
const WARM_UP = 20
/** How long people take to answer, in milliseconds: short, but longer than it takes to begin the wait. */
const THINK_MS = 20
/** About what a signed answer with one question takes. */
export const TEXT: string = 'x'.repeat(900)
/** An answer that was acknowledged and did not arrive by then counts as lost, in milliseconds. */
const LONGEST_DELIVERY_MS = 30_000

/** Answers a second, and what each takes of the CPU; `null` where the system does not tell. */
export interface FleetRate {
  perSecond: number
  hostCpuMs: number | null
  runnerCpuMs: number | null
  serverCpuMs: number | null
}

/** The processes around one server. */
export class Fleet {
  readonly #name: string
  readonly #url: string
  #runners: { namespace: string; process: Child }[] = []
  #hosts: Child[] = []
  #waiting = 0
  #asked = 0
  lost = 0

  constructor(name: string, url: string) {
    this.#name = name
    this.#url = url
  }

  async start(key: string): Promise<void> {
    const { publicKeys } = await parseSigningKeys(key)
    const args = [this.#name, this.#url]
    await this.#enterRuns(publicKeys.keys.flatMap(({ kid = [] }) => kid))
    this.#hosts = Array.from(
      { length: HOSTS },
      () => new Child('fleet-host.js', args, { SANDAGENT_SIGNING_KEY: key }),
    )
    this.#runners = Array.from({ length: RUNNERS }, (_, n) => {
      const namespace = `run-${n}`
      const env = { SANDAGENT_PUBLIC_KEYS: JSON.stringify(publicKeys) }
      return { namespace, process: new Child('fleet-runner.js', [...args, namespace], env) }
    })
    await Promise.all(this.#hosts.map((host) => host.hear((message) => message === 'ready')))
  }

  /** What hosts tell each other when they start runs. */
  async #enterRuns(publicKeyIds: string[]): Promise<void> {
    const fleet = carrierOf(this.#name).fleet(this.#url)
    const facts = { publicKeyIds, metadata: {}, startedAt: new Date().toISOString() }
    for (let n = 0; n < RUNNERS; n++)
      await fleet.runs.put({ runId: `run-${n}`, namespace: `run-${n}`, ...facts })
    await fleet.close()
  }

  /** Asks until so many questions wait for an answer that never comes. */
  async wait(count: number): Promise<void> {
    const each = Math.ceil((count - this.#waiting) / RUNNERS)
    await Promise.all(
      this.#runners.map(({ process }) => {
        const ids = Array.from({ length: each }, (_, n) => `waiting-${this.#waiting + n}`)
        process.tell({ ids, isAnswered: false })
        return process.hear<{ asked?: number }>(({ asked }) => asked === each)
      }),
    )
    this.#waiting = count
  }

  /**
   * Nanoseconds from the call of `submitAnswer` until `askUser` resolved, and until the call returned; and, in turns with it,
   * of the bare client.
   */
  async latency(samples: number, carrier?: Carrier): Promise<Record<'own' | 'stored' | 'bare', bigint[]>> {
    const listener = carrier && new Child('bare/bare-listener.js', [this.#name, this.#url, 'alone'])
    const bare = await carrier?.bare(this.#url)
    await listener?.hear((message) => message === 'ready')
    const times = { own: [] as bigint[], stored: [] as bigint[], bare: [] as bigint[] }
    for (let round = -WARM_UP; round < samples; round++) {
      const { own, stored } = await this.#answerOne()
      if (round >= 0) {
        times.own.push(own)
        times.stored.push(stored)
      }
      if (!bare || !listener) continue
      const key = `bare-${round}`
      await sleep(THINK_MS)
      const startedAt = process.hrtime.bigint()
      const done = bare.store('alone', key, TEXT)
      const { heardAt } = await listener.hear<{ key?: string; heardAt: string }>((heard) => heard.key === key)
      if (round >= 0) times.bare.push(BigInt(heardAt) - startedAt)
      await done // its client may be told later
    }
    await bare?.close()
    await listener?.end()
    return times
  }

  async #answerOne(): Promise<{ own: bigint; stored: bigint }> {
    const n = this.#asked++
    const toolCallId = `ask-${n}`
    const runner = this.#runners[n % RUNNERS] as { namespace: string; process: Child }
    const host = this.#hosts[n % HOSTS] as Child
    runner.process.tell({ ids: [toolCallId], isAnswered: true })
    await runner.process.hear<{ asked?: number }>(({ asked }) => asked === 1)
    await sleep(THINK_MS * (1 + Math.random()))
    host.tell({ answers: [{ namespace: runner.namespace, toolCallId }] })
    const [{ startedAt, endedAt }, { resolvedAt }] = await Promise.all([
      host.hear<{ startedAt: string; endedAt: string }>(({ startedAt }) => startedAt !== undefined),
      runner.process.hear<{ toolCallId?: string; resolvedAt: string }>(
        (told) => told.toolCallId === toolCallId,
      ),
    ])
    return {
      own: BigInt(resolvedAt) - BigInt(startedAt),
      stored: BigInt(endedAt) - BigInt(startedAt),
    }
  }

  /** How long the first page of all open questions takes, in milliseconds. */
  async list(): Promise<number> {
    const [host] = this.#hosts as [Child]
    const times: bigint[] = []
    for (let round = 0; round < 10; round++) {
      host.tell({ list: 100 })
      const told = await host.hear<{ startedAt: string; endedAt: string }>(
        ({ endedAt }) => endedAt !== undefined,
      )
      times.push(BigInt(told.endedAt) - BigInt(told.startedAt))
    }
    return summarize(times).p50Ms
  }

  /**
   * Answers a second, from the first call until the last runner had its answer, and what each takes of the CPU. Counts answers
   * that do not arrive.
   */
  async rate(count: number, server: number): Promise<FleetRate> {
    const questions = await Promise.all(
      this.#runners.map(async ({ namespace, process }) => {
        const ids = Array.from({ length: count / RUNNERS }, (_, n) => `rate-${n}`)
        process.tell({ ids, isAnswered: true })
        await process.hear<{ asked?: number }>(({ asked }) => asked === ids.length)
        return ids.map((toolCallId) => ({ namespace, toolCallId }))
      }),
    )
    const all = questions.flat()
    const cpuMs = (): number[] | null =>
      process.platform === 'linux'
        ? [this.#hosts, this.#runners.map((runner) => runner.process), [{ pid: server }]].map((processes) =>
            processes.reduce((sum, { pid }) => sum + treeCpuMs(pid), 0),
          )
        : null
    const before = cpuMs()
    const startedAt = process.hrtime.bigint()
    const arrivals: bigint[] = []
    const resolved = Promise.all(
      this.#runners.map(async ({ process }) => {
        for (let n = 0; n < count / RUNNERS; n++) {
          const { resolvedAt = '' } = await process.hear<{ resolvedAt?: string }>(
            (told) => told.resolvedAt !== undefined,
          )
          arrivals.push(BigInt(resolvedAt))
        }
      }),
    )
    await Promise.all(
      this.#hosts.map((host, n) => {
        host.tell({ answers: all.filter((_, index) => index % HOSTS === n) })
        return host.hear<{ endedAt?: string }>(({ endedAt }) => endedAt !== undefined)
      }),
    )
    await Promise.race([resolved, sleep(LONGEST_DELIVERY_MS, null, { ref: false })])
    this.lost += count - arrivals.length
    const endedAt = arrivals.sort((a, b) => Number(a - b)).at(-1) ?? process.hrtime.bigint()
    const each = cpuMs()?.map((ms, index) => (ms - (before?.[index] ?? 0)) / count)
    const [hostCpuMs = null, runnerCpuMs = null, serverCpuMs = null] = each ?? []
    const perSecond = Math.round(arrivals.length / (Number(endedAt - startedAt) / 1e9))
    return { perSecond, hostCpuMs, runnerCpuMs, serverCpuMs }
  }

  async end(): Promise<void> {
    await Promise.all(
      [...this.#hosts, ...this.#runners.map(({ process }) => process)].map((child) => child.end()),
    )
  }
}
