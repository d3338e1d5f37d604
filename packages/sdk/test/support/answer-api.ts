import type { HostChannel } from '@sandagent/core'
import { createRunnerChannel, type StoreListOptions } from '@sandagent/core/store'
import { sandboxOf } from '@sandagent/fixtures/channel-store.ts'
import { createMemoryFleet } from '@sandagent/fleet'
import { fleetSandbox } from '@sandagent/fleet-host'
import { createFakeClock, openRecord } from '@sandagent/testing'
import { channelOf } from '../../src/answers/sandbox-channel.ts'
import { type AnswerApiOptions, createAnswerApi } from '../../src/http/answer-api.ts'
import type { ApiCall } from '../../src/http/answer-call.ts'
import type { Decision } from '../../src/http/audit.ts'
import type { AnswerableSandbox } from '../../src/sandbox/sandbox.ts'

export type ServingOptions = Partial<AnswerApiOptions> & { needsRecord?: boolean }

/** The answer API of a store with as many questions: `t0`, `t1` and so on. What it is asked is counted. */
export async function serving(count: number, given: ServingOptions = {}) {
  const fleet = createMemoryFleet()
  const questions = fleet.questions('one')
  const runner = createRunnerChannel(questions)
  for (let n = 0; n < count; n++)
    await runner.open(openRecord(`t${n}`, { askedAt: new Date(1_767_225_600_000 + n * 1000).toISOString() }))
  const lists: StoreListOptions[] = []
  const reads: string[] = []
  const counted: typeof questions = {
    read(ids) {
      reads.push(...ids)
      return questions.read(ids)
    },
    writeRecord: questions.writeRecord.bind(questions),
    writeAnswer: questions.writeAnswer.bind(questions),
    subscribe: questions.subscribe.bind(questions),
    list(options = {}) {
      lists.push(options)
      return questions.list(options)
    },
  }
  const sandbox = fleetSandbox({ ...fleet, questions: () => counted }, 'one')
  const decisions: Decision[] = []
  const errors: unknown[] = []
  const options = {
    sandbox,
    signingKeys: null,
    authorize: () => true,
    onDecision: (decision: Decision) => decisions.push(decision),
    onError: (error: unknown) => errors.push(error),
    clock: createFakeClock(),
    ...given,
  }
  const api = createAnswerApi(options, options)
  /** What a step of a request gives, or the error that the client sees. */
  async function call<T>(
    step: (call: ApiCall) => Promise<T>,
    request = new Request('http://host/api/answer'),
  ) {
    let value: T | undefined
    const response = await api(async (steps) => {
      value = await step(steps)
      return new Response()
    })(request)
    return {
      value: value as T,
      status: response.status,
      code: response.ok ? null : (await response.json()).error.code,
    }
  }
  return { fleet, questions, runner, sandbox, lists, reads, decisions, errors, options, call }
}

/** A sandbox whose channel is that of another one, with changes. */
export function changed(
  sandbox: AnswerableSandbox,
  change: (channel: HostChannel) => Partial<HostChannel>,
): AnswerableSandbox {
  const channel = channelOf(sandbox, { signingKeys: null })
  return {
    ...sandbox,
    ...sandboxOf({ ...channel, ...change(channel) }),
    ...(sandbox.runs && { runs: sandbox.runs }),
  }
}
