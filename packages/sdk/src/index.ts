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
export type { SandboxFiles } from '@sandagent/files'
export {
  type AnswerHandler,
  type AnswerHandlerOptions,
  type Authorization,
  createAnswerHandler,
} from './answer-handler.ts'
export { LocalSandbox, type LocalSandboxOptions } from './local-sandbox.ts'
export { listQuestions, watchQuestions } from './questions.ts'
export type { AnswerableSandbox, ProcessEnd, Sandbox, SandboxProcess, SpawnOptions } from './sandbox.ts'
export type { StoredAnswer, StoreOptions } from './store-answer.ts'
export { cancelQuestion, type SubmittedAnswer, submitAnswer } from './submit-answer.ts'
export { type NodeHandler, toNodeHandler } from './to-node-handler.ts'
