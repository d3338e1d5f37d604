// Why it is so: docs/decisions/0078-an-inbox-stores-nothing.md

import {
  type AnswerRequest,
  AskError,
  type Clock,
  checkOptions,
  DEFAULT_INBOX_PATIENCE_MS,
  invalid,
  type OptionNames,
  systemClock,
  unreachable,
} from '@sandagent/core/internal'
import type { Decision, Policy, RunSandbox, StoredAnswer } from '@sandagent/sdk/internal'
import {
  type AnswerLinkRequest,
  channelOf,
  createAnswerLink,
  type HostOptions,
  hostViewOf,
  listRuns,
  logWarning,
  readRun,
  type StreamRunOptions,
  streamLog,
  streamRun,
  unknownRun,
} from '@sandagent/sdk/internal'
import type { InboxGrants } from './inbox-grants.ts'
import { type InboxQuestion, inboxQuestionOf } from './inbox-question.ts'
import type { InboxRun, InboxRuns } from './inbox-run.ts'
import {
  hasRuns,
  type InboxSandbox,
  type InboxSandboxes,
  inboxPlaceOf,
  inEach,
  patiently,
  sandboxesOf,
  sandboxIn,
} from './inbox-sandbox.ts'
import { createSubmit, type InboxSubmitOptions } from './inbox-submit.ts'
import {
  type InboxList,
  type InboxListOptions,
  type LookAround,
  listPast,
  listWaiting,
} from './list-inbox.ts'
import { lastWork, type RunWork } from './run-work.ts'
import { type InboxChange, watchSandboxes } from './watch-inbox.ts'

export interface InboxOptions extends HostOptions {
  sandboxes: InboxSandboxes
  /** How long one sandbox may take to reply before it counts as out of reach, in milliseconds. Default 5000. */
  patienceMs?: number | undefined
  /** Who may answer which questions, and how many people must give the same answer. Default: everybody may, alone. */
  policy?: Policy | undefined
  /** The grants of this host: people can then allow more than one call. Default: none. */
  grants?: InboxGrants | undefined
  /** Called with each answer, draft and decline that `submit` and `decline` of the inbox store or refuse: for an audit log. */
  onDecision?: ((decision: Decision) => void) | undefined
  clock?: Clock | undefined
}

export const INBOX_OPTIONS: OptionNames<InboxOptions> = {
  sandboxes: true,
  patienceMs: true,
  policy: 'list',
  grants: true,
  passkeys: true,
  onDecision: 'function',
  signingKeys: true,
  onWarning: 'function',
  clock: 'clock',
}

/** Names a question. Without `sandboxId` all sandboxes are searched. */
export interface QuestionName {
  toolCallId: string
  sandboxId?: string | undefined
}

/** The questions of many sandboxes in one place. */
export interface Inbox {
  /** The sandboxes as they are now. */
  sandboxes(): Promise<readonly InboxSandbox[]>
  /** The questions that wait for a person, oldest first. @throws AskError `INVALID_REQUEST` for a wrong `limit` or `cursor` */
  list(options?: InboxListOptions): Promise<InboxList>
  /** The questions that are answered or have ended, the latest first. @throws AskError as `list` does */
  history(options?: InboxListOptions): Promise<InboxList>
  /** Yields every question that waits, then each change of a question or a sandbox, until the signal aborts. */
  watch(options: { signal: AbortSignal }): AsyncIterable<InboxChange>
  /**
   * Finds one question in any state.
   *
   * @throws AskError `NOT_FOUND`; `CONFLICT` if several sandboxes have one of this id; `UNREACHABLE` if it may be in a sandbox
   *   that cannot be read
   */
  find(question: QuestionName): Promise<InboxQuestion>
  /** Stores an answer, a draft or a decline. @throws AskError as `submitAnswer` does, `NOT_FOUND` for an unknown sandbox. */
  submit(sandboxId: string, request: AnswerRequest, options?: InboxSubmitOptions): Promise<StoredAnswer>
  decline(
    sandboxId: string,
    question: Pick<AnswerRequest, 'toolCallId' | 'reason' | 'asksBack'>,
    options?: InboxSubmitOptions,
  ): Promise<StoredAnswer>
  /**
   * Makes a link to the form of one question: `PAGE#sandbox=…&toolCallId=…&token=…`. The inbox handler has the page under
   * `links`.
   *
   * @throws AskError as `createAnswerLink` does; `NOT_FOUND` for an unknown sandbox, `UNREACHABLE` for one that does not
   *   reply, `NO_SIGNING_KEY` for an inbox without keys
   */
  answerLink(sandboxId: string, request: AnswerLinkRequest): Promise<string>
  /** The runs of all sandboxes that have some. */
  runs(): Promise<InboxRuns>
  /** @throws AskError `NOT_FOUND`, `UNREACHABLE` */
  run(sandboxId: string, runId: string): Promise<InboxRun>
  /**
   * The last messages of a run, and what it wrote into files, as its log has them.
   *
   * @param options.limit the most messages; default 20
   * @throws AskError `NOT_FOUND` for an unknown sandbox, `UNREACHABLE`
   */
  lastWork(sandboxId: string, runId: string, options?: { limit?: number }): Promise<RunWork>
  /** Streams the log of a run, see `streamRun`. @throws AskError `NOT_FOUND` */
  log(sandboxId: string, runId: string, options?: StreamRunOptions): Promise<ReadableStream<Uint8Array>>
}

/**
 * Makes one inbox of the questions of many sandboxes. A sandbox that cannot be read is listed as such, and hides no other one.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist.
 */
export function createInbox(options: InboxOptions): Inbox {
  checkOptions('createInbox', options, INBOX_OPTIONS)
  if (typeof options.sandboxes !== 'function' && !Array.isArray(options.sandboxes))
    throw invalid('INVALID_REQUEST', 'createInbox', [
      { path: 'sandboxes', expected: 'a list of { id, name, sandbox }, or a function that gives one' },
    ])
  const around = lookAround(options)
  const { host } = around
  const sandboxes = (): Promise<readonly InboxSandbox[]> => sandboxesOf(options.sandboxes)
  const sandboxAt = async (sandboxId: string): Promise<InboxSandbox> =>
    sandboxIn(await sandboxes(), sandboxId)
  const runsAt = async (sandboxId: string): Promise<RunSandbox> => {
    const { sandbox } = await sandboxAt(sandboxId)
    if (hasRuns(sandbox)) return sandbox
    throw new AskError('NOT_FOUND', `The sandbox ${sandboxId} only takes answers: it has no runs`, {
      facts: { sandboxId },
    })
  }
  /** @throws AskError `UNREACHABLE` */
  const readPatiently = <T>(read: () => Promise<T>): Promise<T> =>
    patiently(read, around).catch((error: unknown) => {
      throw unreachable('This run cannot be read', error)
    })
  const submit = createSubmit(sandboxAt, { ...options, clock: around.clock })

  return {
    sandboxes,
    list: async (page = {}) => listWaiting(await sandboxes(), page, around),
    history: async (page = {}) => listPast(await sandboxes(), page, around),
    watch: ({ signal }) => watchSandboxes(options.sandboxes, around, signal),
    async find({ toolCallId, sandboxId }) {
      const all = await sandboxes()
      const searched = sandboxId === undefined ? all : [sandboxIn(all, sandboxId)]
      const read = async (sandbox: InboxSandbox) => ({
        sandbox,
        state: await channelOf(sandbox.sandbox, host).read(toolCallId),
      })
      const { results, unreachable } = await inEach(searched, read, around)
      const found = results.filter(({ state }) => state.record)
      const [first] = found
      if (found.length > 1)
        throw new AskError(
          'CONFLICT',
          'Several sandboxes have a question of this id. Name one of them by sandboxId',
          {
            facts: { toolCallId, sandboxIds: found.map(({ sandbox }) => sandbox.id) },
          },
        )
      if (first) return around.show(first.sandbox, first.state)
      const [missed] = unreachable
      if (missed) throw new AskError('UNREACHABLE', `${missed.sandboxName} cannot be read: ${missed.message}`)
      throw new AskError('NOT_FOUND', 'No such question is asked', { facts: { toolCallId } })
    },
    submit,
    decline: (sandboxId, question, by) => submit(sandboxId, { ...question, status: 'declined' }, by),
    async answerLink(sandboxId, request) {
      const { signingKeys, clock } = host
      if (signingKeys === null)
        throw new AskError(
          'NO_SIGNING_KEY',
          'This inbox has no keys to sign links with: its signingKeys are null',
        )
      const { sandbox } = await sandboxAt(sandboxId)
      const link = new URL(
        await patiently(() => createAnswerLink(sandbox, request, { signingKeys, clock }), around),
      )
      link.hash = `sandbox=${encodeURIComponent(sandboxId)}&${link.hash.slice(1)}`
      return link.href
    },
    async runs() {
      const runsOf = async (entry: InboxSandbox): Promise<InboxRun[]> =>
        hasRuns(entry.sandbox)
          ? (await listRuns(entry.sandbox, { onWarning: host.onWarning })).map((run) => ({
              ...inboxPlaceOf(entry),
              run,
            }))
          : []
      const { results, unreachable } = await inEach(await sandboxes(), runsOf, around)
      const runs = results.flat().sort((a, b) => (a.run.startedAt < b.run.startedAt ? -1 : 1))
      return { runs, unreachable }
    },
    async run(sandboxId, runId) {
      const entry = await sandboxAt(sandboxId)
      const run = await readPatiently(async () => readRun(await runsAt(sandboxId), runId))
      if (run) return { ...inboxPlaceOf(entry), run }
      throw unknownRun(runId)
    },
    lastWork: async (sandboxId, runId, { limit = 20 } = {}) => {
      const entry = await sandboxAt(sandboxId)
      return readPatiently(() => lastWork(entry, runId, limit))
    },
    async log(sandboxId, runId, given) {
      const { sandbox } = await sandboxAt(sandboxId)
      if ('logs' in sandbox && sandbox.logs) return streamLog(sandbox.logs, runId, given)
      return streamRun(await runsAt(sandboxId), runId, given)
    },
  }
}

/** How an inbox with these options looks at its sandboxes. */
export function lookAround({
  clock = systemClock,
  patienceMs = DEFAULT_INBOX_PATIENCE_MS,
  onWarning = logWarning,
  signingKeys,
  policy,
  grants,
  passkeys,
}: Omit<InboxOptions, 'sandboxes'>): LookAround<InboxQuestion> {
  const show: LookAround<InboxQuestion>['show'] = async (sandbox, state) =>
    inboxQuestionOf(sandbox, state, clock.now(), undefined, hostViewOf(state, { policy, passkeys }))
  const host = { clock, onWarning, signingKeys, passkeys }
  return { clock, patienceMs, host, grants, show }
}
