import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import { beginOperation } from '@sandagent/core/internal'
import { askUser, createUiStream, receiptsWritten, runAgent } from '@sandagent/runner'
import { createAnswerHandler, declineQuestion, listQuestions, submitAnswer } from '@sandagent/sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { NAMES } from '../src/names.ts'
import { measured, msOf, parentOf } from './measured.ts'
import { answer, workspace } from './workspace.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const REMOTE = `00-${TRACE}-b7ad6b7169203331-01`
const TOOL = 'execute_tool AskUserQuestion'

afterEach(() => {
  delete process.env.TRACEPARENT
})

describe('the spans of a question', () => {
  it('the span of the tool call has the names of the semantic conventions', async () => {
    const { span } = measured()
    const { ask, sandbox } = await workspace()
    const { asked, outcome } = ask()
    await asked
    await submitAnswer(sandbox, answer)
    await outcome
    expect(span(TOOL).attributes).toEqual({
      [conventions.ATTR_GEN_AI_OPERATION_NAME]: conventions.GEN_AI_OPERATION_NAME_VALUE_EXECUTE_TOOL,
      [conventions.ATTR_GEN_AI_TOOL_NAME]: 'AskUserQuestion',
      [conventions.ATTR_GEN_AI_TOOL_TYPE]: 'function',
      [conventions.ATTR_GEN_AI_TOOL_CALL_ID]: 'call_1',
      [NAMES.run]: 'run_1',
      [NAMES.kind]: 'question',
      [NAMES.count]: 1,
      [NAMES.outcome]: 'answered',
      [NAMES.humanTime]: expect.any(Number),
      [NAMES.machineTime]: expect.any(Number),
    })
  })

  it('the span of an approval does not say that the tool was executed', async () => {
    const { span } = measured()
    const { channel } = await workspace()
    const subject = { toolName: 'Bash', input: { command: 'ls' } }
    const request = {
      toolCallId: 'call_1',
      runId: 'run_1',
      toolName: 'Bash',
      kind: 'approval' as const,
      subject,
    }
    await askUser(channel, { ...request, questions: [{ question: 'Run it?' }] }, { timeoutMs: 1 })
    expect(span('sandagent.approve Bash').attributes).toMatchObject({
      [NAMES.tool]: 'Bash',
      [NAMES.kind]: 'approval',
    })
    expect(span('sandagent.approve Bash').attributes).not.toHaveProperty(NAMES.operation)
  })

  it('the time of the person lies between two times of the machine', async () => {
    const { span } = measured()
    const { ask, sandbox } = await workspace()
    const { asked, outcome } = ask()
    await asked
    await submitAnswer(sandbox, answer)
    await outcome
    const [tool, person, delivery] = [
      span(TOOL),
      span('sandagent.wait_for_person'),
      span('sandagent.deliver'),
    ]
    const parents = [person, delivery].map(parentOf)
    expect(parents).toEqual([tool.spanContext().spanId, tool.spanContext().spanId])
    expect(msOf(tool.startTime)).toBeLessThanOrEqual(msOf(person.startTime))
    expect(msOf(person.endTime)).toBe(msOf(delivery.startTime))
    expect(msOf(delivery.endTime)).toBe(msOf(tool.endTime))
    const seconds = (msOf(person.endTime) - msOf(person.startTime)) / 1000
    expect(tool.attributes[NAMES.humanTime]).toBeCloseTo(seconds, 6)
    const all = (msOf(tool.endTime) - msOf(tool.startTime)) / 1000
    expect(tool.attributes[NAMES.machineTime]).toBeCloseTo(all - seconds, 6)
  })

  it('a question that nobody answers is all the time of the person', async () => {
    const { span, spans } = measured()
    const { ask } = await workspace()
    expect((await ask({ timeoutMs: 1 }).outcome).kind).toBe('timed-out')
    expect(span(TOOL).attributes[NAMES.outcome]).toBe('timed-out')
    expect(msOf(span('sandagent.wait_for_person').endTime)).toBe(msOf(span(TOOL).endTime))
    expect(spans().map(({ name }) => name)).not.toContain('sandagent.deliver')
  })

  it('the span of the stored answer stands below the question', async () => {
    const { span } = measured()
    const { ask, sandbox } = await workspace()
    const { asked, outcome } = ask()
    await asked
    await declineQuestion(sandbox, { toolCallId: 'call_1' })
    await outcome
    const stored = span('sandagent.store_answer')
    expect(parentOf(stored)).toBe(span(TOOL).spanContext().spanId)
    expect(stored).toMatchObject({
      kind: SpanKind.INTERNAL,
      attributes: { [NAMES.status]: 'declined', [NAMES.run]: 'run_1', [NAMES.call]: 'call_1' },
    })
  })

  it('the host goes on with the trace of the page that sends the answer', async () => {
    const { span } = measured()
    const { ask, sandbox } = await workspace()
    const { asked, outcome } = ask()
    await asked
    const { POST } = createAnswerHandler({ sandbox, authorize: () => true })
    const headers = { 'content-type': 'application/json', traceparent: REMOTE }
    const body = JSON.stringify(answer)
    expect((await POST(new Request('http://localhost/', { method: 'POST', headers, body }))).status).toBe(200)
    await outcome
    const stored = span('sandagent.store_answer')
    expect(stored).toMatchObject({ kind: SpanKind.SERVER, parentSpanContext: { traceId: TRACE } })
    expect(stored.links.map(({ context: { traceId } }) => traceId)).toEqual([
      span(TOOL).spanContext().traceId,
    ])
  })

  it('a refused answer is no fault of the host', async () => {
    const { span } = measured()
    const { ask, sandbox } = await workspace()
    const { asked, outcome } = ask()
    await asked
    const wrong = { ...answer, responses: { q1: { selected: ['Perl'], source: 'human' as const } } }
    await expect(submitAnswer(sandbox, wrong)).rejects.toThrow()
    expect(span('sandagent.store_answer')).toMatchObject({
      attributes: { 'error.type': 'INVALID_ANSWERS' },
      status: { code: SpanStatusCode.UNSET },
    })
    await submitAnswer(sandbox, answer)
    await outcome
  })

  it('the code tells what is a refusal, because the bundled command has its own class of errors', () => {
    const { spans } = measured()
    for (const code of ['CONFLICT', 'UNREACHABLE', 'NO_SIGNING_KEY']) {
      const error = Object.assign(new Error(), { name: 'AskError', code })
      beginOperation({ name: 'store', toolCallId: 'call_1', status: 'completed' })?.end?.({ error })
    }
    const { UNSET, ERROR } = SpanStatusCode
    expect(spans().map(({ status }) => status.code)).toEqual([UNSET, ERROR, ERROR])
  })

  it('a question that cannot be asked ends its span with the code', async () => {
    const { span } = measured()
    const { channel } = await workspace()
    const failing = { ...channel, open: () => Promise.reject(new TypeError('secret')) }
    const request = {
      toolCallId: 'call_2',
      runId: 'run_1',
      toolName: 'Other',
      questions: [{ question: 'Q?' }],
    }
    await expect(askUser(failing, request)).rejects.toThrow('secret')
    expect(span('execute_tool Other')).toMatchObject({
      attributes: { 'error.type': 'TypeError' },
      status: { code: SpanStatusCode.ERROR },
      events: [],
    })
  })
})

describe('the trace of a question', () => {
  it('the record and the view carry it', async () => {
    const { span } = measured()
    const { ask, sandbox } = await workspace()
    const stop = new AbortController()
    const { asked, outcome } = ask({ detachSignal: stop.signal })
    await asked
    const { GET } = createAnswerHandler({ sandbox, authorize: () => true })
    const reply = await GET(new Request('http://localhost/?toolCallId=call_1'))
    const { traceparent } = (await reply.json()) as { traceparent: string }
    stop.abort()
    await outcome
    const { traceId, spanId } = span(TOOL).spanContext()
    expect(traceparent).toBe(`00-${traceId}-${spanId}-01`)
  })

  it('a question that an earlier process asked stays in its trace', async () => {
    const first = measured()
    const { ask, sandbox } = await workspace()
    const stop = new AbortController()
    const before = ask({ detachSignal: stop.signal })
    await before.asked
    stop.abort()
    await before.outcome
    first.unregister()
    const second = measured()
    const after = ask()
    await after.asked
    await submitAnswer(sandbox, answer)
    expect((await after.outcome).kind).toBe('answered')
    const [tool, earlier] = [second.span(TOOL), first.span(TOOL)]
    expect(tool.spanContext().traceId).toBe(earlier.spanContext().traceId)
    expect(parentOf(tool)).toBe(earlier.spanContext().spanId)
    expect(msOf(second.span('sandagent.wait_for_person').startTime)).toBeLessThanOrEqual(
      msOf(earlier.endTime),
    )
  })

  it('an outcome that is only repeated counts as no waiting', async () => {
    const first = measured()
    const { ask, sandbox } = await workspace()
    const before = ask()
    await before.asked
    await submitAnswer(sandbox, answer)
    await before.outcome
    await receiptsWritten()
    first.unregister()
    const second = measured()
    await ask().outcome
    expect(second.span(TOOL).attributes).toMatchObject({
      [NAMES.replayed]: true,
      [NAMES.outcome]: 'answered',
    })
    expect(second.spans()).toHaveLength(1)
  })

  it('what the agent does stands below its run, and the run below the process that started it', async () => {
    const { span, tracer } = measured()
    process.env.TRACEPARENT = REMOTE
    const { ask, channel, workdir } = await workspace()
    const agent = async (): Promise<void> => {
      tracer.startSpan('chat').end()
      await ask({ timeoutMs: 1 }).outcome
    }
    const run = {
      prompt: '',
      workdir,
      runId: 'run_1',
      agentName: 'scripted',
      channel,
      ui: createUiStream(() => {}),
    }
    const signal = new AbortController().signal
    await runAgent(agent, { ...run, signal, timeoutMs: 'never', timeoutPolicy: 'partial' })
    const { spanId, traceId } = span('invoke_agent scripted').spanContext()
    expect(traceId).toBe(TRACE)
    expect([span('chat'), span(TOOL)].map(parentOf)).toEqual([spanId, spanId])
    expect(span('invoke_agent scripted').attributes).toEqual({
      [conventions.ATTR_GEN_AI_OPERATION_NAME]: conventions.GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT,
      [conventions.ATTR_GEN_AI_AGENT_NAME]: 'scripted',
      [NAMES.run]: 'run_1',
    })
  })

  it('a runner without telemetry passes on the trace of its process', async () => {
    process.env.TRACEPARENT = REMOTE
    const { ask, sandbox } = await workspace()
    await ask({ timeoutMs: 1 }).outcome
    const [question] = await listQuestions(sandbox, { all: true })
    expect(question?.traceparent).toBe(REMOTE)
  })

  it('an active span is the parent', async () => {
    const { span, tracer } = measured()
    const { ask } = await workspace()
    const own = tracer.startSpan('own')
    await context.with(trace.setSpan(ROOT_CONTEXT, own), () => ask({ timeoutMs: 1 }).outcome)
    own.end()
    expect(parentOf(span(TOOL))).toBe(own.spanContext().spanId)
  })
})
