import { createRandom, exponential } from './random.ts'
import { draw, percentile, type ServiceTimes } from './service-times.ts'
import { createDelay, createSharedServer, createSimulation, limited, type Server } from './simulation.ts'

/** What was measured of a store, one operation at a time. */
interface StoreTimes {
  /** An answer or a record, durably. */
  write: ServiceTimes
  /** One question. */
  read: ServiceTimes
  /** From the order to notify until a process that listens goes on. */
  notify: ServiceTimes
}

/** What a fleet is made of. */
export interface Fleet {
  times: StoreTimes
  /** What a host computes for an answer besides. */
  host: ServiceTimes
  /** What a runner computes from its read until `askUser` resolves. */
  runner: ServiceTimes
  /** How many statements a host reads by before and after the write. */
  reads: { before: number; after: number }
  /** Of the machine that has the store. */
  cores: number
  /** The share of the times above that uses a core. The rest waits: for a disk, a network or another process. */
  busyShare: number
  hosts: number
  runners: number
  /** The connections of each process. */
  connections: number
  /** Whether hosts and runners use the machine of the store. Otherwise they have one each. */
  isOneMachine: boolean
  /** From a process to the store and back. */
  roundTripMs: number
}

/** How the answers come. */
export type Load =
  /** As a Poisson process: people know nothing of each other. */
  | { perSecond: number }
  /** So many at a time: each person answers again when the host has replied. */
  | { inFlight: number }

export interface Prediction {
  /** From the answer's arrival at a host until `askUser` resolved. */
  p50Ms: number
  p99Ms: number
  /** Answers that arrived at their runner in each second, without the first and last tenth. */
  perSecond: number
}

/** So many changes come with one read. */
const READ_AT_ONCE = 500

/** Lets a fleet answer so many questions. The same seed gives the same figures. */
export function predict(
  fleet: Fleet,
  load: Load,
  { answers = 20_000, seed = 1 }: { answers?: number; seed?: number } = {},
): Prediction {
  const { times, hosts, runners, connections, roundTripMs } = fleet
  const simulation = createSimulation()
  const random = createRandom(seed)
  const { busyShare } = fleet
  const far = createDelay(simulation)
  const machine = createSharedServer(simulation, fleet.cores)
  /** Part of the time uses a core, and the other part passes. */
  const store: Server = (ms, done) => machine(ms * busyShare, () => far(ms * (1 - busyShare), done))
  /** One operation of the store, with the way to it. */
  const remote: Server = (ms, done) => far(roundTripMs, () => store(ms, done))
  const createProcess = (): Process => ({
    store: limited(remote, connections),
    compute: limited(fleet.isOneMachine ? store : createDelay(simulation), 1),
    toNotify: [],
    isNotifying: false,
    toRead: [],
    isReading: false,
  })
  const hostProcesses = Array.from({ length: hosts }, createProcess)
  const runnerProcesses = Array.from({ length: runners }, createProcess)

  const runnerOf = ({ number }: Answer): Process => runnerProcesses[number % runners] as Process

  const latencies: number[] = []
  const ends: number[] = []
  let started = 0

  const resume = ({ startedAt }: Answer, runner: Process): void =>
    runner.compute(draw(fleet.runner, random), () => {
      latencies.push(simulation.now() - startedAt)
      ends.push(simulation.now())
      // Nobody waits for the receipt, but the store has to write it. Its runner is notified of it, too.
      runner.store(draw(times.write, random), () => notify(runner, null))
    })

  /** A runner reads what it was notified of, one read after the other. */
  const readDue = (runner: Process): void => {
    if (runner.isReading || runner.toRead.length === 0) return
    runner.isReading = true
    const some = runner.toRead.splice(0, READ_AT_ONCE)
    runner.store(draw(times.read, random), () => {
      runner.isReading = false
      for (const answer of some) if (answer) resume(answer, runner)
      readDue(runner)
    })
  }

  /** A process notifies of all that it has stored meanwhile at once. */
  const notify = (from: Process, answer: Answer | null): void => {
    from.toNotify.push([answer, answer ? runnerOf(answer) : from])
    sendDue(from)
  }
  const sendDue = (from: Process): void => {
    if (from.isNotifying || from.toNotify.length === 0) return
    from.isNotifying = true
    const some = from.toNotify.splice(0)
    from.store(draw(times.notify, random), () => {
      from.isNotifying = false
      for (const [answer, runner] of some) runner.toRead.push(answer)
      for (const runner of new Set(some.map(([, to]) => to))) readDue(runner)
      sendDue(from)
    })
  }

  const readTimes = (host: Process, count: number, done: () => void): void =>
    count === 0 ? done() : host.store(draw(times.read, random), () => readTimes(host, count - 1, done))

  function start(): void {
    if (started >= answers) return
    const answer = { number: started++, startedAt: simulation.now() }
    // Not the same host for each question of a runner.
    const host = hostProcesses[Math.floor(random() * hosts)] as Process
    host.compute(draw(fleet.host, random), () =>
      readTimes(host, fleet.reads.before, () =>
        host.store(draw(times.write, random), () => {
          notify(host, answer)
          readTimes(host, fleet.reads.after, () => {
            if ('inFlight' in load) start()
          })
        }),
      ),
    )
  }

  if ('inFlight' in load) for (let n = 0; n < load.inFlight; n++) start()
  else {
    const arrive = (): void => {
      start()
      if (started < answers) simulation.after(exponential(random, 1000 / load.perSecond), arrive)
    }
    arrive()
  }
  simulation.run()
  return summary(latencies, ends)
}

interface Answer {
  number: number
  startedAt: number
}

interface Process {
  store: Server
  /** One thread. */
  compute: Server
  /** What its next notification is about, and whom it reaches. `null`: a receipt. */
  toNotify: [Answer | null, Process][]
  isNotifying: boolean
  /** What its next read is about. */
  toRead: (Answer | null)[]
  isReading: boolean
}

function summary(latencies: readonly number[], ends: readonly number[]): Prediction {
  const tenth = Math.floor(ends.length / 10)
  const some = ends.slice(tenth, ends.length - tenth)
  const sorted = latencies.slice(tenth, latencies.length - tenth).sort((a, b) => a - b)
  return {
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    perSecond: (1000 * (some.length - 1)) / ((some.at(-1) ?? 0) - (some[0] ?? 0)),
  }
}

/** The share at which the model does as many answers a second as were measured, so many at a time. */
export function busyShareFor(
  fleet: Omit<Fleet, 'busyShare'>,
  { perSecond, inFlight }: { perSecond: number; inFlight: number },
): number {
  let [low, high] = [0, 1]
  for (let step = 0; step < 16; step++) {
    const middle = (low + high) / 2
    const { perSecond: found } = predict({ ...fleet, busyShare: middle }, { inFlight }, { answers: 3000 })
    if (found > perSecond) low = middle
    else high = middle
  }
  return (low + high) / 2
}
