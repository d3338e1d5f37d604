import { createLocalFiles } from '@sandagent/files'
import type { UserChoiceStorage, WebHandler } from '@sandagent/user-choice'
import { describe, expect, it, vi } from 'vitest'
import {
  openRuntime,
  openSite,
  openTool,
  pick,
  tempFolder,
  writeOperation,
} from '../support/user-choice/user-choice.ts'

/** How many times a whole call is stored at each end, at most. */
const WRITES = 7

const unavailable: WebHandler = async () => new Response(null, { status: 503 })

/** Storage that dies with its process after so many writes, and resolves `died` at the one that is lost. */
function dying(files: UserChoiceStorage, writes: number) {
  let left = writes
  let die: () => void = () => {}
  const died = new Promise<'died'>((resolve) => {
    die = () => resolve('died')
  })
  const writeAtomic = async (path: string, text: string): Promise<void> => {
    if (left-- > 0) return files.writeAtomic(path, text)
    die()
    throw new Error('The process is dead')
  }
  return { died, storage: { ...files, writeAtomic } }
}

/** One call whose user picks "Yes once", with one end that dies after so many writes and is opened anew. */
async function callThrough(mortal: 'runtime' | 'tool', writes: number) {
  const [agent, server] = [await openSite(), await openSite()]
  const workdir = await tempFolder()
  const [calls, toolCalls] = [createLocalFiles(await tempFolder()), createLocalFiles(await tempFolder())]
  const perform = vi.fn(writeOperation.perform)
  const operations = { write: { ...writeOperation, perform } }
  const { died, storage } = dying(mortal === 'runtime' ? calls : toolCalls, writes)

  const first = {
    tool: await openTool(agent.url, { operations, storage: mortal === 'tool' ? storage : toolCalls }, server),
    runtime: await openRuntime({ storage: mortal === 'runtime' ? storage : calls }, { site: agent, workdir }),
  }
  const call = {
    endpoint: `${server.url}/invoke`,
    operation: 'write',
    arguments: { directory: '/src' },
    id: 'call_1',
    groupId: 'thread',
  }
  const answered = pick(first.runtime.sandbox, 'call_1', 'Yes once')
  const result = first.runtime.runtime.invoke(call).catch(() => died)
  const ended = await Promise.race([died, result.then(() => 'lived' as const)])
  if (ended === 'lived') return { ended, result: await result, perform, answered }

  for (const path of mortal === 'tool' ? ['/invoke', '/user_choice_response'] : ['/callback'])
    (mortal === 'tool' ? server : agent).routes.set(path, unavailable)
  if (mortal === 'tool') {
    await first.tool.tool.close()
    await openTool(agent.url, { operations, storage: toolCalls }, server)
    return { ended, result: await result, perform, answered }
  }
  await first.runtime.runtime.close()
  const { runtime } = await openRuntime({ storage: calls }, { site: agent, workdir })
  return { ended, result: await runtime.invoke(call), perform, answered }
}

describe('wherever the runtime dies', () => {
  it.each([...Array(WRITES).keys()])(
    'after %i writes: the user is asked once, and what they chose is done once',
    async (writes) => {
      const { result, perform, answered } = await callThrough('runtime', writes)
      await answered
      expect(result).toEqual({ text: 'Written: Yes once' })
      expect(perform).toHaveBeenCalledOnce()
    },
  )
})

describe('wherever the tool dies', () => {
  it('before it has stored the call: the runtime does not send it again, and the model reads that', async () => {
    const [agent, server] = [await openSite(), await openSite()]
    const confirm = vi.fn(writeOperation.confirm)
    const operations = { write: { ...writeOperation, confirm } }
    const files = createLocalFiles(await tempFolder())
    const { tool } = await openTool(agent.url, { operations, storage: dying(files, 0).storage }, server)
    const { runtime } = await openRuntime({}, { site: agent })
    const call = { endpoint: `${server.url}/invoke`, operation: 'write', arguments: {}, id: 'call_1' }
    const { text } = await runtime.invoke({ ...call, groupId: 'thread' })
    expect(text).toMatch(/^Error: The tool failed when it was called \(HTTP 500\)/)
    await tool.close()
    await openTool(agent.url, { operations, storage: files }, server)
    expect(server.arrivals('/invoke')).toHaveLength(1)
    expect(confirm).not.toHaveBeenCalled()
  })

  it.each([...Array(WRITES).keys()].slice(1))(
    'after %i writes: the call ends, and nothing is done twice',
    async (writes) => {
      const { result, perform, answered } = await callThrough('tool', writes)
      await answered
      const lostItsResult = perform.mock.calls.length === 1 && writes === 4
      expect(result).toEqual({
        text: lostItsResult ? expect.stringMatching(/^Error: The tool was interrupted/) : 'Written: Yes once',
      })
      expect(perform).toHaveBeenCalledOnce()
    },
  )
})

it.each(['runtime', 'tool'] as const)(
  'a %s that may write as often as it needs outlives the call',
  async (mortal) => {
    const { ended, answered } = await callThrough(mortal, WRITES)
    await answered
    expect(ended).toBe('lived')
  },
)
