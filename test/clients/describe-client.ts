import { declineQuestion, type LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { asked, recordOf } from '../support/mcp.ts'
import { type mcpClients, startClient } from '../support/mcp-clients.ts'

const COLOUR = { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
const PARTS = {
  question: 'Which parts?',
  multiSelect: true,
  options: [{ label: 'Roof, tiled' }, { label: 'Door' }],
}
const OWNER = { question: 'Whose is it?' }
const CTRL_C = '\u0003'

/** A client needs a long time to start on a busy machine. */
const PATIENTLY = { timeout: 90_000 }

/** The first question of a client that was just started. */
export const firstAsked = (sandbox: LocalSandbox) => vi.waitFor(() => asked(sandbox), PATIENTLY)

/** What holds for each real client with `sandagent mcp`; each has a file of its own, so that they run side by side. */
export function describeClient(name: keyof typeof mcpClients, callId: RegExp): void {
  describe(`${name} with sandagent mcp`, () => {
    it('asks, and gives its model the answer', async () => {
      const { api, sandbox, terminal } = await startClient(name, [COLOUR, PARTS, OWNER])
      const { toolCallId } = await firstAsked(sandbox)
      expect(toolCallId).toMatch(callId)
      const answers = {
        'Which colour?': 'Blue',
        'Which parts?': '"Roof, tiled", Door',
        'Whose is it?': 'Zoë’s',
      }
      await submitAnswer(sandbox, { toolCallId, answers })
      await vi.waitFor(() => expect(api.result()).toContain('The user answered:'), PATIENTLY)
      for (const word of ['Blue', 'Roof, tiled', 'Zoë’s']) expect(api.result()).toContain(word)
      expect(await terminal.ended).toBe(0)
    })

    it('gives its model a refusal, and what to do after it', async () => {
      const { api, sandbox } = await startClient(name, [COLOUR])
      const { toolCallId } = await firstAsked(sandbox)
      await declineQuestion(sandbox, { toolCallId, reason: 'not now' })
      await vi.waitFor(() => expect(api.result()).toMatch(/declined to answer.*not now/s), PATIENTLY)
    })

    it('tells its model that nobody answered in time', async () => {
      const { api } = await startClient(name, [COLOUR], ['--timeout-ms', '1'])
      await vi.waitFor(() => expect(api.result()).toContain('Nobody answered'), PATIENTLY)
    })

    it('withdraws its question on Ctrl-C', async () => {
      const { sandbox, terminal } = await startClient(name, [COLOUR])
      const { toolCallId } = await firstAsked(sandbox)
      await terminal.at('', CTRL_C, CTRL_C)
      await vi.waitFor(async () =>
        expect(await recordOf(sandbox, toolCallId)).toMatchObject({ state: 'aborted' }),
      )
    })

    it('withdraws its question when its terminal is closed', async () => {
      const { sandbox, terminal } = await startClient(name, [COLOUR])
      const { toolCallId } = await firstAsked(sandbox)
      terminal.close()
      await vi.waitFor(async () =>
        expect(await recordOf(sandbox, toolCallId)).toMatchObject({ state: 'aborted' }),
      )
    })
  })
}
