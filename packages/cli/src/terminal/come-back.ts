import { DEFAULT_STATE_FOLDER, printable } from '@sandagent/core/internal'
import type { AnswerableSandbox } from '@sandagent/sdk'

/** How a person reaches a sandbox elsewhere, in the person's own words. */
export interface ReachedBy {
  command: string
  workdir: string
}

/** The command that shows a question again. An agent chose the id, so only a harmless one is in it. */
export function comeBackCommand(
  toolCallId: string,
  { hostFolder, stateFolder = DEFAULT_STATE_FOLDER }: Pick<AnswerableSandbox, 'hostFolder' | 'stateFolder'>,
  reachedBy?: ReachedBy,
): string {
  const options = [
    ['--sandbox', reachedBy?.command],
    ['--workdir', reachedBy?.workdir ?? hostFolder],
    ['--state-folder', stateFolder === DEFAULT_STATE_FOLDER ? undefined : stateFolder],
  ] as const
  const id = isHarmless(toolCallId) ? [shellWord(toolCallId)] : []
  const place = options.flatMap(([option, value]) =>
    value !== undefined && isHarmless(value) ? [option, shellWord(value)] : [],
  )
  return ['sandagent answer', ...id, ...place].join(' ')
}

/** The command that goes on with what waits, in the words in which a person began. */
export const goOnCommand = (args: readonly string[]): string =>
  ['sandagent answer', ...args.map(shellWord)].join(' ')

const isHarmless = (text: string): boolean =>
  text === printable(text) && !text.includes('\n') && text.length <= 200 && !text.startsWith('-')

const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
