import type { ChoiceRequest, ToolOperation, UserChoiceToolOptions } from '@sandagent/user-choice'
import { expect } from 'vitest'
import {
  accepting,
  arrived,
  openSite,
  openTool,
  post,
  type Site,
  type ToolSite,
  writeOperation,
} from './user-choice.ts'

export const FAILED = 'Error: User choice flow failed. Please try again.'

/** A runtime that takes what comes to its callback URL, and a tool. */
export async function open(
  options: Partial<UserChoiceToolOptions> = {},
): Promise<{ agent: Site; server: ToolSite }> {
  const agent = await openSite()
  agent.routes.set('/callback', accepting)
  return { agent, server: await openTool(agent.url, options) }
}

export const invocation = (agent: Site, more: object = {}) => ({
  operation: 'write',
  arguments: { directory: '/src' },
  id: 'call_abc123',
  call_id: null,
  callback_url: `${agent.url}/callback`,
  group_id: 'thread_xyz',
  ...more,
})

/** Invokes, and resolves to the choice that the tool sends. */
export async function choiceOf(agent: Site, server: ToolSite, more: object = {}) {
  const count = agent.arrivals('/callback').length
  expect(await post(server.endpoint, invocation(agent, more))).toBe(200)
  return (await arrived(agent, '/callback', count + 1))[count]?.body
}

/** The text of the result that follows so many other messages. */
export const resultAfter = async (agent: Site, count: number): Promise<string> => {
  const result = (await arrived(agent, '/callback', count + 1)).at(-1)
  expect(result?.body).toMatchObject({ type: 'tool_result', group_id: 'thread_xyz' })
  return result?.body.text
}

export const operationOf = (request: ChoiceRequest): ToolOperation => ({
  ...writeOperation,
  confirm: () => request,
})
