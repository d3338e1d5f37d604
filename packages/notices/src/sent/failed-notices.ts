import { checkOptions, type OnWarning } from '@sandagent/core/internal'
import { createSentNotices, type SentNotice } from './sent-notices.ts'

/** A notice that could not be sent. */
export interface FailedNotice {
  id: string
  /** The name of the person who was not told. */
  person: string
  sink: string
  sandboxName: string
  toolCallId: string
  /** ISO 8601: when the last try failed. */
  at: string
  failure: string
}

interface FailedOptions {
  onWarning: OnWarning
}

/** The notices that could not be sent, the latest last. @param folder that of `startNotices` */
export async function listFailedNotices(folder: string, options: FailedOptions): Promise<FailedNotice[]> {
  checkOptions('listFailedNotices: its options', options, { onWarning: 'function' })
  const { onWarning } = options
  const all = await createSentNotices(folder, { onWarning }).all()
  return all.flatMap(failedOf).sort((one, other) => (one.at < other.at ? -1 : 1))
}

/**
 * Lets notices be sent again: by `startNotices` with this folder, within a minute or when it starts, if their questions still
 * wait.
 *
 * @param ids default: all
 * @returns the notices that were found
 */
export async function retryFailedNotices(
  folder: string,
  options: FailedOptions & { ids?: readonly string[] | undefined },
): Promise<FailedNotice[]> {
  checkOptions('retryFailedNotices: its options', options, { ids: 'list', onWarning: 'function' })
  const { ids, onWarning } = options
  const sent = createSentNotices(folder, { onWarning })
  const found = (await sent.all()).filter(
    (notice) => notice.failure !== undefined && (ids?.includes(notice.subject.id) ?? true),
  )
  for (const notice of found) await sent.remove(notice)
  return found.flatMap(failedOf)
}

function failedOf({ subject, sink, at, failure }: SentNotice): FailedNotice[] {
  const { id, person, sandboxName, toolCallId } = subject
  return failure === undefined
    ? []
    : [{ id, person: person.name, sink, sandboxName, toolCallId, at, failure }]
}
