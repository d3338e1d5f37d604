import type { Meter } from '@opentelemetry/api'
import { isSettled, type Observation, type OpenRecord } from '@sandagent/core/internal'
import { NAMES } from '../names.ts'
import { AskTimes } from '../times.ts'

/** Upper ends of the buckets, in seconds: people take from seconds to days, machines from milliseconds to seconds. */
const PEOPLE = [1, 5, 15, 30, 60, 300, 900, 3600, 14_400, 86_400, 604_800]
const MACHINES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of a runner: how its questions end, and how long people and machines take. */
export function askMetrics(meter: Meter): (asked: OpenRecord) => Observation {
  const outcomes = meter.createCounter('sandagent.question.outcomes', {
    description: 'Questions that ended, by how they ended',
    unit: '{question}',
  })
  const seconds = (name: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries } })
  const humanTime = seconds(
    'sandagent.question.human_time',
    'From the question until a person answered',
    PEOPLE,
  )
  const machineTime = seconds('sandagent.question.machine_time', 'What asking and delivering took', MACHINES)
  const latency = seconds(
    'sandagent.answer.latency',
    'From the moment when the host has the answer until the agent goes on',
    MACHINES,
  )

  return (asked) => {
    const times = new AskTimes(asked)
    return {
      progress: (progress) => times.note(progress),
      end({ outcome }) {
        const { record } = times
        // The outcome of a settled question was counted when it was settled.
        if (!outcome || !record || isSettled(record)) return
        const end = Date.now()
        const { human, machine, to, isAnswered } = times.until(end, outcome.kind)
        const facts = { [NAMES.outcome]: outcome.kind, [NAMES.kind]: record.kind }
        outcomes.add(1, facts)
        humanTime.record(human / 1000, facts)
        machineTime.record(machine / 1000, facts)
        if (isAnswered) latency.record((end - to) / 1000, facts)
      },
    }
  }
}
