import type { Question, QuestionOption, TypedAnswer } from '@sandagent/core'
import type { FileHostChannelOptions, FileRunnerChannelOptions } from '@sandagent/files'
import type { Exact } from '@sandagent/fixtures/exact.ts'
import { expect, expectTypeOf, it } from 'vitest'
import type { AgentRailToolOptions, AskRegistryOptions } from '../src/agentrail.ts'
import type { AskUserQuestionToolOptions, ResumeQuestionsOptions } from '../src/ai-sdk.ts'
import {
  type AskingSettings,
  type ClaudeAgentOptions,
  createAskingOptions,
  createClaudeAgent,
} from '../src/claude.ts'
import type { AskPendingOptions } from '../src/cognipeer.ts'
import {
  type AgentRun,
  type AskOptions,
  type AskRequest,
  type AskStep,
  askUser,
  parseScenario,
  type RunStep,
  type Scenario,
  type VerifiedChannelOptions,
} from '../src/index.ts'
import { type AskMcpServerOptions, createAskMcpServer } from '../src/mcp.ts'
import { createElicitationHandler, type ElicitationHandlerOptions } from '../src/mcp-client.ts'
import { createWorkspace } from './workspace.ts'

it('every optional field of what a program in the sandbox hands in takes undefined', () => {
  expectTypeOf<
    | Exact<AgentRailToolOptions>
    | Exact<AgentRun>
    | Exact<AskMcpServerOptions>
    | Exact<AskOptions>
    | Exact<AskPendingOptions>
    | Exact<AskRegistryOptions>
    | Exact<AskRequest>
    | Exact<AskingSettings>
    | Exact<AskStep>
    | Exact<AskUserQuestionToolOptions>
    | Exact<ClaudeAgentOptions>
    | Exact<ElicitationHandlerOptions>
    | Exact<FileHostChannelOptions>
    | Exact<FileRunnerChannelOptions>
    | Exact<Question>
    | Exact<QuestionOption>
    | Exact<ResumeQuestionsOptions>
    | Exact<RunStep>
    | Exact<Scenario>
    | Exact<TypedAnswer>
    | Exact<VerifiedChannelOptions>
  >().toBeNever()
})

it('a request field that is undefined is the same as one that is absent', async () => {
  const { channel } = await createWorkspace()
  const stop = new AbortController()
  const none = { toolName: undefined, kind: undefined, subject: undefined, asker: undefined }
  const outcome = askUser(
    channel,
    { toolCallId: 'call-1', runId: 'run-1', questions: [{ question: 'Why?' }], ...none },
    {
      signal: stop.signal,
      timeoutMs: undefined,
      timeoutPolicy: undefined,
      onAsked: undefined,
      clock: undefined,
    },
  )
  stop.abort()
  expect(await outcome).toMatchObject({ kind: 'aborted' })
})

it('a field of a scenario that is undefined is the same as one that is absent', () => {
  const ask = { as: undefined, timeoutMs: undefined, timeoutPolicy: undefined, ifUnanswered: undefined }
  const scenario = {
    title: undefined,
    steps: [{ ask: { ...ask, questions: [{ question: 'Why?', header: undefined }] } }],
  }
  expect(JSON.stringify(parseScenario(scenario))).toBe(
    '{"steps":[{"ask":{"questions":[{"question":"Why?"}]}}]}',
  )
})

it.each([
  ['createAskingOptions', createAskingOptions],
  ['createAskMcpServer', createAskMcpServer],
  ['createClaudeAgent', createClaudeAgent],
  ['createElicitationHandler', createElicitationHandler],
] as [string, (options: never) => unknown][])(
  '%s refuses an option that it does not have',
  async (_, create) => {
    const call = async (): Promise<unknown> => create({ typo: 1 } as never)
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_REQUEST', faults: [{ path: 'typo' }] })
  },
)
