export type { AskUserQuestionOutput } from '@sandagent/core'
export type { Agent, AgentRun } from './agent.ts'
export { commandAgent } from './agents/command.ts'
export type {
  AnswerLine,
  AskLine,
  ErrorLine,
  ProgramLine,
  ReplyLine,
  ToolLine,
} from './agents/command-lines.ts'
export { parseScenario } from './agents/parse-scenario.ts'
export type { AskStep, Condition, RunStep, Scenario, Step, WhenStep, WriteStep } from './agents/scenario.ts'
export { scriptedAgent } from './agents/scripted.ts'
export { parseAnswerKeys } from './answer-keys.ts'
export type { AskOptions } from './ask-options.ts'
export type { AskRequest } from './ask-request.ts'
export { askUser } from './ask-user.ts'
export type { OnTimeout } from './ending.ts'
export { receiptsWritten } from './receipts.ts'
export { runAgent } from './run-agent.ts'
export { type ToolResult, toolResultOf, writeOutcome } from './tool-result.ts'
export { createUiStream, type ToolCall, type UiStream } from './ui-stream.ts'
export { type VerifiedChannel, type VerifiedChannelOptions, verifiedChannel } from './verified-channel.ts'
