import { FEATURES, LANGUAGE } from '@sandagent/fixtures/questions.ts'
import { askUser, createUiStream, writeOutcome } from '@sandagent/runner'
import {
  type Act,
  answers,
  createFakeClock,
  createMemoryChannel,
  createToolParts,
  declines,
  neverAnswers,
  startPerson,
} from '@sandagent/testing'
import type * as ai5 from 'ai-5'
import type * as ai6 from 'ai-6'
import type * as ai7 from 'ai-7'
import { describe, expect, it } from 'vitest'
import { aiVersions } from '../support/models/ai-versions.ts'
import { messageOf } from '../support/models/ui-message.ts'

const questions = [LANGUAGE, FEATURES]
const parts = createToolParts(questions, { toolCallId: 'call_1' })
const SAID = { 'Which language?': 'Python', 'Which features?': ['Tests', 'Examples'] }

/** The compiler checks that these are parts of every version. */
const inEveryVersion: (ai5.DynamicToolUIPart & ai6.DynamicToolUIPart & ai7.DynamicToolUIPart)[] = [
  parts.streaming(),
  parts.streaming(1),
  parts.waiting(),
  parts.answered(SAID, 'ada'),
  parts.answered({ 'Which language?': 'Python' }),
  parts.declined('Too early'),
  parts.timedOut(60_000),
  parts.withdrawn(),
  parts.failed('The program ended'),
]
const fromVersion6: (ai6.DynamicToolUIPart & ai7.DynamicToolUIPart)[] = [
  parts.approvalRequested(),
  parts.approvalResponded(true),
  parts.approvalResponded(false, 'Too early'),
  parts.denied('Too early'),
]

/** What a runner writes for a call that ends in this way, as this version of the AI SDK reads it. */
async function partWritten(ai: typeof ai7, act: Act, hasTimeLeft = true, answeredBy?: string) {
  const clock = createFakeClock()
  const { runner, host } = createMemoryChannel({ clock })
  const person = startPerson(host, [act], { clock, answeredBy })
  const call = { toolCallId: 'call_1', toolName: 'AskUserQuestion' }
  const outcome = askUser(runner, { ...call, runId: 'run-1', questions }, { clock, timeoutMs: 60_000 })
  await Promise.race([person.done, outcome])
  if (!hasTimeLeft) {
    await clock.whenPending()
    clock.advance(60_000)
  }
  const events: string[] = []
  const ui = createUiStream((event) => void events.push(event))
  await ui.start('message-1')
  await ui.toolInput({ ...call, input: { questions } })
  await writeOutcome(ui, await outcome)
  await ui.finish()
  await ui.done()
  const message = await messageOf(ai, events.join(''))
  return JSON.parse(JSON.stringify(message?.parts[0]))
}

describe.each(Object.entries(aiVersions))('ready tool parts beside the AI SDK %s', (version, { ai }) => {
  it('are those that the SDK reads from a runner', async () => {
    expect(await partWritten(ai, answers(SAID), true, 'ada')).toEqual(parts.answered(SAID, 'ada'))
    expect(await partWritten(ai, declines('Too early'))).toEqual(parts.declined('Too early'))
    expect(await partWritten(ai, neverAnswers(), false)).toEqual(parts.timedOut(60_000))
  })

  it('are valid messages', async () => {
    const valid = version === '5' ? inEveryVersion : [...inEveryVersion, ...fromVersion6]
    for (const part of valid) {
      const message = { id: 'message-1', role: 'assistant' as const, parts: [part as ai7.DynamicToolUIPart] }
      expect(await ai.validateUIMessages({ messages: [message] })).toEqual([message])
    }
  })
})

it('an answer with an unanswered question is partial', () => {
  expect(parts.answered({ 'Which language?': 'Python' }).output).toMatchObject({
    status: 'partial',
    unanswered: ['q2'],
    answers: { 'Which language?': 'Python' },
  })
})

it('each call without an id has another one', () => {
  const [one, other] = [createToolParts(questions), createToolParts(questions)]
  expect(one.waiting().toolCallId).not.toBe(other.waiting().toolCallId)
  expect(one.waiting().toolCallId).toBe(one.declined().toolCallId)
})
