import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2'
import { askUser } from '@sandagent/runner'
import { declineQuestion, listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { asked, channelOf, overHttp, recordOf, sandagent, startProgram, tempSandbox } from '../support/mcp.ts'
import { connectWithTasks } from '../support/mcp-tasks.ts'

const COLOUR = { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
const input = { questions: [COLOUR] }
const BLUE = { answers: { 'Which colour?': 'Blue' } }

/** A sandbox with a server in this process, and a client of it. */
async function start(options: object = {}) {
  const sandbox = await tempSandbox()
  const client = await connectWithTasks(await overHttp({ channel: channelOf(sandbox), ...options }))
  return { sandbox, ...client }
}

describe('a client with the tasks of MCP', () => {
  it('gets a task at once, and the answer as its result', async () => {
    const { sandbox, session, dispatch } = await start({ place: 'the chat' })
    const execution = await session.callTool('ask_user_question', input)
    const { toolCallId } = await asked(sandbox)
    const waiting = await dispatch({ method: 'tasks/get', params: { taskId: toolCallId } })
    expect(isDetailedTaskV2('result' in waiting && waiting.result)).toBe(true)
    expect(waiting).toMatchObject({
      result: { status: 'working', statusMessage: 'Waiting for the user to answer in the chat' },
    })
    await submitAnswer(sandbox, { toolCallId, ...BLUE })
    const { outcome } = await execution.settle()
    expect(outcome).toMatchObject({
      status: 'completed',
      result: { structuredContent: { kind: 'answered', answers: { 'Which colour?': 'Blue' } } },
    })
  })

  it('gets a refusal as the result of a tool that failed', async () => {
    const { sandbox, session } = await start()
    const execution = await session.callTool('ask_user_question', input)
    const { toolCallId } = await asked(sandbox)
    await declineQuestion(sandbox, { toolCallId, reason: 'not now' })
    const { outcome } = await execution.settle()
    expect(outcome).toMatchObject({
      status: 'completed',
      result: { isError: true, structuredContent: { kind: 'declined' } },
    })
  })

  it('is told that nobody answered in time', async () => {
    const { session } = await start({ timeoutMs: 1 })
    const execution = await session.callTool('ask_user_question', input)
    const { outcome } = await execution.settle()
    expect(outcome).toMatchObject({ result: { structuredContent: { kind: 'timed-out' } } })
  })

  it('cancels its task, and the question is withdrawn', async () => {
    const { sandbox, session } = await start()
    const execution = await session.callTool('ask_user_question', input)
    const { toolCallId } = await asked(sandbox)
    await execution.cancel()
    await vi.waitFor(async () =>
      expect(await recordOf(sandbox, toolCallId)).toMatchObject({ state: 'aborted' }),
    )
    expect((await execution.settle()).outcome).toMatchObject({ status: 'cancelled' })
  })

  it('asks two questions at once, and gets the answer of each', async () => {
    const { sandbox, session } = await start()
    const colour = await session.callTool('ask_user_question', input)
    const size = await session.callTool('ask_user_question', { questions: [{ question: 'How large?' }] })
    for (const { toolCallId, questions } of await asked(sandbox, 2)) {
      const { question } = questions[0] as { question: string }
      await submitAnswer(sandbox, { toolCallId, answers: { [question]: 'Red' } })
    }
    for (const execution of [colour, size])
      expect((await execution.settle()).outcome).toMatchObject({ status: 'completed' })
  })

  it('reads at once what is wrong with its questions', async () => {
    const { session } = await start()
    const execution = await session.callTool('ask_user_question', { questions: [] })
    expect(execution.kind).toBe('immediate')
    expect(await execution.result()).toMatchObject({ result: { isError: true } })
  })

  it('sends what no request of its task asked for, which is passed over', async () => {
    const { sandbox, session, dispatch } = await start()
    await session.callTool('ask_user_question', input)
    const { toolCallId: taskId } = await asked(sandbox)
    const params = {
      taskId,
      inputResponses: { answer: { action: 'accept', content: { question_1: 'Red' } } },
    }
    expect(await dispatch({ method: 'tasks/update', params })).toMatchObject({ kind: 'result' })
    expect(await listQuestions(sandbox)).toHaveLength(1)
  })

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'learns from %s of an unknown task',
    async (method) => {
      const { dispatch } = await start()
      const params = { taskId: '../../etc/passwd', inputResponses: {} }
      expect(await dispatch({ method, params })).toMatchObject({ kind: 'error', error: { code: -32602 } })
    },
  )

  it('finds no task in what another agent asks in the same folder', async () => {
    const { sandbox, dispatch } = await start()
    const request = { toolCallId: 'theirs', questions: [COLOUR], runId: 'r' }
    const stop = new AbortController()
    const outcome = askUser(channelOf(sandbox), request, { signal: stop.signal })
    await asked(sandbox)
    const found = await dispatch({ method: 'tasks/get', params: { taskId: 'theirs' } })
    expect(found).toMatchObject({ kind: 'error', error: { code: -32602 } })
    stop.abort()
    await outcome
  })
})

describe('a client that does not declare tasks', () => {
  it('gets the answer as the result of its call, and may ask for no task', async () => {
    const { sandbox, client, dispatch } = await start()
    const result = client.callTool({ name: 'ask_user_question', arguments: input })
    const { toolCallId: taskId } = await asked(sandbox)
    const found = await dispatch({ method: 'tasks/get', params: { taskId } }, {})
    expect(found).toMatchObject({ kind: 'error', error: { code: -32021 } })
    await submitAnswer(sandbox, { toolCallId: taskId, ...BLUE })
    expect((await result).structuredContent).toMatchObject({ kind: 'answered' })
  })
})

describe('the command, started again', () => {
  it('finds the task of the one before by its files', async () => {
    const sandbox = await tempSandbox()
    const command = [sandagent, 'mcp', '--workdir', sandbox.workdir]
    const before = await connectWithTasks(startProgram(...command))
    const call = { method: 'tools/call', params: { name: 'ask_user_question', arguments: input } }
    const created = await before.dispatch(call)
    expect(isCreateTaskResultV2('result' in created && created.result)).toBe(true)
    const { toolCallId } = await asked(sandbox)
    await before.client.close()
    expect(await recordOf(sandbox, toolCallId)).toMatchObject({ state: 'open' })

    const { dispatch } = await connectWithTasks(startProgram(...command))
    const get = { method: 'tasks/get', params: { taskId: toolCallId } }
    expect(await dispatch(get)).toMatchObject({ result: { status: 'working' } })
    await submitAnswer(sandbox, { toolCallId, ...BLUE })
    await vi.waitFor(async () =>
      expect(await dispatch(get)).toMatchObject({
        result: { status: 'completed', result: { structuredContent: { kind: 'answered' } } },
      }),
    )
  })
})
