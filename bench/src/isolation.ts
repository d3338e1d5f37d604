import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseQuestionRecord, type QuestionRecord } from '@sandagent/core'
import { approvalPath, questionPath } from '@sandagent/files'
import { LocalSandbox } from '@sandagent/sdk'
import { type Summary, summarize } from './statistics.ts'
import { answerTo } from './timed-answer.ts'
import type { Writer } from './writer.ts'

/** What isolation costs: the same with it and without. */
export interface IsolationCost {
  /** From the call that starts a program until its first output. */
  start: Record<Level, Summary>
  /** From the rename of an answer until a runner's `askUser` resolved. */
  resume: Record<Level, Summary>
}

type Level = 'none' | 'strict'

const LEVELS: readonly Level[] = ['none', 'strict']
const STARTS = 20
const ANSWERS = 100
/** How long people take to answer, in milliseconds. */
const THINK_MS = 30

/** Measures both levels in turns; `null` where programs cannot be isolated. */
export async function measureIsolation(folder: string, writer: Writer): Promise<IsolationCost | null> {
  const readable = [fileURLToPath(new URL('..', import.meta.url))]
  const sandboxOf = (isolation: Level): LocalSandbox =>
    new LocalSandbox({ workdir: join(folder, isolation), isolation, readable, onIsolation: () => {} })
  const sandboxes = { none: sandboxOf('none'), strict: sandboxOf('strict') }
  try {
    await sandboxes.strict.activeIsolation()
  } catch {
    return null
  }
  return {
    start: await inTurns(STARTS, (level) => timedStart(sandboxes[level])),
    resume: await measureResumes(sandboxes, writer),
  }
}

async function inTurns(
  rounds: number,
  measure: (level: Level, round: number) => Promise<bigint>,
): Promise<Record<Level, Summary>> {
  const times: Record<Level, bigint[]> = { none: [], strict: [] }
  for (let round = 0; round < rounds; round++)
    for (const level of LEVELS) times[level].push(await measure(level, round))
  return { none: summarize(times.none), strict: summarize(times.strict) }
}

async function timedStart(sandbox: LocalSandbox): Promise<bigint> {
  const startedAt = process.hrtime.bigint()
  const program = await sandbox.spawn('echo', ['ready'])
  program.stderr.resume()
  await once(program.stdout, 'data')
  const readyAt = process.hrtime.bigint()
  await program.ended
  return readyAt - startedAt
}

async function measureResumes(
  sandboxes: Record<Level, LocalSandbox>,
  writer: Writer,
): Promise<Record<Level, Summary>> {
  const askers = { none: await startAsker(sandboxes.none), strict: await startAsker(sandboxes.strict) }
  try {
    return await inTurns(ANSWERS, async (level, round) => {
      const toolCallId = `ask-${round}`
      const answeredAt = askers[level].ask(toolCallId)
      const record = await recordOf(sandboxes[level], toolCallId)
      await sleep(THINK_MS)
      const path = join(sandboxes[level].workdir, approvalPath(toolCallId))
      const renamedAt = await writer.write({ path, text: JSON.stringify(answerTo(record), null, 2) })
      return (await answeredAt) - renamedAt
    })
  } finally {
    for (const level of LEVELS) askers[level].end()
  }
}

interface Asker {
  /** Resolves to the time at which the runner had the answer. */
  ask(toolCallId: string): Promise<bigint>
  end(): void
}

async function startAsker(sandbox: LocalSandbox): Promise<Asker> {
  const script = fileURLToPath(new URL('asking-process.js', import.meta.url))
  const program = await sandbox.spawn(process.execPath, [script])
  program.stderr.pipe(process.stderr)
  const lines = createInterface({ input: program.stdout })
  return {
    async ask(toolCallId) {
      const line = once(lines, 'line')
      program.stdin.write(`${toolCallId}\n`)
      return BigInt((await line)[0])
    },
    end: () => void program.stdin.end(),
  }
}

async function recordOf({ files }: LocalSandbox, toolCallId: string): Promise<QuestionRecord> {
  for (;;) {
    const text = await files.read(questionPath(toolCallId))
    if (text !== null) return parseQuestionRecord(text)
    await sleep(1)
  }
}
