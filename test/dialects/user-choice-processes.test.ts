import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LocalSandbox, listQuestions } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import {
  arrived,
  openSite,
  pick,
  post,
  questionOf,
  type Site,
  tempFolder,
} from '../support/user-choice/user-choice.ts'
import { forwardTo, type Served, serve } from '../support/user-choice/user-choice-processes.ts'

/** The example: both processes, each to be killed and started again. */
async function start() {
  const folder = join(await tempFolder(), 'project')
  const [agent, server] = [await openSite(), await openSite()]
  const env = { AGENT: agent.url, TOOL: server.url }
  const running: { tool?: Served; runtime?: Served } = {}
  const route = (site: Site, paths: string[], process: () => Served | undefined) => {
    for (const path of paths) site.routes.set(path, forwardTo(process))
  }
  route(agent, ['/callback', '/api/answer'], () => running.runtime)
  route(server, ['/invoke', '/user_choice_response'], () => running.tool)
  const up = async (script: 'tool' | 'runtime') => {
    running[script] = await serve(`examples/user-choice/${script}.mjs`, [folder], env)
  }
  const down = async (script: 'tool' | 'runtime') => {
    await running[script]?.kill()
    delete running[script]
  }
  await up('tool')
  await up('runtime')
  const sandbox = new LocalSandbox({ workdir: folder })
  await questionOf(sandbox, 'call_1')
  return { folder, sandbox, agent, server, running, up, down, note: join(folder, 'note.txt') }
}

/** Resolves when the runtime has told the result. */
const told = ({ running }: Awaited<ReturnType<typeof start>>, result: string) =>
  expect(running.runtime?.output).resolves.toContain(result)

describe('examples/user-choice', () => {
  it('writes once the user allows it by the answer API', async () => {
    const all = await start()
    const { questions } = await (await fetch(`${all.agent.url}/api/answer`)).json()
    expect(questions).toMatchObject([{ toolCallId: 'thread_1:call_1', toolName: 'write_note' }])
    const prompt = questions[0].questions[0].question
    expect(
      await post(`${all.agent.url}/api/answer`, {
        toolCallId: 'thread_1:call_1',
        answers: { [prompt]: 'Yes once' },
      }),
    ).toBe(200)
    await told(all, `Written to ${all.note}.`)
    expect(await readFile(all.note, 'utf8')).toBe('Hello!')
  })

  it('does not write when the user dismisses the choice', async () => {
    const all = await start()
    expect(
      await post(`${all.agent.url}/api/answer`, { toolCallId: 'thread_1:call_1', status: 'declined' }),
    ).toBe(200)
    await told(all, 'The user does not allow it.')
    expect(all.server.arrivals('/user_choice_response').map(({ body }) => body)).toEqual([
      { id: 'call_1', selected: 2 },
    ])
    await expect(readFile(all.note)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('a runtime that is killed (SIGKILL)', () => {
  it('while the choice waits: the user answers without it, and the next one goes on without a second invocation', async () => {
    const all = await start()
    await all.down('runtime')
    await pick(all.sandbox, 'call_1', 'Yes once')
    await all.up('runtime')
    await told(all, `Written to ${all.note}.`)
    expect(all.server.arrivals('/invoke')).toHaveLength(1)
    expect(all.server.arrivals('/user_choice_response').map(({ body }) => body)).toEqual([
      { id: 'call_1', selected: 1 },
    ])
  })

  it('and started again before the user answers: the same question is still there, once', async () => {
    const all = await start()
    const before = await questionOf(all.sandbox, 'call_1')
    await all.down('runtime')
    await all.up('runtime')
    const [after, ...others] = await listQuestions(all.sandbox)
    expect([after?.askedAt, others]).toEqual([before.askedAt, []])
    await pick(all.sandbox, 'call_1', 'Yes for session')
    await told(all, `Written to ${all.note}.`)
  })

  it('while the tool cannot take the selection: the next one delivers it', async () => {
    const all = await start()
    all.server.fail('/user_choice_response', ...Array(1000).fill(503))
    await pick(all.sandbox, 'call_1', 'Yes once')
    await vi.waitFor(() => expect(all.server.arrivals('/user_choice_response')).not.toEqual([]))
    await all.down('runtime')
    all.server.fail('/user_choice_response')
    await all.up('runtime')
    await told(all, `Written to ${all.note}.`)
  })

  it('when the result comes: the tool brings it again', async () => {
    const all = await start()
    all.agent.fail('/callback', ...Array(1000).fill(502))
    await pick(all.sandbox, 'call_1', 'Yes once')
    await vi.waitFor(() => expect(all.agent.arrivals('/callback').at(-1)?.body.type).toBe('tool_result'))
    await all.down('runtime')
    await all.up('runtime')
    all.agent.fail('/callback')
    await told(all, `Written to ${all.note}.`)
    expect(all.server.arrivals('/invoke')).toHaveLength(1)
  })
})

describe('a tool that is killed (SIGKILL)', () => {
  it('while the choice waits: the next one gets the selection and finishes the call', async () => {
    const all = await start()
    await all.down('tool')
    await pick(all.sandbox, 'call_1', 'Yes once')
    await vi.waitFor(() => expect(all.server.arrivals('/user_choice_response')).not.toEqual([]))
    await all.up('tool')
    await told(all, `Written to ${all.note}.`)
    expect(all.server.arrivals('/invoke')).toHaveLength(1)
  })

  it('with the runtime: both go on where they were', async () => {
    const all = await start()
    await Promise.all([all.down('tool'), all.down('runtime')])
    await pick(all.sandbox, 'call_1', 'No')
    await Promise.all([all.up('tool'), all.up('runtime')])
    await told(all, 'The user does not allow it.')
    expect((await arrived(all.server, '/invoke', 1))[0]?.body.operation).toBe('write_note')
  })
})
