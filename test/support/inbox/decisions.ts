import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseQuestions, type RunnerChannel } from '@sandagent/core'
import { approvalQuestion } from '@sandagent/core/internal'
import { openRecord } from '@sandagent/testing'

const START = Date.parse('2026-01-01T00:00:00.000Z')

/** The call that is asked as the n-th of a folder. */
const asked = (n: number) => ({ askedAt: new Date(START + n * 1000).toISOString() })

/** Asks a question with options. */
export const askQuestion = (
  channel: RunnerChannel,
  id: string,
  n: number,
  question: string,
  { multiSelect = false, labels = ['Left', 'Right', 'Back'] } = {},
): Promise<unknown> =>
  channel.open(
    openRecord(id, {
      questions: parseQuestions([{ question, multiSelect, options: labels.map((label) => ({ label })) }]),
      ...asked(n),
    }),
  )

/** Asks for the approval of a command. */
export const askCommand = (
  channel: RunnerChannel,
  id: string,
  n: number,
  command: string,
): Promise<unknown> =>
  channel.open(
    openRecord(id, {
      kind: 'approval',
      subject: { toolName: 'Bash', input: { command } },
      questions: parseQuestions([approvalQuestion('Bash')]),
      ...asked(n),
    }),
  )

/** The final answers in a folder, by the ids of their calls. */
export async function answersIn(workdir: string): Promise<Record<string, Record<string, unknown>>> {
  const folder = join(workdir, '.sandagent/approvals')
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[a-z]+_\d+\.json$/.test(name))
  const answers = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))),
  )
  return Object.fromEntries(
    answers.filter(({ status }) => status !== 'pending').map((answer) => [answer.toolCallId, answer]),
  )
}

/** What a hostile agent does: something else is asked under the same id. */
export async function rewriteQuestion(
  workdir: string,
  toolCallId: string,
  change: (text: string) => string,
): Promise<void> {
  const file = join(workdir, `.sandagent/questions/${toolCallId}.json`)
  await writeFile(`${file}.new`, change(await readFile(file, 'utf8')))
  await rename(`${file}.new`, file)
}
