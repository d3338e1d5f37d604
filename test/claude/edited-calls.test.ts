import { readdir } from 'node:fs/promises'
import { query } from '@anthropic-ai/claude-agent-sdk'
import { createFileRunnerChannel } from '@sandagent/files'
import { createAskingOptions } from '@sandagent/runner/claude'
import { describe, expect, it } from 'vitest'
import { type ClaudeWorkspace, createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call } from '../support/models/messages-api.ts'

const bash = (command: string) => call('Bash', { command, description: 'Make a file' })
const edited = (input: unknown, more: object = {}) => ({
  status: 'completed' as const,
  responses: { permission: { selected: ['allow-once'], input, source: 'human' as const, ...more } },
})

/** All that the model was sent about a call, with the binary's own reminders. */
const toldOf = ({ api }: ClaudeWorkspace, id: string): string =>
  JSON.stringify(
    api.requests
      .flatMap(({ messages }) => messages)
      .flatMap(({ content }) => content as { tool_use_id?: string }[])
      .find(({ tool_use_id }) => tool_use_id === id),
  ).replaceAll('\\"', '"')

describe('a call that a person edited before allowing it', () => {
  it('runs as edited, and the model reads beside the result what was changed', async () => {
    const first = bash('echo one > one.txt && cat one.txt')
    const claude = await createClaudeWorkspace([[first]])
    const run = claude.start()
    expect((await claude.asked(first.id)).subject).toMatchObject({
      toolName: 'Bash',
      input: first.input,
      editable: true,
    })
    const input = { command: 'echo "two  2" > two.txt && cat two.txt', description: 'Make a file' }
    await claude.answer(first.id, edited(input, { notes: 'Two, please' }))
    await run.ended
    expect(claude.api.resultOf(first.id)).toEqual({ text: 'two  2', isError: false })
    expect(await readdir(claude.sandbox.workdir)).toEqual(['.sandagent', 'two.txt'])
    const told = toldOf(claude, first.id)
    expect(told).toContain('The user changed the input of Bash before allowing it, saying "Two, please"')
    expect(told).toContain('"command" was "echo one > one.txt && cat one.txt", and ran as "echo ')
    expect(told).not.toContain('"description" was')
  })

  it('does so in a query() of your own, too', async () => {
    const first = bash('touch one.txt')
    const claude = await createClaudeWorkspace([[first]])
    const { workdir } = claude.sandbox
    const asking = createAskingOptions({ channel: createFileRunnerChannel({ workdir }), runId: 'run_1' })
    const session = query({ prompt: 'Go', options: { cwd: workdir, settingSources: [], ...asking } })
    const ended = (async () => {
      for await (const _ of session);
    })()
    await claude.answer(first.id, edited({ command: 'echo two && touch two.txt' }))
    await ended
    expect(claude.api.resultOf(first.id)).toEqual({ text: 'two', isError: false })
    // The newest models get it in a message of its own.
    const sent = JSON.stringify(claude.api.requests.at(-1)?.messages).replaceAll('\\', '')
    expect(sent).toContain('"command" was "touch one.txt", and ran as "echo two')
  })

  it('tells the model also where it failed', async () => {
    const first = bash('echo one > one.txt && cat one.txt')
    const claude = await createClaudeWorkspace([[first]])
    const run = claude.start()
    await claude.answer(first.id, edited({ ...(first.input as object), command: 'exit 3' }))
    await run.ended
    expect(claude.api.resultOf(first.id)).toEqual({ text: 'Exit code 3', isError: true })
    expect(toldOf(claude, first.id)).toContain('and ran as "exit 3"')
  })

  it('does not run where the edit is no input of the tool', async () => {
    const first = bash('echo one > one.txt')
    const claude = await createClaudeWorkspace([[first]])
    const run = claude.start()
    await claude.answer(first.id, edited({ command: 5 }))
    await run.ended
    expect(claude.api.resultOf(first.id)).toMatchObject({
      text: expect.stringContaining('The tool input from the model was valid'),
      isError: true,
    })
    expect(await readdir(claude.sandbox.workdir)).toEqual(['.sandagent'])
  })

  it('leaves the next calls as they are', async () => {
    const [first, second] = [bash('echo one && touch one.txt'), bash('echo two && touch two.txt')]
    const claude = await createClaudeWorkspace([[first], [second]])
    const run = claude.start()
    await claude.answer(first.id, edited({ ...(first.input as object), command: 'echo 1 && touch 1.txt' }))
    await claude.answer(second.id, {
      responses: { permission: { selected: ['allow-once'], source: 'human' } },
    })
    await run.ended
    expect(claude.api.resultOf(second.id)).toEqual({ text: 'two', isError: false })
    expect(toldOf(claude, second.id)).not.toContain('The user changed')
    expect(await readdir(claude.sandbox.workdir)).toEqual(['.sandagent', '1.txt', 'two.txt'])
  })
})
