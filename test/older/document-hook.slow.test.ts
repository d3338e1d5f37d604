// @vitest-environment jsdom
// Pages with the hook of the SandAgent document, its route, and a runner: what the page shows is what the agent got, or the
// page says that it is not.

import { createFileRunnerChannel } from '@sandagent/files'
import { listen } from '@sandagent/fixtures/listen.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { askUser } from '@sandagent/runner'
import { createAnswerHandler, LocalSandbox, submitAnswer, toNodeHandler } from '@sandagent/sdk'
import { useAskUserQuestion } from '@sandagent/sdk/react'
import { renderHook } from '@testing-library/react'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

// What a real server sends comes when it comes, outside of any act().
beforeAll(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false))
afterAll(() => vi.unstubAllGlobals())

const LABELS = ['Tests', 'Docs', 'Yes, always', 'CI']
const shapes = fc.array(fc.boolean(), { minLength: 1, maxLength: 3 })
const clicks = fc.array(fc.record({ question: fc.nat(), option: fc.nat(3), pauses: fc.nat(3) }), {
  maxLength: 12,
})
const noStream = async (): Promise<Response> => Response.json({}, { status: 404 })

it.each(['the route of the document', 'createAnswerHandler'])(
  'the agent gets what the page shows, for random clicks through %s',
  async (route) => {
    const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
    const documentRoute = async (request: Request): Promise<Response> => {
      const { toolCallId, questions, answers } = await request.json()
      await submitAnswer(sandbox, { toolCallId, questions, answers })
      return Response.json({ success: true })
    }
    const handler = createAnswerHandler({ sandbox, authorize: () => true })
    const isDocument = route !== 'createAnswerHandler'
    const url = await listen(toNodeHandler(isDocument ? { GET: noStream, POST: documentRoute } : handler))
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir })

    const clickThrough = async (number: number): Promise<void> => {
      const [isMulti = [], sequence = []] = fc.sample(fc.tuple(shapes, clicks), 1)[0] ?? []
      const toolCallId = `call-${number}`
      const questions = isMulti.map((multiSelect, index) => ({
        question: `Question ${index + 1}?`,
        multiSelect,
        options: LABELS.map((label) => ({ label })),
      }))
      let onAsked = (): void => {}
      const asked = new Promise<void>((resolve) => {
        onAsked = resolve
      })
      const outcome = askUser(channel, { toolCallId, runId: 'run', questions }, { onAsked, quietMs: 20 })
      await asked
      const part = {
        type: 'dynamic-tool' as const,
        toolName: 'AskUserQuestion',
        toolCallId,
        state: 'input-available' as const,
        input: { questions },
      }
      const options = { part, answerEndpoint: `${url}/api/answer`, undoMs: 20 }
      const { result, unmount } = renderHook(() => useAskUserQuestion(options))
      const click = (at: number, option: number): void => {
        const { question = '', multiSelect } = questions[at % questions.length] ?? {}
        result.current.selectAnswer(question, LABELS[option] ?? '', multiSelect)
      }
      for (const { question, option, pauses } of sequence) {
        for (let left = pauses; left > 0; left--) await new Promise(setImmediate)
        click(question, option)
      }
      // What is still missing, so that the answer is complete.
      await vi.waitFor(() => {
        const { unanswered, isWaitingForInput } = result.current
        if (isWaitingForInput && unanswered.length > 0) click(Number(unanswered[0]?.slice(1)) - 1, 0)
        expect(result.current.isWaitingForInput).toBe(false)
      })
      const { responses } = await outcome
      await vi.waitFor(() =>
        expect(result.current.isCompleted || result.current.status === 'superseded').toBe(true),
      )
      const shown = questions.map(({ question, multiSelect }) =>
        LABELS.filter((label) => result.current.isSelected(question, label, multiSelect)),
      )
      const got = questions.map((_, index) => {
        const response = responses[`q${index + 1}`]
        return response && 'selected' in response
          ? LABELS.filter((label) => response.selected.includes(label))
          : []
      })
      expect({ status: result.current.status, got }, JSON.stringify(sequence)).toEqual({
        status: isDocument ? 'sent' : expect.stringMatching(/^(sent|received)$/),
        got: shown,
      })
      unmount()
    }
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < 150) await clickThrough(next++)
    }
    await Promise.all(Array.from({ length: 10 }, worker))
  },
  300_000,
)
