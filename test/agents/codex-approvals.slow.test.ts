import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { declineQuestion, type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { codexPlace, runCodex } from '../support/codex.ts'
import { functionCall } from '../support/models/scripted-responses.ts'

const PATIENTLY = { timeout: 60_000 }

/** The real Codex at work, whose model does this first. */
async function start(
  turns: object[][],
  { settings, args = [] }: { settings?: string; args?: string[] } = {},
) {
  const place = await codexPlace(turns, settings)
  const reads = (text: string) =>
    vi.waitFor(() => expect(place.model.told().replaceAll('\\', '')).toContain(text), PATIENTLY)
  return { ...place, ...runCodex(place, ...args, '--', 'Do it.'), reads }
}

const asked = (sandbox: LocalSandbox) =>
  vi.waitFor(async () => {
    const [view] = await listQuestions(sandbox)
    if (!view) throw new Error('nothing is asked yet')
    return view
  }, PATIENTLY)

const decide = async (sandbox: LocalSandbox, value: string, notes?: string): Promise<void> => {
  const { toolCallId } = await asked(sandbox)
  const response = { selected: [value], source: 'human' as const, ...(notes !== undefined && { notes }) }
  await submitAnswer(sandbox, { toolCallId, status: 'completed', responses: { permission: response } })
}

const command = (cmd: string): object =>
  functionCall('call_1', 'exec_command', {
    cmd,
    sandbox_permissions: 'require_escalated',
    justification: 'May I write it down?',
  })
const PATCH = {
  type: 'custom_tool_call',
  call_id: 'call_2',
  name: 'apply_patch',
  input: '*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch',
}

describe('a command that Codex asks permission for', () => {
  it('is shown as it will run, with the reason of its model, and runs when it is allowed', async () => {
    const { sandbox, said, reads } = await start([[command('echo hi >note.txt; echo out-$((40+2))')]])
    const { kind, subject, questions } = await asked(sandbox)
    expect(kind).toBe('approval')
    expect(subject).toMatchObject({
      toolName: 'exec_command',
      input: { cmd: expect.stringContaining('echo hi >note.txt'), cwd: sandbox.workdir },
      reasons: [{ by: 'agent', text: 'May I write it down?' }],
    })
    // Codex offers no permission for a session here.
    expect(questions[0]?.options?.map(({ label }) => label)).toEqual(['Allow once', 'Deny'])
    expect(existsSync(join(sandbox.workdir, 'note.txt'))).toBe(false)
    await decide(sandbox, 'allow-once', 'keep it short')
    await reads('out-42')
    await reads('The user allowed exec_command, saying "keep it short"')
    expect(await readFile(join(sandbox.workdir, 'note.txt'), 'utf8')).toBe('hi\n')
    await vi.waitFor(() => expect(said()).toContain('tool-output-available'))
  })

  it('does not run when it is denied, and the model reads why', async () => {
    const { sandbox, reads, said } = await start([[command('echo hi >note.txt')]])
    await decide(sandbox, 'deny', 'not in this folder')
    await reads('rejected by user')
    await reads('The user denied it, saying "not in this folder"')
    expect(existsSync(join(sandbox.workdir, 'note.txt'))).toBe(false)
    await vi.waitFor(() => expect(said()).toContain('exec_command was not run'))
  })

  it('does not run when nobody decides, and the model does not read that the user rejected it', async () => {
    const { model, reads } = await start([[command('echo hi')]], { args: ['--timeout-ms', '1'] })
    await reads('Nobody answered')
    expect(model.told()).not.toContain('rejected by user')
  })

  it('may be asked about, and the model answers first', async () => {
    const { sandbox, reads } = await start([[command('echo hi')]])
    const { toolCallId } = await asked(sandbox)
    await declineQuestion(sandbox, { toolCallId, reason: 'What is it for?', asksBack: true })
    await reads('They ask: "What is it for?"')
  })
})

describe('files that Codex asks permission to change', () => {
  it('are shown with their changes, and are written when that is allowed', async () => {
    const { sandbox, child } = await start([[PATCH]])
    const { subject } = await asked(sandbox)
    expect(subject).toMatchObject({
      toolName: 'apply_patch',
      input: {
        changes: [{ path: join(sandbox.workdir, 'a.txt'), kind: { type: 'add' }, diff: 'hello\n' }],
      },
    })
    await decide(sandbox, 'allow-once')
    await vi.waitFor(() => expect(child.exitCode).toBe(0), PATIENTLY)
    expect(await readFile(join(sandbox.workdir, 'a.txt'), 'utf8')).toBe('hello\n')
  })
})

describe('an MCP server of Codex', () => {
  const server = join(root, 'test/support/programs/asking-mcp-server.mjs')
  const settings = `
    [mcp_servers.travel]
    command = ${JSON.stringify(process.execPath)}
    args = [${JSON.stringify(server)}]
    required = true
  `
  const mcp = (name: string, input: object = {}): object =>
    functionCall('call_5', name, input, { namespace: 'mcp__travel' })

  it('asks by a form, and gets the answer', async () => {
    const { sandbox, reads } = await start([[mcp('ask')]], { settings })
    const { toolCallId, questions } = await asked(sandbox)
    expect(questions[0]?.question).toMatch(/^travel: Which one\?/)
    const responses = { place: { selected: ['Paris, north'], source: 'human' as const } }
    await submitAnswer(sandbox, { toolCallId, status: 'completed', responses })
    await reads('{"action":"accept","content":{"place":"Paris, north"}}')
  })

  it('is called when a person allowed it, with what the model gives it', async () => {
    const { sandbox, reads } = await start([[mcp('book', { to: 'Rome' })]], { settings })
    expect((await asked(sandbox)).subject).toMatchObject({
      toolName: 'mcp__travel__book',
      input: { to: 'Rome' },
      reasons: [{ by: 'rule', text: 'Allow the travel MCP server to run tool "book"?' }],
    })
    await decide(sandbox, 'allow-once')
    await reads('booked')
  })

  it('is not called when a person denied it', async () => {
    const { sandbox, reads, model } = await start([[mcp('book', { to: 'Rome' })]], { settings })
    await decide(sandbox, 'deny', 'too far')
    await reads('saying "too far"')
    expect(model.told()).not.toContain('booked')
  })

  it('is called again without asking, when that is allowed for the session', async () => {
    const { sandbox, reads, child } = await start([[mcp('book')], [mcp('book')]], { settings })
    await decide(sandbox, 'allow-session')
    await reads('booked')
    await vi.waitFor(() => expect(child.exitCode).toBe(0), PATIENTLY)
  })
})
