export {
  createInbox,
  type Inbox,
  type InboxOptions,
  type InboxRun,
  type InboxRuns,
  type QuestionName,
} from './inbox/create-inbox.ts'
export type { AuthorizeInbox, InboxSubject } from './inbox/inbox-caller.ts'
export {
  createInboxHandler,
  type InboxHandlerOptions,
  type QuestionInContext,
  type RunInContext,
} from './inbox/inbox-handler.ts'
export type { InboxQuestion } from './inbox/inbox-question.ts'
export type { InboxPlace, InboxSandbox, InboxSandboxes, UnreachableSandbox } from './inbox/inbox-sandbox.ts'
export type { InboxSubmitOptions } from './inbox/inbox-submit.ts'
export type { InboxList, InboxListOptions } from './inbox/list-inbox.ts'
export type { FileEdit, RunMessage, RunWork } from './inbox/run-work.ts'
export type { InboxChange } from './inbox/watch-inbox.ts'
