import { query } from '@anthropic-ai/claude-agent-sdk'
import { cancelQuestion } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { createClaudeWorkspace } from '../support/claude-workspace.ts'
import { sandagent } from '../support/mcp.ts'
import { call } from '../support/messages-api.ts'

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
    await cancelQuestion(claude.sandbox, { toolCallId: ask.id, reason: 'not now' })
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
