// For the packages of this repository alone. These names promise nothing: they change without notice.

export { checkLimit, limitIn } from './answers/list-cursor.ts'
export { isWaiting, pagesOf } from './answers/questions.ts'
export { channelOf, type HostOptions, hasRunEnded, storeOverFiles } from './answers/sandbox-channel.ts'
export { storeAnswer } from './answers/store-answer.ts'
export { logError, logWarning, onceEach } from './answers/warnings.ts'
export { createAccess, noteSamePeer } from './http/access.ts'
export type { AnswerApiOptions } from './http/answer-api.ts'
export { actionOf, type DecisionFacts, outcomeOfError, reportDecision } from './http/audit.ts'
export { readJson, readJsonText } from './http/read-json-body.ts'
export { jsonReply, replyTo } from './http/replies.ts'
export { EVENT_STREAM_HEADERS, type EventStreamOptions, eventStream } from './http/stream/event-stream.ts'
export * from './index.ts'
export { type Caller, hostViewOf, viewerOf } from './policy/viewer-of.ts'
export { keysOfRun, ownerOfRun } from './run-records/run-facts.ts'
export { attemptPaths, isRunId, RUN_ID_RULE } from './run-records/run-paths.ts'
export { latestRecord, type RunRecord } from './run-records/run-records.ts'
export {
  enterWorkdir,
  KNOWN_WORKDIRS_VARIABLE,
  type KnownWorkdir,
  knownWorkdirsFolder,
} from './runs/enter-workdir.ts'
export { followLog } from './runs/follow-log.ts'
export { describeRun, unknownRun } from './runs/run.ts'
export { chunkOf, createEventCutter, readEnding, readTail } from './runs/run-log.ts'
export { STREAM_OPTIONS, streamLog } from './runs/stream-run.ts'
export { copyAttachments, refuseGiver, storeAttachment, takesFiles } from './sandbox/attachments.ts'
export { checkSandbox } from './sandbox/check-sandbox.ts'
export { hideSigningKey, SIGNING_KEY_VARIABLE } from './sandbox/host-config.ts'
export { installedRunner, RUNNER } from './sandbox/installed-runner.ts'
export { findProgram } from './sandbox/isolation/find-program.ts'
export { isInside } from './sandbox/isolation/path-outside.ts'
export { sendSignal } from './sandbox/programs/local-detached.ts'
export { unstartedProcess } from './sandbox/programs/spawn-program.ts'
export type { RunFacts, SandboxLogs } from './sandbox/sandbox.ts'
export { verifyingKeys } from './signing/signing-keys.ts'
