import { printable } from '@sandagent/core/internal'
import type { AnswerableSandbox } from '@sandagent/sdk'

/** The command that shows a question again. An agent chose the id, so only a harmless one is in it. */
export function comeBackCommand(
  toolCallId: string,
  { hostFolder }: Pick<AnswerableSandbox, 'hostFolder'>,
): string {
  const id = isHarmless(toolCallId) ? [shellWord(toolCallId)] : []
  const place = hostFolder !== undefined && isHarmless(hostFolder) ? ['--workdir', shellWord(hostFolder)] : []
  return ['sandagent answer', ...id, ...place].join(' ')
}

const isHarmless = (text: string): boolean =>
  text === printable(text) && !text.includes('\n') && text.length <= 200 && !text.startsWith('-')

const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
