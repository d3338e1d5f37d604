import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { arrived, openSite, post, tempFolder } from '../support/user-choice/user-choice.ts'
import { forwardTo, type Served, serve } from '../support/user-choice/user-choice-processes.ts'

it('two conversations that use the same call id and prompt get two questions, and each answer reaches its own call', async () => {
  const folder = join(await tempFolder(), 'project')
  const [agent, server] = [await openSite(), await openSite()]
  const running: { tool?: Served; runtime?: Served } = {}
  for (const path of ['/callback', '/api/answer'])
    agent.routes.set(
      path,
      forwardTo(() => running.runtime),
    )
  for (const path of ['/invoke', '/user_choice_response'])
    server.routes.set(
      path,
      forwardTo(() => running.tool),
    )
  const env = { AGENT: agent.url, TOOL: server.url }
  running.tool = await serve('examples/user-choice/tool.mjs', [folder], env)
  running.runtime = await serve('test/support/programs/two-conversations.mjs', [folder], env)

  const waiting = async () => (await (await fetch(`${agent.url}/api/answer`)).json()).questions
  await arrived(agent, '/callback', 2)
  const asked = await vi.waitFor(async () => {
    const questions = await waiting()
    expect(questions).toHaveLength(2)
    return questions
  })
  const [first, second] = ['thread_1', 'thread_2'].map((groupId) =>
    asked.find(({ toolCallId }: { toolCallId: string }) => toolCallId.startsWith(groupId)),
  )
  const prompt = first.questions[0].question
  expect(second.questions[0].question).toBe(prompt)
  const answer = (toolCallId: string, label: string) =>
    post(`${agent.url}/api/answer`, { toolCallId, answers: { [prompt]: label } })

  expect(await answer(first.toolCallId, 'Yes once')).toBe(200)
  const [selection] = await arrived(server, '/user_choice_response', 1)
  expect(selection?.body).toEqual({ id: 'call_1', selected: 1 })
  await vi.waitFor(() =>
    expect(agent.arrivals('/callback').map(({ body }) => [body.type, body.group_id])).toContainEqual([
      'tool_result',
      'thread_1',
    ]),
  )
  expect(await waiting()).toMatchObject([{ toolCallId: second.toolCallId }])
  expect(server.arrivals('/user_choice_response')).toHaveLength(1)
  expect(await readFile(join(folder, 'note.txt'), 'utf8')).toBe('Hello!')

  expect(await answer(second.toolCallId, 'No')).toBe(200)
  const selections = await arrived(server, '/user_choice_response', 2)
  expect(selections.map(({ body }) => body)).toEqual([
    { id: 'call_1', selected: 1 },
    { id: 'call_1', selected: 2 },
  ])
  expect(new Set(selections.map(({ url }) => url)).size).toBe(2)
  const output = await running.runtime.output
  expect(output).toContain('thread_1: Written to')
  expect(output).toContain('thread_2: The user does not allow it.')
})
