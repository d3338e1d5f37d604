import type { AskError, Outcome } from '@sandagent/core'
import { createRunnerChannel } from '@sandagent/core/store'
import { hasNatsServer } from '@sandagent/fixtures/servers/nats-server.ts'
import type { FleetStore } from '@sandagent/fleet'
import { fleetSandbox } from '@sandagent/fleet-host'
import { createNatsFleet, createNatsQuestions } from '@sandagent/nats'
import { askUser } from '@sandagent/runner'
import { submitAnswer } from '@sandagent/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { repeats } from '../support/repeats.ts'
import { type NatsCluster, natsCluster } from '../support/servers/nats-cluster.ts'

const SERVER_FAULTS = repeats(16, 34)
/** How many times a client is cut off for each of them. */
const CLIENT_FAULTS = 5
const AT_ONCE = 20
const HOSTS = ['A', 'B']
const NAMESPACE = 'faults'
const QUESTION = { question: 'Which?', options: HOSTS.map((label) => ({ label })) }

/** Numbers that look random and are the same each time: a linear congruential generator. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Repeats what may be repeated, until it is known how it ended. */
async function untilKnown<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== 'UNREACHABLE') throw error
      await pause(50)
    }
  }
}

interface Told {
  toolCallId: string
  outcome: Outcome
  /** By host: whether its answer was acknowledged, or the code of the error. */
  hosts: Record<string, string>
  /** The error's facts of who came first. */
  winners: unknown[]
}

/**
 * Strikes servers at random, and cuts off clients all the while. After most faults of a server it waits until the cluster
 * works again: its elections take seconds, and without pauses it would have no leader all the time.
 *
 * @returns how many faults of each kind there were
 */
async function strike(
  cluster: NatsCluster,
  clients: { drop(): void }[],
  works: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const random = seeded(7)
  const below = (n: number): number => Math.floor(random() * n)
  const pairs = [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const
  const part = async (cut: readonly (readonly [number, number])[], ms: number): Promise<void> => {
    for (const [one, other] of cut) cluster.part(one, other)
    await pause(ms)
    for (const [one, other] of cut) cluster.join(one, other)
  }
  const kinds: [name: string, fault: () => Promise<void>][] = [
    ['two servers are cut off from each other', () => part([pairs[below(3)] ?? pairs[0]], below(800))],
    [
      'a server is cut off from both others',
      () => {
        const lonely = below(3)
        return part(
          pairs.filter((pair) => pair.some((server) => server === lonely)),
          below(1500),
        )
      },
    ],
    [
      'a server stands still',
      async () => {
        const server = cluster.servers[below(3)]
        await server?.signal('SIGSTOP')
        await pause(below(800))
        await server?.signal('SIGCONT')
      },
    ],
    ['a server is killed', async () => cluster.servers[below(3)]?.restart()],
  ]
  const counts: Record<string, number> = { 'a client is cut off': CLIENT_FAULTS * SERVER_FAULTS }
  for (let fault = 0; fault < SERVER_FAULTS; fault++) {
    for (let cut = 0; cut < CLIENT_FAULTS; cut++) {
      clients[below(clients.length)]?.drop()
      await pause(below(150))
    }
    const [name, strikeNow] = kinds[below(kinds.length)] as (typeof kinds)[0]
    counts[name] = (counts[name] ?? 0) + 1
    await strikeNow()
    if (random() < 0.8) await works()
  }
  return counts
}

it.runIf(hasNatsServer)(
  'through 204 faults of a cluster, nobody is told otherwise than what happened',
  { timeout: 300_000 },
  async () => {
    const cluster = await natsCluster()
    const clients = await Promise.all([...HOSTS, 'runner'].map(() => cluster.client()))
    const runnerClient = clients.at(-1)
    const hosts = HOSTS.map((name, n): [string, FleetStore] => {
      const fleet = createNatsFleet({ servers: clients[n]?.servers, replicas: 3 })
      onTestFinished(() => fleet.close())
      return [name, fleet]
    })
    await vi.waitFor(() => hosts[0]?.[1].unsettled(), { timeout: 60_000, interval: 200 })
    const questions = createNatsQuestions({ servers: runnerClient?.servers, namespace: NAMESPACE })
    onTestFinished(() => questions.close())
    const runner = createRunnerChannel(questions)

    const random = seeded(11)
    const one = async (toolCallId: string): Promise<Told> => {
      const timeoutMs = 200 + Math.floor(random() * 3000)
      const hostsTold: Record<string, string> = {}
      const winners: unknown[] = []
      let wasAsked = (): void => {}
      const asked = new Promise<void>((resolve) => {
        wasAsked = resolve
      })
      const asking = untilKnown(() =>
        askUser(
          runner,
          { toolCallId, runId: 'run', questions: [QUESTION] },
          { timeoutMs, onAsked: () => wasAsked() },
        ),
      )
      await Promise.race([asked, asking])
      await Promise.all(
        hosts.map(async ([name, fleet]) => {
          await pause(random() * timeoutMs * 1.5)
          const answer = { toolCallId, answers: { 'Which?': name }, status: 'completed' as const }
          const sandbox = fleetSandbox(fleet, NAMESPACE)
          await untilKnown(() => submitAnswer(sandbox, answer, { answeredBy: name })).then(
            () => {
              hostsTold[name] = 'stored'
            },
            ({ code, facts }: AskError) => {
              hostsTold[name] = code
              if (code !== 'CONFLICT') return
              const { question } = facts as { question?: { answeredBy?: string } }
              winners.push(question?.answeredBy ?? facts.answeredBy)
            },
          )
        }),
      )
      return { toolCallId, outcome: await asking, hosts: hostsTold, winners }
    }

    const told: Told[] = []
    let isOver = false
    let count = 0
    const workers = Array.from({ length: AT_ONCE }, async () => {
      while (!isOver) told.push(await one(`t${count++}`))
    })
    const counts = await strike(cluster, clients, () => untilKnown(() => questions.read([])))
    isOver = true
    await Promise.all(workers)

    const kinds: Record<string, number> = {}
    const misinformed: unknown[] = []
    for (const { toolCallId, outcome, hosts: answers, winners } of told) {
      const winner = outcome.kind === 'answered' ? (outcome.answeredBy ?? 'nobody') : null
      const stored = Object.entries(answers).filter(([, code]) => code === 'stored')
      const isOneTold = stored.map(([name]) => name).join() === (winner ?? '')
      // The first answer to a question that is closing may still come too late. Then its own host is told so.
      const areLosersTold = winners.every((name) =>
        winner === null ? answers[String(name)] === 'GONE' : name === winner,
      )
      if (!isOneTold || !areLosersTold)
        misinformed.push({ outcome, answers, winners, there: await questions.read([toolCallId]) })
      const kind = [outcome.kind, ...Object.values(answers).sort()].join(' ')
      kinds[kind] = (kinds[kind] ?? 0) + 1
    }
    console.log(`${told.length} questions through these faults:`, counts, kinds)
    expect(misinformed).toEqual([])
    expect(told.length).toBeGreaterThan(SERVER_FAULTS)
    expect(told.some(({ outcome }) => outcome.kind === 'answered')).toBe(true)
    expect(told.some(({ outcome }) => outcome.kind === 'timed-out')).toBe(true)
  },
)
