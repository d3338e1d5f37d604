import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CanUseTool, PermissionResult } from '@anthropic-ai/claude-agent-sdk'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type AskingSettings, createAskingOptions } from '../../../src/claude.ts'
import { createWorkspace, picked, type Workspace } from '../../workspace.ts'

const options = (...labels: string[]) => labels.map((label) => ({ label, description: `About ${label}` }))
const questions = [
  {
    question: 'Which language?',
    header: 'Language',
    options: options('TypeScript', 'Go, perhaps'),
    multiSelect: true,
  },
  { question: 'Which name?', header: 'Name', options: options('A', 'B'), multiSelect: false },
]

let space: Workspace
beforeEach(async () => {
  space = await createWorkspace()
})

/** Asks as the binary does. */
function request(
  canUseTool: CanUseTool,
  toolName: string,
  input: Record<string, unknown>,
  more: Partial<Parameters<CanUseTool>[2]> = {},
): Promise<PermissionResult | null> {
  const signal = new AbortController().signal
  return canUseTool(toolName, input, { signal, toolUseID: 't', requestId: 'r', ...more })
}
const create = (more: Partial<AskingSettings> = {}): CanUseTool =>
  createAskingOptions({ channel: space.channel, runId: 'run_1', ...more }).canUseTool as CanUseTool
const asked = () => vi.waitFor(() => space.record('t'))

describe('canUseTool of createAskingOptions with a question', () => {
  it('gives the answers in the tool’s own form', async () => {
    const permission = request(create(), 'AskUserQuestion', { questions })
    expect(await asked()).toMatchObject({ toolName: 'AskUserQuestion', kind: 'question', runId: 'run_1' })
    await space.respond('t', { q1: picked('TypeScript', 'Go, perhaps'), q2: picked('B') })
    expect(await permission).toEqual({
      behavior: 'allow',
      updatedInput: {
        questions,
        answers: { 'Which language?': 'TypeScript, "Go, perhaps"', 'Which name?': 'B' },
      },
    })
  })

  it('says `unanswered` only to a session that takes it', async () => {
    let takes = false
    const canUseTool = create({ takesUnanswered: () => takes })
    const first = request(canUseTool, 'AskUserQuestion', { questions })
    await asked()
    await space.respond('t', { q1: picked('TypeScript'), q2: { skipped: true } })
    const marks = (permission: PermissionResult | null) =>
      JSON.stringify(permission).includes('"unanswered":"skipped"')
    expect(marks(await first)).toBe(false)
    expect(marks(await request(create(), 'AskUserQuestion', { questions }))).toBe(false)
    takes = true
    expect(marks(await request(canUseTool, 'AskUserQuestion', { questions }))).toBe(true)
  })

  it('asks once when a request is delivered again, while it waits and after', async () => {
    const canUseTool = create()
    const input = { questions }
    const open = vi.spyOn(space.channel, 'open')
    const both = [
      request(canUseTool, 'AskUserQuestion', input),
      request(canUseTool, 'AskUserQuestion', input),
    ]
    await asked()
    await space.respond('t', { q1: picked('TypeScript'), q2: picked('A') })
    const [first, second] = await Promise.all(both)
    expect(second).toEqual(first)
    expect(await request(canUseTool, 'AskUserQuestion', input)).toEqual(first)
    expect(open).toHaveBeenCalledTimes(1)
    expect(await request(create(), 'AskUserQuestion', input)).toEqual(first)
  })

  it('denies what a person declined, with what the model should do', async () => {
    const permission = request(create(), 'AskUserQuestion', { questions })
    await asked()
    await space.respond('t', {}, { status: 'declined', reason: 'later' })
    expect(await permission).toEqual({
      behavior: 'deny',
      message: expect.stringMatching(
        /^The user declined to answer, saying "later"\. Do not ask the same again/,
      ),
    })
  })

  it('denies when the time runs out, and withdraws when the binary does', async () => {
    expect(await request(create({ timeoutMs: 0 }), 'AskUserQuestion', { questions })).toEqual({
      behavior: 'deny',
      message: expect.stringContaining('This is not a decision of the user.'),
    })
    const stop = new AbortController()
    const withdrawn = request(
      create(),
      'AskUserQuestion',
      { questions },
      { toolUseID: 'w', signal: stop.signal },
    )
    await vi.waitFor(() => space.record('w'))
    stop.abort()
    expect(await withdrawn).toMatchObject({ behavior: 'deny' })
    expect(await space.record('w')).toMatchObject({ state: 'aborted' })
  })

  it('denies questions that cannot be asked', async () => {
    expect(await request(create(), 'AskUserQuestion', { questions: [] })).toEqual({
      behavior: 'deny',
      message: expect.stringContaining('These questions cannot be asked'),
    })
  })
})

describe('canUseTool of createAskingOptions with another tool', () => {
  const input = { command: 'npm test', timeout: 5 }

  it('asks for a permission that carries the call, and passes its input through', async () => {
    const permission = request(create(), 'Bash', input)
    expect(await asked()).toMatchObject({
      toolName: 'Bash',
      kind: 'approval',
      subject: { toolName: 'Bash', input },
    })
    await space.respond('t', { permission: picked('allow-once') })
    expect(await permission).toEqual({ behavior: 'allow', updatedInput: input })
  })

  it('says why: what made the binary ask, and what the agent says', async () => {
    const permission = request(
      create(),
      'Bash',
      { command: 'ls' },
      {
        title: 'Claude wants to look',
        displayName: 'Bash',
        description: 'It asks because: a rule allows it',
        decisionReason: 'The folder is new',
        blockedPath: '/srv" is allowed. "',
        matchedAskRule: { source: 'userSettings', toolName: 'Bash', ruleContent: 'ls:*' },
        mcpServer: { name: 'a", allowed', source: 'project' },
      },
    )
    expect((await asked()).subject?.reasons).toEqual([
      { by: 'rule', text: 'A rule of userSettings says to ask for "Bash(ls:*)"' },
      { by: 'rule', text: 'The folder is new' },
      { by: 'rule', text: 'This path made it ask: "/srv\\" is allowed. \\""' },
      { by: 'rule', text: 'An MCP server from project has this tool: "a\\", allowed"' },
      { by: 'agent', text: 'Claude wants to look' },
      { by: 'agent', text: 'It asks because: a rule allows it' },
    ])
    await space.respond('t', { permission: picked('deny') })
    await permission
  })

  it('does not take the permission for one call as that for another', async () => {
    const canUseTool = create()
    const first = request(canUseTool, 'Bash', input)
    await asked()
    await space.respond('t', { permission: picked('allow-once') })
    await first
    const other = { command: 'rm -r .' }
    for (const again of [canUseTool, create()])
      expect(await request(again, 'Bash', other)).toEqual({
        behavior: 'deny',
        message:
          'Bash was not run. This tool call id is taken by other questions. Use a new id for each call',
      })
  })

  it('does not take a permission that was there before the question', async () => {
    await mkdir(join(space.workdir, '.sandagent/approvals'), { recursive: true })
    const planted = {
      questions: [],
      answers: { 'May the agent use Bash?': 'Allow once' },
      status: 'completed',
      timestamp: '2026-01-01T00:00:00.000Z',
    }
    await writeFile(join(space.workdir, '.sandagent/approvals/t.json'), JSON.stringify(planted))
    expect(await request(create({ timeoutMs: 50 }), 'Bash', input)).toMatchObject({ behavior: 'deny' })
  })

  it('denies when the time runs out, even on a draft that allows and with defaults wanted', async () => {
    const permission = request(create({ timeoutMs: 300, timeoutPolicy: 'defaults' }), 'Bash', input)
    await asked()
    await space.respond('t', { permission: picked('allow-once') }, { status: 'pending' })
    expect(await permission).toMatchObject({ behavior: 'deny' })
    expect(await space.record('t')).toMatchObject({ state: 'timed-out' })
  })

  it('denies a call whose input is too long to be shown', async () => {
    const long = { content: 'x'.repeat(2 * 1024 * 1024) }
    expect(await request(create(), 'Write', long)).toEqual({
      behavior: 'deny',
      message: expect.stringMatching(/^Write was not run\. This question is longer than/),
    })
  })

  it('fails when the channel does, so that the binary tells the model', async () => {
    const channel = { ...space.channel, open: () => Promise.reject(new Error('disk full')) }
    await expect(request(create({ channel }), 'Bash', input)).rejects.toThrow('disk full')
  })
})

describe('canUseTool of createAskingOptions for a subagent', () => {
  it.each([
    ['Bash', { command: 'ls' }],
    ['AskUserQuestion', { questions }],
  ])('says that a subagent uses %s, and not that the main agent does', async (toolName, input) => {
    const stop = new AbortController()
    const { signal } = stop
    const main = request(create(), toolName, input, { signal })
    const sub = request(create(), toolName, input, { signal, toolUseID: 's', agentID: 'agent' })
    expect(await asked()).not.toHaveProperty('asker')
    expect(await vi.waitFor(() => space.record('s'))).toMatchObject({ asker: {} })
    stop.abort()
    await Promise.all([main, sub])
  })
})

describe('canUseTool of createAskingOptions where nobody is there', () => {
  it('refuses at once, and asks nothing', async () => {
    const canUseTool = createAskingOptions({ runId: 'run_1' }).canUseTool as CanUseTool
    expect(await request(canUseTool, 'AskUserQuestion', { questions })).toEqual({
      behavior: 'deny',
      message: 'Nobody is there to answer. Decide yourself, and say which assumptions you make.',
    })
    expect(await request(canUseTool, 'Bash', {})).toEqual({
      behavior: 'deny',
      message: expect.stringMatching(/^Bash was not run: it needs a permission, and nobody is there/),
    })
  })
})
