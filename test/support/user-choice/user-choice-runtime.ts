import type { UserChoiceRuntimeOptions } from '@sandagent/user-choice'
import { expect } from 'vitest'
import {
  accepting,
  arrived,
  DIRECTORY_CHOICE,
  openRuntime,
  openSite,
  post,
  type RuntimeSite,
  type Site,
} from './user-choice.ts'

/** A runtime, and a tool that takes what is posted to it. */
export async function open(
  options: Partial<UserChoiceRuntimeOptions> = {},
): Promise<{ agent: RuntimeSite; server: Site }> {
  const server = await openSite()
  server.routes.set('/invoke', accepting)
  server.routes.set('/respond', accepting)
  return { agent: await openRuntime(options), server }
}

/** The question of the call that these tests make. */
export const QUESTION = 'thread_xyz:call_abc123'

export const callOf = (server: Site, more: object = {}) => ({
  endpoint: `${server.url}/invoke`,
  operation: 'write_file',
  arguments: { path: 'README.md' },
  id: 'call_abc123',
  groupId: 'thread_xyz',
  ...more,
})

/** Invokes, and resolves to the callback URL that the tool got, and to the result to come. */
export async function invoke(agent: RuntimeSite, server: Site, more: object = {}) {
  const count = server.arrivals('/invoke').length
  const result = agent.runtime.invoke(callOf(server, more))
  result.catch(() => {})
  const [invocation] = (await arrived(server, '/invoke', count + 1)).slice(-1)
  return { result, callbackUrl: invocation?.body.callback_url as string }
}

export const choiceOf = (server: Site, more: object = {}) => ({
  type: 'user_choice',
  group_id: 'thread_xyz',
  id: 'call_abc123',
  call_id: null,
  ...DIRECTORY_CHOICE,
  response_url: `${server.url}/respond?token=t`,
  ...more,
})

export const resultOf = (more: object = {}) => ({
  type: 'tool_result',
  group_id: 'thread_xyz',
  id: 'call_abc123',
  text: 'Written.',
  ...more,
})

/** Invokes and has the choice asked for. */
export async function ask(options: Partial<UserChoiceRuntimeOptions> = {}) {
  const { agent, server } = await open(options)
  const { result, callbackUrl } = await invoke(agent, server)
  expect(await post(callbackUrl, choiceOf(server))).toBe(200)
  return { agent, server, result, callbackUrl }
}

/** Whether a call waits for its result, as far as the work that is due tells. */
export const isPending = (result: Promise<unknown>): Promise<boolean> =>
  Promise.race([result.then(() => false), new Promise<boolean>((resolve) => setImmediate(resolve, true))])
