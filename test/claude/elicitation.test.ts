import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { sandagent, sessionIn } from '../support/models/claude-command.ts'
import { type ClaudeWorkspace, createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call, text } from '../support/models/messages-api.ts'
import { ANSWERS, everything, VALUES } from '../support/servers/server-everything.ts'

const TOOL = 'mcp__shop__ask'
const OPTIONS = {
  allowedTools: [TOOL],
  mcpServers: {
    shop: {
      command: process.execPath,
      args: [join(root, 'test/support/programs/eliciting-server.mjs')],
      alwaysLoad: true,
    },
  },
}

/** A call of the server's tool, which asks this of the user. */
const ask = (properties: object, more: object = {}) =>
  call(TOOL, {
    params: { mode: 'form', message: 'About your order', requestedSchema: { type: 'object', properties } },
    ...more,
  })
const COLOUR = { colour: { type: 'string', title: 'Colour', enum: ['Red', 'Blue'] } }
const picked = (value: string) => ({ selected: [value], source: 'human' as const })

const waiting = ({ sandbox }: ClaudeWorkspace, count = 1) =>
  vi.waitFor(async () => {
    const questions = await listQuestions(sandbox)
    expect(questions).toHaveLength(count)
    return questions
  })
const resultOf = ({ api }: ClaudeWorkspace, { id }: { id: string }) =>
  JSON.parse(api.resultOf(id)?.text ?? 'null')

describe('what an MCP server of Claude Code asks', () => {
  it('reaches a person with the server’s name, and the server gets typed values', async () => {
    const asking = ask({ ...COLOUR, size: { type: 'integer', minimum: 1 } })
    const claude = await createClaudeWorkspace([[asking]])
    const run = claude.start(OPTIONS)
    const [view] = await waiting(claude)
    expect(view?.questions[0]?.question).toBe('shop: About your order\n\nColour')
    const { toolCallId = '' } = view ?? {}
    const responses = {
      colour: picked('Blue'),
      size: { selected: [], freeText: '42', source: 'human' as const },
    }
    await submitAnswer(claude.sandbox, { toolCallId, responses })
    await run.ended
    expect(resultOf(claude, asking)).toEqual({ action: 'accept', content: { colour: 'Blue', size: 42 } })
    expect(run.chunks).toContainEqual(
      expect.objectContaining({ type: 'tool-input-available', toolCallId, toolName: 'AskUserQuestion' }),
    )
    expect(run.chunks).toContainEqual(
      expect.objectContaining({
        type: 'tool-output-available',
        toolCallId,
        output: expect.objectContaining({ status: 'answered' }),
      }),
    )
  })

  it('may be every kind of field, as of MCP’s own server', async () => {
    const tool = 'mcp__everything__trigger-elicitation-request'
    const asking = call(tool, {})
    const claude = await createClaudeWorkspace([[asking]])
    const server = { command: process.execPath, args: [everything], alwaysLoad: true }
    const run = claude.start({ allowedTools: [tool], mcpServers: { everything: server } })
    const [view] = await waiting(claude)
    await submitAnswer(claude.sandbox, { toolCallId: view?.toolCallId ?? '', responses: ANSWERS })
    await run.ended
    expect(claude.api.resultOf(asking.id)?.text).toContain('provided the requested information')
    for (const value of [VALUES.name, VALUES.birthdate, ...VALUES.untitledMultipleSelectEnum])
      expect(claude.api.resultOf(asking.id)?.text).toContain(value)
  })

  it('may be a page to open', async () => {
    const asking = call(TOOL, {
      params: { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e1' },
    })
    const claude = await createClaudeWorkspace([[asking]])
    const run = claude.start(OPTIONS)
    const [view] = await waiting(claude)
    expect(view?.questions[0]?.question).toContain('https://example.com/in')
    const responses = { q1: picked('accept') }
    await submitAnswer(claude.sandbox, { toolCallId: view?.toolCallId ?? '', responses })
    await run.ended
    expect(resultOf(claude, asking)).toEqual({ action: 'accept' })
  })

  it('is withdrawn when the server takes it back', async () => {
    const asking = ask(COLOUR, { timeoutMs: 1500 })
    const claude = await createClaudeWorkspace([[asking]])
    const run = claude.start(OPTIONS)
    const [view] = await waiting(claude)
    await run.ended
    expect(claude.api.resultOf(asking.id)).toMatchObject({ isError: true })
    expect(await claude.record(view?.toolCallId ?? '')).toMatchObject({ state: 'aborted' })
  })

  it('is cancelled where it cannot be shown, and nobody is asked', async () => {
    const asking = call(TOOL, {
      params: { mode: 'url', message: 'Look', url: 'file:///etc/passwd', elicitationId: 'e1' },
    })
    const claude = await createClaudeWorkspace([[asking], [text('Well.')]])
    await claude.start(OPTIONS).ended
    expect(resultOf(claude, asking)).toEqual({ action: 'cancel' })
    expect(await listQuestions(claude.sandbox)).toEqual([])
  })

  it('takes several choices with commas in them, and the defaults of what was left out', async () => {
    const where = { type: 'array', items: { type: 'string', enum: ['Paris, north', 'Rome', 'Oslo'] } }
    const asking = ask({ where, size: { type: 'integer', default: 7 } })
    const claude = await createClaudeWorkspace([[asking]])
    const run = claude.start(OPTIONS)
    const [{ toolCallId = '' } = {}] = await waiting(claude)
    const selected = ['Paris, north', 'Oslo']
    await submitAnswer(claude.sandbox, { toolCallId, responses: { where: { selected, source: 'human' } } })
    await run.ended
    expect(resultOf(claude, asking)).toEqual({ action: 'accept', content: { where: selected, size: 7 } })
  })

  it('can be declined', async () => {
    const asking = ask(COLOUR)
    const claude = await createClaudeWorkspace([[asking]])
    const run = claude.start(OPTIONS)
    const [{ toolCallId = '' } = {}] = await waiting(claude)
    await submitAnswer(claude.sandbox, { toolCallId, status: 'declined' })
    await run.ended
    expect(resultOf(claude, asking)).toEqual({ action: 'decline' })
  })

  it('is cancelled when nobody answers in time: that is no refusal', async () => {
    const asking = ask(COLOUR)
    const claude = await createClaudeWorkspace([[asking]])
    await claude.start(OPTIONS, { timeoutMs: 200 }).ended
    expect(resultOf(claude, asking)).toEqual({ action: 'cancel' })
  })

  it('waits beside another one, each with its own answer', async () => {
    const [colour, size] = [ask(COLOUR), ask({ size: { type: 'integer' } })]
    const claude = await createClaudeWorkspace([[colour, size]])
    const run = claude.start(OPTIONS)
    const views = await waiting(claude, 2)
    const ofField = (id: string) => views.find(({ questions }) => questions[0]?.id === id)?.toolCallId ?? ''
    const typed = { selected: [], freeText: '3', source: 'human' as const }
    await submitAnswer(claude.sandbox, { toolCallId: ofField('size'), responses: { size: typed } })
    await submitAnswer(claude.sandbox, {
      toolCallId: ofField('colour'),
      responses: { colour: picked('Red') },
    })
    await run.ended
    expect(resultOf(claude, colour)).toEqual({ action: 'accept', content: { colour: 'Red' } })
    expect(resultOf(claude, size)).toEqual({ action: 'accept', content: { size: 3 } })
  })

  it('is two questions where the same is asked twice at once', async () => {
    const [one, two] = [ask(COLOUR), ask(COLOUR)]
    const claude = await createClaudeWorkspace([[one, two]])
    const run = claude.start(OPTIONS)
    const [first, second] = await waiting(claude, 2)
    for (const [view, value] of [
      [first, 'Red'],
      [second, 'Blue'],
    ] as const)
      await submitAnswer(claude.sandbox, {
        toolCallId: view?.toolCallId ?? '',
        responses: { colour: picked(value) },
      })
    await run.ended
    expect([one, two].map((each) => resultOf(claude, each).content.colour).sort()).toEqual(['Blue', 'Red'])
  })

  it('is found again by the run that goes on after the first one was killed', async () => {
    const [first, second, third] = [ask(COLOUR), ask(COLOUR), ask(COLOUR)]
    const claude = await createClaudeWorkspace([[text('Well.'), first], [second], [third]])
    const { workdir } = claude.sandbox
    const config = join(workdir, 'servers.json')
    await writeFile(config, JSON.stringify({ mcpServers: OPTIONS.mcpServers }))
    const own = ['--allowed-tools', TOOL, '--mcp-config', config]
    const killed = sandagent(claude, ...own, '--', 'Go')
    const [{ toolCallId = '' } = {}] = await waiting(claude)
    await claude.transcriptHas('About your order')
    killed.kill()
    const { stdout } = await killed.ended
    await submitAnswer(claude.sandbox, { toolCallId, responses: { colour: picked('Blue') } })

    const next = sandagent(claude, ...own, '--resume', sessionIn(stdout), '--', 'Go on')
    // What is asked the next time is another question, although the first one had the same words.
    const [again] = await waiting(claude)
    expect(resultOf(claude, second)).toEqual({ action: 'accept', content: { colour: 'Blue' } })
    await submitAnswer(claude.sandbox, {
      toolCallId: again?.toolCallId ?? '',
      responses: { colour: picked('Red') },
    })
    expect(await next.ended).toMatchObject({ exitCode: 0, stderr: '' })
    expect(resultOf(claude, third)).toEqual({ action: 'accept', content: { colour: 'Red' } })
  })

  it('is declined in a run without a person', async () => {
    const asking = ask(COLOUR)
    const claude = await createClaudeWorkspace([[asking]])
    await claude.start({ ...OPTIONS, unattended: true }).ended
    expect(resultOf(claude, asking)).toEqual({ action: 'decline' })
  })

  it('is asked again once it has ended: an answer counts once', async () => {
    const [first, second] = [ask(COLOUR), ask(COLOUR)]
    const claude = await createClaudeWorkspace([[first], [second]])
    const run = claude.start(OPTIONS)
    for (const [asking, value] of [
      [first, 'Red'],
      [second, 'Blue'],
    ] as const) {
      const [view] = await waiting(claude)
      const responses = { colour: picked(value) }
      await submitAnswer(claude.sandbox, { toolCallId: view?.toolCallId ?? '', responses })
      await vi.waitFor(() => expect(resultOf(claude, asking)).toMatchObject({ content: { colour: value } }))
    }
    await run.ended
  })
})
