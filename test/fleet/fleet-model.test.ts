import { expect, it } from 'vitest'
import { busyShareFor, type Fleet, predict } from '../../lab/bench/src/fleet-model/model.ts'
import { createRandom, exponential } from '../../lab/bench/src/fleet-model/random.ts'
import { draw, type ServiceTimes, serviceTimes } from '../../lab/bench/src/fleet-model/service-times.ts'
import {
  createDelay,
  createSharedServer,
  createSimulation,
  limited,
  type Server,
  type Simulation,
} from '../../lab/bench/src/fleet-model/simulation.ts'

const always = (ms: number): ServiceTimes => serviceTimes([ms])

const FLEET: Fleet = {
  times: { write: always(2), read: always(1), notify: always(1) },
  host: always(1),
  runner: always(1),
  reads: { before: 2, after: 0 },
  cores: 2,
  busyShare: 1,
  hosts: 2,
  runners: 2,
  connections: 10,
  isOneMachine: true,
  roundTripMs: 0,
}

/** The mean time from arrival until the end of work, when work arrives at random. */
function meanTime(
  create: (simulation: Simulation) => Server,
  { load, workOf }: { load: number; workOf: (random: () => number) => number },
): number {
  const simulation = createSimulation()
  const server = create(simulation)
  const random = createRandom(7)
  const count = 200_000
  let sum = 0
  const arrive = (left: number): void => {
    if (left === 0) return
    const at = simulation.now()
    server(workOf(random), () => {
      sum += simulation.now() - at
    })
    simulation.after(exponential(random, 1 / load), () => arrive(left - 1))
  }
  arrive(count)
  simulation.run()
  return sum / count
}

it('work that shares one server takes as long as the theory of queues says', () => {
  const shared = (simulation: Simulation): Server => createSharedServer(simulation, 1)
  const workOf = (random: () => number): number => exponential(random, 1)
  for (const load of [0.3, 0.6, 0.8]) {
    const expected = 1 / (1 - load)
    expect(Math.abs(meanTime(shared, { load, workOf }) / expected - 1)).toBeLessThan(0.05)
  }
})

it('work that waits in line takes as long as the theory of queues says', () => {
  const inLine = (simulation: Simulation): Server => limited(createDelay(simulation), 1)
  for (const load of [0.3, 0.6, 0.8]) {
    const expected = 1 + load / (2 * (1 - load))
    expect(Math.abs(meanTime(inLine, { load, workOf: () => 1 }) / expected - 1)).toBeLessThan(0.05)
  }
})

it('drawn times have the percentiles that they were drawn from', () => {
  const random = createRandom(3)
  const measured = Array.from({ length: 5000 }, () => exponential(random, 4))
  const times = serviceTimes(measured)
  const drawn = serviceTimes(Array.from({ length: 50_000 }, () => draw(times, random)))
  for (const share of ['p25', 'p50', 'p75', 'p90', 'p99'] as const)
    expect(Math.abs(drawn[share] / times[share] - 1)).toBeLessThan(0.05)
})

it('an answer alone takes the sum of its parts', () => {
  const { p50Ms, p99Ms } = predict(FLEET, { perSecond: 0.1 }, { answers: 500 })
  expect(p50Ms).toBeCloseTo(1 + 2 + 2 + 1 + 1 + 1)
  expect(p99Ms).toBeCloseTo(8)
})

it('the same seed predicts the same, and more answers a second take longer', () => {
  const at = (perSecond: number, seed: number) => predict(FLEET, { perSecond }, { answers: 4000, seed })
  expect(at(100, 1)).toEqual(at(100, 1))
  expect(at(100, 1)).not.toEqual(at(100, 2))
  expect(at(150, 1).p50Ms).toBeGreaterThan(at(50, 1).p50Ms)
})

it('the share of a core is found again from the most answers a second', () => {
  const fleet = { ...FLEET, busyShare: 0.6 }
  const { perSecond } = predict(fleet, { inFlight: 32 }, { answers: 3000 })
  expect(busyShareFor(FLEET, { perSecond, inFlight: 32 })).toBeCloseTo(0.6, 2)
})
