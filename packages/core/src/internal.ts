// For the packages of this repository alone. These names promise nothing: they change without notice.

export { parseAnswerEnvelope, parseAnswerRequest } from './answer/answer-request.ts'
export { type AnswerState, loadTypedFault, missingIn } from './answer/answer-state.ts'
export {
  answerTexts,
  decodeAnswers,
  encodeAnswers,
  questionTexts,
  unknownAnswers,
} from './answer/answer-text.ts'
export { type Answer, answersOf, answerTo } from './answer/answers.ts'
export { assumptionOf } from './answer/assumption.ts'
export { findQuestion, selectInDraft, submittedResponses } from './answer/draft.ts'
export {
  ATTACHMENT_FILE,
  attachmentFault,
  attachmentFileName,
  attachmentName,
  filesTaken,
  isRasterImage,
  mediaTypeOf,
  takesOnlyFiles,
} from './answer/files/attachment.ts'
export { type FileLoss, type FilePlace, lossText, lossWarning } from './answer/files/file-loss.ts'
export {
  FILE_TEXT,
  kindText,
  limitsText,
  sizeText,
  typeByName,
} from './answer/files/files-for-people.ts'
export { filesInWords } from './answer/files/files-in-words.ts'
export { allFilesIn, filesIn } from './answer/files/named-files.ts'
export {
  bytesOf,
  FILE_ROOM,
  type FilePiece,
  type FileRoom,
  inPieces,
  PIECE_BYTES,
  refuseFull,
} from './answer/files/stored-file.ts'
export { toldResponsesSchema } from './answer/parse-responses.ts'
export { base64url, passkeyProofSchema } from './answer/passkey-proof.ts'
export {
  byQuestion,
  defaultOf,
  type GivenResponse,
  isAnswer,
  isComplete,
  responseTo,
  sameResponses,
  unansweredIds,
  withDefaults,
} from './answer/response.ts'
export {
  CHECK_TOOL,
  type CheckQuestionInput,
  describeTicket,
  isTicket,
  TICKET_ACTIONS,
  TICKET_ASK_TOOL,
  type TicketOutput,
} from './answer/tools/ticket-tools.ts'
export { parseAskCall } from './answer/tools/tool-call.ts'
export type { ToolSchema } from './answer/tools/tool-definition.ts'
export { checkEntered, validateResponses } from './answer/validate-responses.ts'
export {
  isFinal,
  isProvisional,
  mayBeFollowed,
  mayChange,
  PROVISIONAL,
  statusOf,
} from './compat/finality.ts'
export {
  AGENT_NAMES,
  ARRIVAL_GUARD_MS,
  DEFAULT_INBOX_PATIENCE_MS,
  DEFAULT_LINK_LIFETIME_MS,
  DEFAULT_POSTGRES_POLL_MS,
  DEFAULT_PRUNE_AFTER_MS,
  DEFAULT_QUIET_MS,
  DEFAULT_STATE_FOLDER,
  DEFAULT_STOP_GRACE_MS,
  DEFAULT_SWEEP_AFTER_MS,
  DEFAULT_TIMEOUT_MS,
  DEFAULT_TIMEOUT_POLICY,
  DEFAULT_WAKE_BEFORE_MS,
  NO_ROOM_EXIT_CODE,
  UNDO_MS,
} from './defaults.ts'
export { typedIn } from './dialects/mcp/typed-kind.ts'
export * from './index.ts'
export { backOffMs, untilDone } from './lib/async/back-off.ts'
export { deferred } from './lib/async/deferred.ts'
export { inTime } from './lib/async/in-time.ts'
export { createMutex } from './lib/async/mutex.ts'
export { thenEnd } from './lib/async/then-end.ts'
export { checkOptions, type OptionNames } from './lib/check-options.ts'
export { backgroundClock, holdProcess, LONGEST_TIMER_MS, sleep, withLimit } from './lib/clock.ts'
export { digestOf, sameJson, sha256Hex } from './lib/digest.ts'
export { errorCode, failedWith } from './lib/error-code.ts'
export { codesOf, httpStatusOf, invalid } from './lib/errors.ts'
export { isObject, own, pick, recordOf } from './lib/objects.ts'
export { rememberByText } from './lib/remember.ts'
export { routeOf } from './lib/route.ts'
export { filledText, isoTime, mapOf, parseJson, parseWith, withoutMark } from './lib/schema.ts'
export { batched } from './lib/streams/batched.ts'
export { readServerEvents } from './lib/streams/server-sent-events.ts'
export { stoppable } from './lib/streams/stoppable.ts'
export { createWakeSignal, type WakeSignal } from './lib/streams/wake-signal.ts'
export { jsonForPeople } from './lib/text/json-for-people.ts'
export { jsonOrText } from './lib/text/json-or-text.ts'
export { jsonText } from './lib/text/json-text.ts'
export { withLineBreaks } from './lib/text/line-breaks.ts'
export { printable, printableLine, visible, withoutHidden } from './lib/text/printable.ts'
export { quotedName } from './lib/text/quoted-name.ts'
export { isFileFault, unreachable } from './lib/unreachable.ts'
export { distinctWarnings, warningOf } from './lib/warnings/warning.ts'
export {
  addObserver,
  beginOperation,
  type Observation,
  type Observer,
  type Operation,
  type OperationEnd,
  observed,
  offerCounts,
  type Progress,
  type QuestionCounts,
  reportIncident,
} from './observers.ts'
export {
  type ApprovalQuestionOptions,
  approvalIn,
  approvalQuestion,
  optionFor,
} from './permission/approval.ts'
export { type CallReading, callHeading, mainFieldOf, planIn, readCall } from './permission/call-reading.ts'
export { allowedText, denialText, isDenialText, notRunText } from './permission/denial.ts'
export {
  editText,
  type InputChange,
  inputChanges,
  inputFaults,
  isJson,
} from './permission/edited-input.ts'
export { type FileEdit, fileEditsIn } from './permission/file-edits.ts'
export { type LineChange, lineChanges } from './permission/line-changes.ts'
export {
  planLines,
  quoteComments,
  readComments,
  writeComments,
} from './permission/plan-comments.ts'
export { reasonsOf } from './permission/reasons-of.ts'
export { type Risk, risksIn } from './permission/risks.ts'
export {
  APPROVAL_OPTIONS,
  type ApprovalDecision,
  decisionOf,
  PLAN_LABELS,
} from './question/approval-options.ts'
export { showReferences } from './question/character-references.ts'
export { MAX_BODY_BYTES, MAX_FILE_BYTES, MAX_TIMEOUT_MS, MAX_TYPED_CHARS } from './question/limits.ts'
export { isQuickToRender, withoutImages } from './question/markdown-cost.ts'
export { markdownOff, markdownSource, type TextKind } from './question/markdown-source.ts'
export { checkQuestionKeys, questionsSchema } from './question/parse-questions.ts'
export {
  allowsFreeText,
  findOption,
  isRequired,
  optionValue,
  sameQuestions,
  withIds,
} from './question/question.ts'
export { readQuestions } from './question/read-questions.ts'
export { hasSecret, isSealedFor, SECRET_TEXT, secretIdOf } from './question/secret-question.ts'
export { shownOption } from './question/shown-option.ts'
export { optionTitle, questionTitle, shownQuestion } from './question/shown-text.ts'
export { isShortSchema } from './question/tool-input.ts'
export { isOver, mcpToolName, samePart, toolNameOf, UNSEEN } from './question/tool-part.ts'
export {
  bareText,
  type DateAnswer,
  type NumberAnswer,
  type TypedAnswer,
} from './question/typed/typed-answer.ts'
export {
  enteredFault,
  expectedOf,
  isRange,
  limitsOf,
  stepOf,
  typedFault,
  typedOf,
  valueIn,
} from './question/typed/typed-fault.ts'
export { endsOf, rangeText, steppedText, typedText } from './question/typed/typed-text.ts'
export {
  type AnswerClaims,
  type Authenticate,
  type GrantName,
  isMeantFor,
  responsesOf,
} from './record/answer-file/answer-file.ts'
export { answerFileText } from './record/answer-file/answer-file-text.ts'
export { enteredIn } from './record/answer-file/entered-in.ts'
export { parseAnswerClaims } from './record/answer-file/parse-answer-file.ts'
export { identityOf, isSameRecord } from './record/answer-file/record-identity.ts'
export {
  ANSWER_TOKEN_TYPE,
  answerClaims,
  answerFileOf,
  type MisplacedAnswer,
  misplaced,
  PUBLIC_KEYS_VARIABLE,
  questionDigestOf,
  SIGNATURE_ALGORITHM,
} from './record/answer-file/signed-claims.ts'
export type { ApprovalReason } from './record/approval-reason.ts'
export { mayFollow } from './record/asking-back.ts'
export { isExpiry } from './record/expiry-marker.ts'
export { fileNameOf } from './record/file-name.ts'
export type { FollowedCall } from './record/followed-call.ts'
export { asModelsRead, cutText, outcomeOf, submittedKind } from './record/outcome/outcome.ts'
export { endingAccordingTo, type OutcomeFacts, questionAskedBack } from './record/outcome/outcome-text.ts'
export {
  type Author,
  authorId,
  authorOf,
  isSameAuthor,
  isSameName,
  nameKey,
  shownName,
} from './record/people/author.ts'
export {
  challengeOf,
  checkProof,
  proofFault,
  refuseFrames,
  type WebAuthnVerifier,
} from './record/people/check-proof.ts'
export { missingProof } from './record/people/missing-proof.ts'
export {
  demandIn,
  PASSKEYS_VARIABLE,
  parsePasskeys,
  passkeySchema,
  passkeysBy,
  passkeysIn,
  runPasskeysOf,
} from './record/people/passkey.ts'
export {
  allowsAny,
  askedDigestOf,
  changeDigest,
  decidedOnce,
  decisionOn,
  isSignable,
  type SignedDecision,
  signedDecision,
  signedDigest,
} from './record/people/passkey-demand.ts'
export { passkeyNote, signingSite } from './record/people/passkey-note.ts'
export {
  demandedBy,
  ignoredText,
  isNamed,
  type PolicyRule,
  ruleFor,
  votesNeeded,
  votesText,
  whoMayAnswer,
} from './record/people/policy-rule.ts'
export { policyRuleSchema } from './record/people/policy-rule-schema.ts'
export { isBy, isSameVote, jointResponses, type Vote, votersIn } from './record/people/vote.ts'
export {
  askerSchema,
  type ClosingReason,
  isSettled,
  type OpenRecord,
  type SettledRecord,
  subjectSchema,
  type UnsettledRecord,
  withReceipt,
} from './record/question-record.ts'
export { isAccountedFor } from './record/receipt.ts'
export { deadlineOf, timeoutSchema } from './record/timeout.ts'
export { TRACEPARENT_VARIABLE, traceparentIn } from './record/traceparent.ts'
export { draftsIn, otherDraftsFor } from './record/view/other-drafts.ts'
export {
  type GrantScope,
  isPresence,
  isQuestionView,
  isStreamReport,
  type PasskeyOffer,
  type Presence,
  type PresentPerson,
  type Refusal,
  type ShownExchange,
  type StreamReport,
} from './record/view/question-view.ts'
export { holdsUpWork, readerOf } from './record/view/reader-of.ts'
export { searchedText, searchWords } from './record/view/searched-text.ts'
export { takesText } from './record/view/takes-text.ts'
export {
  ENDING_TEXTS,
  GONE_TEXT,
  READER_NOTES,
  READER_TEXTS,
  TIMED_OUT_TEXT,
  TOOK_DRAFT_TEXT,
  WITHDRAWN_TEXT,
} from './record/view/texts-for-people.ts'
export { viewOf } from './record/view/view-of.ts'
export { type Viewer, votesOn } from './record/view/votes-on.ts'
export { isEnded, waitsForOthers } from './session/ask-status.ts'
export type { StoredReply } from './session/connection-options.ts'
export { isAnsweredWith, type PageAnswer } from './session/page-answer.ts'
export type { DraftKeeper } from './session/reload-draft.ts'
export { hostsPauseMs, mayTryAgain, retryDelayMs } from './session/retry.ts'
export type { SelectOptions } from './session/session.ts'
export { initialState } from './session/session-state.ts'
export { snapshotOf } from './session/snapshot.ts'
export { isSameQuestion } from './store/adoption.ts'
