import { createRequire } from 'node:module'
import { query } from '@anthropic-ai/claude-agent-sdk'
import { declineQuestion } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { sandagent } from '../support/mcp.ts'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call } from '../support/models/messages-api.ts'
import { startInTerminal } from '../support/terminal/pseudo-terminal.ts'

const TOOL = 'mcp__sandagent__ask_user_question'
const COLOUR = { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }

/** Lets Claude Code ask by way of `sandagent mcp`, which it starts itself. */
async function start(withFolder = true) {
  const ask = call(TOOL, { questions: [COLOUR] })
  const claude = await createClaudeWorkspace([[ask]])
  const { workdir } = claude.sandbox
  const session = query({
    prompt: 'Paint it.',
    options: {
      cwd: workdir,
      allowedTools: [TOOL],
      mcpServers: {
        sandagent: {
          command: process.execPath,
          args: [sandagent, 'mcp', ...(withFolder ? ['--workdir', workdir] : [])],
          alwaysLoad: true,
        },
      },
    },
  })
  const ended = (async () => {
    for await (const _ of session);
  })()
  return { claude, ask, ended }
}

describe('Claude Code with sandagent mcp', () => {
  it('asks under the id of its tool call, and reads the answer', async () => {
    const { claude, ask, ended } = await start()
    await claude.answer(ask.id, { answers: { 'Which colour?': 'Blue' } })
    await ended
    expect(claude.api.requests[0]?.tools).toContainEqual(expect.objectContaining({ name: TOOL }))
    const { text, isError } = claude.api.resultOf(ask.id) ?? { text: '' }
    expect(isError).toBe(false)
    expect(JSON.parse(text)).toMatchObject({
      kind: 'answered',
      text: 'The user answered:\n- "Which colour?": "Blue"',
    })
  })

  it('reads what to do after a refusal', async () => {
    const { claude, ask, ended } = await start()
    await claude.asked(ask.id)
    await declineQuestion(claude.sandbox, { toolCallId: ask.id, reason: 'not now' })
    await ended
    expect(claude.api.resultOf(ask.id)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/The user declined to answer, saying "not now".*do not guess/),
    })
  })

  // This is why a folder wins over the form of a client, unless somebody says otherwise.
  it('declines by itself where nobody sees its form', async () => {
    const { claude, ask, ended } = await start(false)
    await ended
    expect(claude.api.resultOf(ask.id)).toMatchObject({
      isError: true,
      text: expect.stringContaining('The user declined to answer'),
    })
  })
})

/** The binary of Claude Code, which comes beside the Agent SDK. */
function claudeBinary(): string {
  const sdk = createRequire(createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk'))
  return sdk.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`)
}

describe('claude -p with sandagent mcp, in a terminal', () => {
  const inTerminal = async () => {
    const ask = call(TOOL, { questions: [COLOUR] })
    const claude = await createClaudeWorkspace([[ask]])
    const { workdir } = claude.sandbox
    const args = [sandagent, 'mcp', '--workdir', workdir]
    const server = { command: process.execPath, args, alwaysLoad: true }
    const config = JSON.stringify({ mcpServers: { sandagent: server } })
    const options = ['-p', '--allowedTools', TOOL, '--mcp-config', config]
    const terminal = startInTerminal(claudeBinary(), ['Paint it.', ...options], { cwd: workdir })
    await claude.asked(ask.id)
    const state = async () => (await claude.record(ask.id))?.state
    return { terminal, state }
  }

  it('withdraws its question on Ctrl-C, which reaches both of them', async () => {
    const { terminal, state } = await inTerminal()
    await terminal.at('', '\u0003')
    await vi.waitFor(async () => expect(await state()).toBe('aborted'))
  })

  it('withdraws its question when the terminal is closed', async () => {
    const { terminal, state } = await inTerminal()
    terminal.close()
    await vi.waitFor(async () => expect(await state()).toBe('aborted'))
  })
})
