export type { AskUserQuestionOutput } from '@sandagent/core'
export {
  type ApprovalDecision,
  type ApprovalQuestionOptions,
  approvalIn,
  approvalQuestion,
  editText,
} from '@sandagent/core/internal'
export { createFileRunnerChannel, type FileRunnerChannelOptions } from '@sandagent/files'
export { createCommandAgent } from './agents/command/agent.ts'
export type {
  AnswerLine,
  AskLine,
  ErrorLine,
  ProgramLine,
  ReplyLine,
  ToolLine,
} from './agents/command/lines.ts'
export { createScriptedAgent } from './agents/scripted/agent.ts'
export { parseScenario } from './agents/scripted/parse-scenario.ts'
export type {
  AskStep,
  Condition,
  RunStep,
  Scenario,
  Step,
  WhenStep,
  WriteStep,
} from './agents/scripted/scenario.ts'
export type { AskOptions } from './ask/ask-options.ts'
export type { AskRequest } from './ask/ask-request.ts'
export { askUser } from './ask/ask-user.ts'
export type { TimeoutPolicy } from './ask/read-answer.ts'
export { receiptsWritten } from './ask/receipts.ts'
export { handOverSecret, takeSecret } from './ask/secrets/take-secret.ts'
export { loadPasskeyVerifier } from './ask/verify/check-passkeys.ts'
export { parsePublicKeys } from './ask/verify/public-keys.ts'
export {
  createVerifiedChannel,
  type VerifiedChannel,
  type VerifiedChannelOptions,
} from './ask/verify/verified-channel.ts'
export {
  type Ask,
  type AskExtras,
  ask,
  type Choices,
  type FormOutcome,
  type FormQuestion,
  type QuestionExtras,
} from './program/ask.ts'
export type { Agent, AgentRun } from './run/agent.ts'
export { runAgent } from './run/run-agent.ts'
export { type ToolResult, toolResultOf, writeOutcome } from './run/tool-result.ts'
export { createUiStream, type ToolCall, type UiStream } from './run/ui-stream.ts'
