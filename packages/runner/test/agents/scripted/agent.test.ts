import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Responses } from '@sandagent/core'
import { describe, expect, it, vi } from 'vitest'
import { createScriptedAgent, parseScenario, receiptsWritten } from '../../../src/index.ts'
import { createRun } from '../../agent-run.ts'
import { picked, typed } from '../../workspace.ts'

const agentOf = (...steps: unknown[]) => createScriptedAgent(parseScenario({ steps }))
const colour = { id: 'colour', question: 'Colour?', options: [{ label: 'Red' }, { label: 'Blue, dark' }] }
const extras = { ...colour, id: 'extras', question: 'Extras?', multiSelect: true }

type Run = Awaited<ReturnType<typeof createRun>>

async function answer({ space }: Run, toolCallId: string, responses: Responses, extra = {}): Promise<void> {
  await vi.waitFor(() => space.record(toolCallId))
  await space.respond(toolCallId, responses, extra)
}

describe('createScriptedAgent', () => {
  it('says its text in small pieces', async () => {
    const { run, chunks, text } = await createRun()
    await agentOf({ say: 'You asked: {{prompt}}' })(run)
    expect(text()).toBe('You asked: Build something\n')
    expect(chunks().map(({ type }) => type)).toEqual([
      'start-step',
      'text-start',
      ...Array(4).fill('text-delta'),
      'text-end',
      'finish-step',
    ])
  })

  it('gives each text an id of its own', async () => {
    const { run, events } = await createRun()
    await agentOf(
      { say: 'one' },
      { when: { answer: 'colour', equals: 'x', do: [], else: [{ say: 'two' }] } },
      { ask: { questions: [colour], timeoutMs: 0 } },
    )(run)
    const ids = events.join('').matchAll(/"text-start","id":"([^"]*)"/g)
    expect([...ids].map(([, id]) => id)).toEqual(['text-1', 'text-2-else-1', 'text-3-end'])
  })

  it('asks, and goes on with the answers', async () => {
    const a = await createRun()
    const done = agentOf(
      { ask: { questions: [colour, extras, { id: 'name', question: 'Name?' }] } },
      { say: '{{answers.colour}} / {{answers.extras}} / {{answers.name}}' },
    )(a.run)
    await answer(a, 'run_1-1', {
      colour: picked('Blue, dark'),
      extras: { ...picked('Red', 'Blue, dark'), freeText: 'Green' },
      name: typed(' it '),
    })
    await done
    expect(a.text()).toBe('Blue, dark / Red, Blue, dark, Green / it\n')
  })

  it('shows the call as a model’s call, and its end only after the answer', async () => {
    const a = await createRun()
    const done = agentOf({ ask: { questions: [colour] } })(a.run)
    await vi.waitFor(() => expect(a.chunks().at(-1)?.type).toBe('tool-input-available'))
    const [, start, ...rest] = a.chunks()
    const input = rest.pop()?.input
    expect(start).toMatchObject({
      type: 'tool-input-start',
      toolName: 'AskUserQuestion',
      toolCallId: 'run_1-1',
    })
    expect(JSON.parse(rest.map(({ inputTextDelta }) => inputTextDelta).join(''))).toEqual(input)
    expect(input).toEqual({ questions: [colour] })
    expect(await a.space.record('run_1-1')).toMatchObject({ state: 'open' })
    await answer(a, 'run_1-1', { colour: picked('Red') })
    await done
    expect(a.chunks().at(-2)).toMatchObject({
      type: 'tool-output-available',
      output: { answers: { 'Colour?': 'Red' }, status: 'answered' },
    })
  })

  it('writes files and runs commands for real', async () => {
    const { run, space, chunks, text } = await createRun()
    await agentOf(
      { write: { path: 'src/hello.mjs', content: ['console.log("hello", {{json prompt}})'] } },
      { run: { command: 'node', args: ['src/hello.mjs'] } },
      { say: 'It printed: {{output}}' },
    )(run)
    expect(await readFile(join(space.workdir, 'src/hello.mjs'), 'utf8')).toBe(
      'console.log("hello", "Build something")\n',
    )
    expect(text()).toBe('It printed: hello Build something\n')
    expect(chunks().filter(({ input, output }) => input ?? output)).toMatchObject([
      { toolName: 'Write', input: { path: 'src/hello.mjs' } },
      { toolCallId: 'run_1-1', output: { path: 'src/hello.mjs', bytes: 40 } },
      { toolName: 'Bash', input: { command: 'node src/hello.mjs' } },
      { toolCallId: 'run_1-2', output: { stdout: 'hello Build something', stderr: '', exitCode: 0 } },
    ])
  })

  it('branches on answers and on outcomes', async () => {
    const a = await createRun()
    const done = agentOf(
      { ask: { as: 'setup', questions: [colour, extras] } },
      { when: { answer: 'colour', equals: 'Red', do: [{ say: 'red' }], else: [{ say: 'not red' }] } },
      { when: { answer: 'extras', includes: 'Blue, dark', do: [{ say: 'with blue' }] } },
      { when: { answer: 'extras', equals: 'Red', do: [{ say: 'red alone' }] } },
      {
        when: { outcome: 'setup', is: ['declined'], do: [{ say: 'declined' }], else: [{ say: 'answered' }] },
      },
    )(a.run)
    await answer(a, 'run_1-1', { colour: picked('Blue, dark'), extras: picked('Red', 'Blue, dark') })
    await done
    expect(a.text()).toBe('not red\nwith blue\nanswered\n')
  })

  it('ends well when the user declines', async () => {
    const a = await createRun()
    const done = agentOf({ ask: { questions: [colour] } }, { say: 'never said' })(a.run)
    await answer(a, 'run_1-1', {}, { status: 'declined', reason: 'no' })
    await done
    expect(a.text()).toMatch(/^All right/)
    expect(a.text()).not.toContain('never said')
    expect(a.chunks().map(({ type }) => type)).toContain('tool-output-error')
  })

  it('goes on without an answer where the scenario says so', async () => {
    const a = await createRun({ timeoutMs: 0 })
    await agentOf(
      { ask: { as: 'setup', questions: [colour], ifUnanswered: 'continue' } },
      { when: { outcome: 'setup', is: ['timed-out'], do: [{ say: '{{answers.colour ?? nobody}}' }] } },
    )(a.run)
    expect(a.text()).toBe('nobody\n')
  })

  it('stops when nobody answers in time', async () => {
    const a = await createRun()
    await agentOf({ ask: { questions: [colour], timeoutMs: 0 } }, { say: 'never said' })(a.run)
    expect(a.text()).toMatch(/^I got no answer in time/)
    expect(a.text()).not.toContain('never said')
  })

  it('stops silently when it is aborted, with its question settled', async () => {
    const stop = new AbortController()
    const a = await createRun({ signal: stop.signal })
    const done = agentOf({ ask: { questions: [colour] } }, { say: 'never said' })(a.run)
    await vi.waitFor(() => a.space.record('run_1-1'))
    stop.abort()
    await done
    expect(await a.space.record('run_1-1')).toMatchObject({ state: 'aborted' })
    expect(a.chunks().at(-2)).toMatchObject({ type: 'tool-output-error' })
    expect(a.text()).toBe('')
  })

  it('does nothing when it was aborted before', async () => {
    const a = await createRun({ signal: AbortSignal.abort() })
    await agentOf({ say: 'x' }, { ask: { questions: [colour] } })(a.run)
    expect(a.chunks()).toEqual([])
  })

  it('adopts its open question when the run is started anew', async () => {
    const a = await createRun()
    const steps = [
      { say: 'Hi' },
      { when: { answer: 'colour', equals: 'x', do: [], else: [{ ask: { questions: [colour] } }] } },
      { say: '{{answers.colour}}' },
    ]
    void agentOf(...steps)({ ...a.run, channel: { ...a.space.channel, close: () => new Promise(() => {}) } })
    await vi.waitFor(() => a.space.record('run_1-2-else-1'))
    const { nonce } = await a.space.record('run_1-2-else-1')
    const again = await createRun({ channel: a.space.channel, workdir: a.space.workdir })
    const done = agentOf(...steps)(again.run)
    await answer(a, 'run_1-2-else-1', { colour: picked('Red') })
    await done
    expect(again.text()).toBe('Hi\nRed\n')
    await receiptsWritten()
    expect(await a.space.record('run_1-2-else-1')).toMatchObject({ nonce, state: 'answered' })
  })

  it('shows a failed command at its call, and fails', async () => {
    const { run, chunks } = await createRun()
    const agent = agentOf({ run: { command: 'node', args: ['-e', 'console.error("why"); process.exit(2)'] } })
    await expect(agent(run)).rejects.toThrow('exit code 2')
    expect(chunks().find(({ type }) => type === 'tool-output-error')?.errorText).toContain('why')
    expect(chunks().at(-1)).toMatchObject({ type: 'finish-step' })
  })

  it('shows a write that leads out of the workdir at its call, and fails', async () => {
    const { run, chunks } = await createRun()
    await expect(agentOf({ write: { path: '../x', content: 'x' } })(run)).rejects.toMatchObject({
      code: 'UNSAFE_PATH',
    })
    expect(chunks().map(({ type }) => type)).toContain('tool-output-error')
  })

  const script = { command: 'node', args: ['-e', 'console.log(1)'], needsApproval: true }

  it('runs a command that needs an approval only after a person allowed it', async () => {
    const a = await createRun()
    const done = agentOf({ run: script }, { say: '{{output}}' })(a.run)
    const record = await vi.waitFor(() => a.space.record('run_1-1'))
    expect(record).toMatchObject({
      kind: 'approval',
      toolName: 'Bash',
      subject: { toolName: 'Bash', input: { command: 'node -e console.log(1)' } },
    })
    expect(a.chunks().at(-1)?.type).toBe('tool-input-available')
    await answer(a, 'run_1-1', { permission: picked('allow-once') })
    await done
    expect(a.text()).toBe('1\n')
  })

  it('says why in its own words', async () => {
    const a = await createRun({ prompt: 'tests' })
    const done = agentOf({ run: { ...script, reason: 'For {{prompt}}' } })(a.run)
    const record = await vi.waitFor(() => a.space.record('run_1-1'))
    expect(record.subject?.reasons).toEqual([{ by: 'agent', text: 'For tests' }])
    await answer(a, 'run_1-1', { permission: picked('deny') })
    await done
  })

  it('does not ask again for a program that is allowed for the session', async () => {
    const a = await createRun()
    const done = agentOf({ run: script }, { run: script }, { say: 'Done' })(a.run)
    await answer(a, 'run_1-1', { permission: picked('allow-session') })
    await done
    expect(await a.space.host.questions()).toHaveLength(1)
  })

  it.each([
    ['deny', 'denied it, saying "Not now"', {}],
    ['allow-once', 'The user declined', { status: 'declined', responses: {}, reason: 'No' }],
  ])('does not run a command that nobody allowed: %s', async (decision, reason, extra) => {
    const a = await createRun()
    const done = agentOf(
      { run: script },
      { when: { answer: 'permission', equals: 'allowed', do: [{ say: 'Ran' }], else: [{ say: 'Not run' }] } },
    )(a.run)
    await answer(a, 'run_1-1', { permission: { ...picked(decision), notes: 'Not now' } }, extra)
    await done
    expect(a.text()).toBe('Not run\n')
    const failure = a.chunks().find(({ type }) => type === 'tool-output-error')
    expect(failure?.errorText).toContain('Bash was not run.')
    expect(failure?.errorText).toContain(reason)
  })
})
