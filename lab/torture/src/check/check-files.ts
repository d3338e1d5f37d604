import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { answerFilePath, createFileRunnerChannel, questionRecordPath } from '@sandagent/files'
import { askUser, receiptsWritten } from '@sandagent/runner'
import { LocalSandbox, parseSigningKeys, submitAnswer } from '@sandagent/sdk'
import { shortToken } from '../lib/token.ts'
import { cameTrue } from '../lib/wait-for.ts'
import { questionsOf } from '../parts/questions-of.ts'
import type { OnViolation } from '../violation.ts'
import type { World } from '../world/world.ts'
import type { Case } from './case.ts'

/** Checks that the files say what people and agents were told. */
export function checkFiles(world: World, done: readonly Case[], onViolation: OnViolation): void {
  for (const { ask, run, acts, outcomes, isForeign } of done) {
    const [outcome] = outcomes
    const workdir = world.workdirs[run] as string
    const record = parsed(join(workdir, questionRecordPath(ask.toolCallId)))
    // An answer reaches the agent before its receipt is written. A time-out reaches it first only if that write failed. The
    // write is tried again, and its runner may be killed in between. Nobody can answer a question that is closing.
    const before = outcome?.answer === null ? ['closing'] : ['open', 'closing']
    const isDue = before.includes(record?.state ?? '')
    if (record?.state !== outcome?.kind && !isDue)
      onViolation('lost', `${ask.toolCallId}: its record says "${record?.state}", not "${outcome?.kind}"`)
    // A click that came too late may be stored: its person was told.
    const hasClicks = acts.some(({ act }) => act.manner === 'click')
    if (isForeign || hasClicks || outcome?.answer == null) continue
    const file = parsed(join(workdir, answerFilePath(ask.toolCallId)))
    const answer = file?.responses?.q?.freeText ?? file?.reason
    if (answer !== outcome.answer)
      onViolation('lost', `${ask.toolCallId}: its answer file has ${shortToken(`${answer}`)}`)
  }
}

/** What the check reads of a question's file, or of an answer file. */
interface Stored {
  state?: string
  reason?: string
  responses?: { q?: { freeText?: string } }
}

function parsed(path: string): Stored | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

const OLD_SECONDS = 2 * 60 * 60
const SWEEP_PATIENCE_MS = 20_000

/** The names that stay: records, answers, claims. Claims may be folders. */
const STAYS = /^(?:[\w-]+\.json|\.[\w-]+(?:~[0-9a-f]+)?\.(?:final|r\d+))$/

/** Lets the product sweep what killed writers left, as it does after an hour, and checks that nothing stays. */
export async function checkLeftovers(world: World, onViolation: OnViolation): Promise<void> {
  const keys = await parseSigningKeys(world.signingKey)
  for (const [run, workdir] of world.workdirs.entries()) {
    const folders = [questionRecordPath('x'), answerFilePath('x')].map((path) => join(workdir, dirname(path)))
    const left = (): string[] =>
      folders.flatMap((folder) =>
        namesIn(folder)
          .filter((name) => !STAYS.test(name))
          .map((name) => join(folder, name)),
      )
    const then = Date.now() / 1000 - OLD_SECONDS
    for (const path of left()) utimesSync(path, then, then)
    await answerOne(workdir, run < 2 ? keys : null)
    if (!(await cameTrue(() => left().length === 0, SWEEP_PATIENCE_MS)))
      onViolation('leaks', `files stay: ${left().slice(0, 5).join(', ')}`)
  }
}

/** One more question: those who write sweep. */
async function answerOne(
  workdir: string,
  signingKeys: Awaited<ReturnType<typeof parseSigningKeys>> | null,
): Promise<void> {
  const toolCallId = 'the-last-one'
  const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  const responses = { q: { selected: [], freeText: 'Done', source: 'human' as const } }
  const onAsked = async (): Promise<void> => {
    await submitAnswer(sandbox, { toolCallId, status: 'completed', responses }, { signingKeys })
  }
  const request = { toolCallId, questions: questionsOf('Are we done?'), runId: 'last' }
  await askUser(createFileRunnerChannel({ workdir }), request, { onAsked })
  await receiptsWritten()
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
