export type { KnownWorkdir } from '@sandagent/sdk/internal'
export {
  createInbox,
  type Inbox,
  type InboxOptions,
  type QuestionName,
} from './create-inbox.ts'
export type { AuthorizeInbox, InboxSubject } from './inbox-caller.ts'
export type { GrantEntry, InboxGrant, InboxGrants } from './inbox-grants.ts'
export {
  createInboxHandler,
  type InboxHandlerOptions,
  type QuestionInContext,
} from './inbox-handler.ts'
export type { InboxQuestion } from './inbox-question.ts'
export type { InboxRun, InboxRuns, RunInContext } from './inbox-run.ts'
export type { InboxPlace, InboxSandbox, InboxSandboxes, UnreachableSandbox } from './inbox-sandbox.ts'
export type { InboxStatistics, Waits } from './inbox-statistics.ts'
export type { InboxSubmitOptions } from './inbox-submit.ts'
export { knownWorkdirs } from './known-workdirs.ts'
export type { InboxList, InboxListOptions } from './list-inbox.ts'
export type { FileEdit, RunMessage, RunWork } from './run-work.ts'
export type { InboxChange } from './watch-inbox.ts'
