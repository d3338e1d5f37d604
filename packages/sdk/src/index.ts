export {
  type AnswerRequest,
  type AnswerTexts,
  type ApprovalStatus,
  AskError,
  type AskErrorCode,
  type Clock,
  type Fault,
  type Outcome,
  type OutcomeKind,
  type Question,
  type QuestionOption,
  type QuestionRecord,
  type QuestionResponse,
  type QuestionView,
  type Responses,
} from '@sandagent/core'
export type { FileStat, RunFiles, SandboxFiles } from '@sandagent/files'
export type { AccessOptions, Authorization } from './access.ts'
export { type AnswerHandler, type AnswerHandlerOptions, createAnswerHandler } from './answer-handler.ts'
export type { Decision } from './audit.ts'
export type { DetachedOptions, DetachedProgram, DetachedPrograms } from './detached-programs.ts'
export type { Isolation, IsolationLevel } from './isolation/isolation.ts'
export { LocalSandbox, type LocalSandboxOptions } from './local-sandbox.ts'
export { LOOPBACK_HOSTS, type OwnSite, type RequestHeaders, refuseOtherSites } from './own-site.ts'
export { type LookOptions, listQuestions, watchQuestions } from './questions.ts'
export { type AgentNeeds, agentNeeds } from './runs/agent-needs.ts'
export { type PruneOptions, pruneRuns } from './runs/prune-runs.ts'
export { listRuns, type Run, type RunState, readRun } from './runs/run.ts'
export { type RunRequest, type StartOptions, startRun } from './runs/start-run.ts'
export { type StopOptions, stopRun } from './runs/stop-run.ts'
export { RUN_STREAM_HEADERS, type StreamRunOptions, streamRun } from './runs/stream-run.ts'
export type {
  AnswerableSandbox,
  ProcessEnd,
  RunSandbox,
  Sandbox,
  SandboxProcess,
  SpawnOptions,
} from './sandbox.ts'
export { type AnswerLinkOptions, type AnswerLinkRequest, createAnswerLink } from './signing/answer-link.ts'
export { type LoadKeysOptions, loadSigningKeys } from './signing/load-signing-keys.ts'
export { createSigningKey, parseSigningKeys, type SigningKeys } from './signing/signing-keys.ts'
export type { StoredAnswer, StoreOptions } from './store-answer.ts'
export { cancelQuestion, type SubmittedAnswer, submitAnswer } from './submit-answer.ts'
export { type NodeHandler, toNodeHandler, type WebHandler } from './to-node-handler.ts'
export type { OnWarning } from './warnings.ts'
