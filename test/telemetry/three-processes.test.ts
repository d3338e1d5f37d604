import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Collector, startCollector, type TracedSpan } from '../support/telemetry/collector.mjs'
import { tracedRun } from '../support/telemetry/traced-run.mjs'

const THINKS_MS = 400
const OPEN = 'sandagent.questions.open'

const SCENARIO = {
  steps: [
    {
      ask: {
        questions: [
          { id: 'colour', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] },
        ],
      },
    },
    { say: 'It is {{answers.colour}}.' },
  ],
}

// The collector is a stand-in. It takes what the SDK of OpenTelemetry sends, as OTLP over HTTP.
let collector: Collector

beforeAll(async () => {
  collector = await startCollector()
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-trace-'))
  const workdir = join(folder, 'work')
  const scenario = join(folder, 'scenario.json')
  await mkdir(workdir)
  await writeFile(scenario, JSON.stringify(SCENARIO))
  // Metrics go out now and then. What the tests expect of them must have been there before the next step.
  const openIs = (count: number) => (): Promise<unknown> =>
    vi.waitFor(() => expect(lastValue('host', OPEN)).toBe(count), { timeout: 60_000, interval: 20 })
  const options = {
    collector: collector.url,
    workdir,
    config: folder,
    scenario,
    thinksMs: THINKS_MS,
    beforePage: openIs(1),
    beforeEnd: openIs(0),
  }
  const state = await tracedRun(options)
  expect(state).toBe('finished')
  return async () => {
    await collector.close()
    await rm(folder, { recursive: true })
  }
})

const named = (service: string, name: string): TracedSpan[] =>
  collector.spans.filter((span) => span.service === service && span.name === name)

/** The one span of this name. */
function one(service: string, name: string): TracedSpan {
  const [span, ...others] = named(service, name)
  if (!span || others.length > 0)
    throw new Error(`${service} has ${others.length + (span ? 1 : 0)} spans ${name}`)
  return span
}

/** The last value of a metric with these attributes. Exports may overtake each other, so the times of the points count. */
const lastValue = (service: string, name: string, attributes: object = {}): number | undefined =>
  collector.points
    .filter(
      (point) =>
        point.service === service &&
        point.name === name &&
        Object.entries(attributes).every(([key, value]) => point.attributes[key] === value),
    )
    .sort((one, other) => one.time - other.time)
    .at(-1)?.value

describe('a question over three processes', () => {
  it('is one trace, from the start of the run until the agent goes on', () => {
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1)
    expect(new Set(collector.spans.map(({ service }) => service))).toEqual(
      new Set(['host', 'runner', 'page']),
    )
  })

  it('each span stands below the one that caused it, in its process or another', () => {
    const start = one('host', 'sandagent.start_run')
    const run = one('runner', 'invoke_agent scripted')
    const tool = one('runner', 'execute_tool AskUserQuestion')
    expect([start.parentSpanId, run.parentSpanId, tool.parentSpanId]).toEqual([
      undefined,
      start.spanId,
      run.spanId,
    ])
    for (const name of ['sandagent.ask', 'sandagent.wait_for_person', 'sandagent.deliver'])
      expect(one('runner', name).parentSpanId).toBe(tool.spanId)
    const sent = named('page', 'sandagent.send_answer')
    expect(new Set(sent.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([tool.spanId]))
    const stored = named('host', 'sandagent.store_answer')
    expect(stored.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(
      sent.map(({ spanId }) => spanId).sort(),
    )
    expect(stored.map(({ attributes }) => attributes['sandagent.answer.status'])).toContain('completed')
  })

  it('no process tells its arguments, which may hold prompts', () => {
    const told = new Set(collector.spans.flatMap(({ resource }) => Object.keys(resource)))
    expect(told).toContain('host.name')
    expect([...told].filter((name) => name.startsWith('process.'))).toEqual([])
  })

  it('the time of the person and the time of the machine are apart', () => {
    const { attributes, start, end } = one('runner', 'execute_tool AskUserQuestion')
    const [human, machine] = [attributes['sandagent.human_time'], attributes['sandagent.machine_time']].map(
      Number,
    )
    const person = one('runner', 'sandagent.wait_for_person')
    expect(human).toBeGreaterThanOrEqual(THINKS_MS / 1000)
    expect(human).toBeCloseTo((person.end - person.start) / 1000, 3)
    expect(Number(human) + Number(machine)).toBeCloseTo((end - start) / 1000, 3)
    const answer = named('page', 'sandagent.send_answer').findLast(
      (span) => span.attributes['sandagent.answer.status'] === 'completed',
    )
    expect(answer?.start).toBeLessThanOrEqual(person.end)
  })

  it('the metrics of runner and host arrive', () => {
    const outcome = { 'sandagent.outcome': 'answered' }
    expect(lastValue('runner', 'sandagent.question.outcomes', outcome)).toBe(1)
    expect(lastValue('runner', 'sandagent.answer.latency', outcome)).toBe(1)
    expect(lastValue('host', 'sandagent.answers.stored', { 'sandagent.answer.status': 'completed' })).toBe(1)
    expect(lastValue('host', OPEN)).toBe(0)
  })
})
