import { AskError, printableLine } from '@sandagent/core/internal'
import {
  type FailedNotice,
  listFailedNotices,
  readNoticeSettings,
  retryFailedNotices,
  trySinks,
} from '@sandagent/notices'
import { readCommandLine } from '../../arguments/command-line.ts'
import type { CliIo } from '../../io.ts'
import { jsonLine } from '../../json-line.ts'
import { lasting } from '../../lasting.ts'
import { styled } from '../../styled.ts'
import { warn } from '../../warn.ts'
import { createWriter } from '../../writer.ts'
import { noticesFolders, settingsFile, usualSettings } from './notice-places.ts'
import { FAILED, RETRY, TEST } from './notices-args.ts'

/**
 * Sends a notice to everybody by every sink. Resolves to 1 if one could not be sent.
 *
 * @throws AskError `INVALID_REQUEST` for wrong usage; `NOT_FOUND` and `INVALID_FILE` as `readNoticeSettings` does
 */
export async function test(args: readonly string[], io: CliIo): Promise<number | undefined> {
  const file = settingsFile(readCommandLine(TEST, args).values.notices)
  if (file === null)
    throw new AskError(
      'NOT_FOUND',
      `There is no file ${usualSettings()}. Write it, or name another one by --notices`,
    )
  const settings = await readNoticeSettings(file)
  let exitCode: number | undefined
  let count = 0
  for await (const { person, sink, failure } of trySinks(settings, { signal: io.signal })) {
    count += 1
    if (failure !== undefined) exitCode = 1
    io.stdout.write(
      `${printableLine(`${person} by ${sink}: ${failure === undefined ? 'sent' : `failed: ${failure}`}`)}\n`,
    )
  }
  if (count === 0) io.stdout.write('Nobody has an address in these settings.\n')
  return exitCode
}

/** Lists the notices that could not be sent. */
export async function failed(args: readonly string[], io: CliIo): Promise<void> {
  const { json } = readCommandLine(FAILED, args).values
  const write = createWriter(io.stdout)
  const onWarning = warn(io.stderr)
  const all = await Promise.all(noticesFolders().map((folder) => listFailedNotices(folder, { onWarning })))
  for (const notice of all.flat().sort((one, other) => (one.at < other.at ? -1 : 1)))
    await write(json ? jsonLine(notice) : textOf(notice, io.stdout))
}

/**
 * Lets notices be sent again, and prints which.
 *
 * @throws AskError `INVALID_REQUEST` for wrong usage, `NOT_FOUND` for an id that no notice has
 */
export async function retry(args: readonly string[], io: CliIo): Promise<void> {
  const { words: ids } = readCommandLine(RETRY, args)
  const onWarning = warn(io.stderr)
  const options = { ...(ids.length > 0 && { ids }), onWarning }
  const found = (
    await Promise.all(noticesFolders().map((folder) => retryFailedNotices(folder, options)))
  ).flat()
  for (const notice of found) io.stdout.write(textOf(notice, io.stdout))
  const unknown = ids.find((id) => found.every((notice) => notice.id !== id))
  if (unknown !== undefined)
    throw new AskError(
      'NOT_FOUND',
      `There is no failed notice ${unknown}. List them by sandagent notices failed`,
    )
}

function textOf(
  { id, person, sink, sandboxName, at, failure }: FailedNotice,
  stream: CliIo['stdout'],
): string {
  const facts = [`in ${printableLine(sandboxName)}`, `${lasting(Date.now() - Date.parse(at))} ago`]
  return [
    `${styled('bold', id, stream)}  ${printableLine(`${person} by ${sink}: ${failure}`)}\n`,
    styled('dim', `  ${facts.join(' · ')}`, stream),
    '\n',
  ].join('')
}
