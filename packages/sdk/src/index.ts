export {
  type AnswerRequest,
  type AnswerStatus,
  type AnswerTexts,
  AskError,
  type AskErrorCode,
  type AskErrorDetails,
  type Clock,
  type Fault,
  type Outcome,
  type OutcomeKind,
  type PolicyRule,
  type Question,
  type QuestionOption,
  type QuestionRecord,
  type QuestionResponse,
  type QuestionView,
  type Responses,
} from '@sandagent/core'
export type { FileStat, RunFiles, SandboxFiles } from '@sandagent/files'
export type { AgentChat } from './agents/chat-request.ts'
export {
  type Agents,
  type AgentsIsolation,
  type AgentsOptions,
  createAgents,
} from './agents/create-agents.ts'
export {
  type AnswerLinkOptions,
  type AnswerLinkRequest,
  createAnswerLink,
} from './answers/create-answer-link.ts'
export { createSandboxTransport, type SandboxTransportOptions } from './answers/create-sandbox-transport.ts'
export { cursorOf } from './answers/list-cursor.ts'
export { type ObservedSandboxes, observeQuestions } from './answers/observe-questions.ts'
export { type ListOptions, type LookOptions, listQuestions, watchQuestions } from './answers/questions.ts'
export type { StoredAnswer } from './answers/store-answer.ts'
export { declineQuestion, type SubmitOptions, submitAnswer } from './answers/submit-answer.ts'
export type { OnWarning } from './answers/warnings.ts'
export type { AccessOptions, Authorization } from './http/access.ts'
export {
  type AnswerHandler,
  type AnswerHandlerOptions,
  createAnswerHandler,
  type QuestionList,
} from './http/answer-handler.ts'
export type { Decision } from './http/audit.ts'
export { checkOrigin, LOOPBACK_HOSTS, type OriginCheck, type RequestHeaders } from './http/origin-check.ts'
export { readJsonBody } from './http/read-json-body.ts'
export { errorResponse } from './http/replies.ts'
export { type NodeHandler, toNodeHandler, type WebHandler } from './http/to-node-handler.ts'
export type { AskedApproval, HostGrants } from './policy/host-grants.ts'
export { type Policy, parsePolicy } from './policy/parse-policy.ts'
export { type PruneOptions, pruneRuns } from './runs/prune-runs.ts'
export { listRuns, type Run, type RunState, readRun } from './runs/run.ts'
export { type OwnRunLog, recordOwnRun } from './runs/start/own-run.ts'
export type { RunnerCommand, RunRequest } from './runs/start/run-request.ts'
export { type AgentNeeds, agentNeeds } from './runs/start/runner-environment.ts'
export { type RunFleet, type StartOptions, startRun } from './runs/start/start-run.ts'
export { type StopOptions, stopRun } from './runs/stop-run.ts'
export { RUN_STREAM_HEADERS, type StreamRunOptions, streamRun } from './runs/stream-run.ts'
export type { Isolation, IsolationLevel } from './sandbox/isolation/isolation.ts'
export { LocalSandbox, type LocalSandboxOptions } from './sandbox/local-sandbox.ts'
export type {
  DetachedOptions,
  DetachedProgram,
  DetachedPrograms,
} from './sandbox/programs/detached-programs.ts'
export type { ProcessEnd, SandboxProcess, SpawnOptions } from './sandbox/programs/process.ts'
export type { AnswerableSandbox, RunSandbox, Sandbox, SandboxConnection } from './sandbox/sandbox.ts'
export { type LoadKeysOptions, loadSigningKeys } from './signing/load-signing-keys.ts'
export { createSigningKey, parseSigningKeys, type SigningKeys } from './signing/signing-keys.ts'
