import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseQuestionRecord, type QuestionRecord } from '@sandagent/core'
import { answerFilePath, questionRecordPath } from '@sandagent/files'
import { LocalSandbox } from '@sandagent/sdk'
import { type Summary, summarize } from './statistics.ts'
import { answerTo } from './timed-answer.ts'
import type { Writer } from './writer.ts'

/** What isolation costs: the same with it and without. */
export interface IsolationCost {
  /** From the call that starts a program until its first output. */
  start: Comparison
  /** From the rename of an answer until a runner's `askUser` resolved. */
  resume: Comparison
}

/** Each level, and how much longer it took with isolation than right before or after without. */
type Comparison = Record<Level | 'overhead', Summary>

type Level = 'none' | 'strict'

const LEVELS: readonly Level[] = ['none', 'strict']
const STARTS = 30
const ANSWERS = 250
/** So many of each come first and do not count: files are read for the first time, and code is compiled. */
const WARM_UP = 3
/** How long people take to answer, in milliseconds, at the least. */
const THINK_MS = 30
/** How long the file channel's poll needs to get as slow as it gets, in milliseconds. */
const QUIET_MS = 3000

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

/** Both levels in each round, one after the other and each as often first, so that the machine's moods meet both. */
async function inTurns(
  rounds: number,
  measure: (level: Level, round: number) => Promise<bigint>,
): Promise<Comparison> {
  const times: Record<Level, bigint[]> = { none: [], strict: [] }
  for (let round = -WARM_UP; round < rounds; round++)
    for (const level of round % 2 === 0 ? LEVELS : LEVELS.toReversed()) {
      const time = await measure(level, round)
      if (round >= 0) times[level].push(time)
    }
  const overhead = times.strict.map((time, round) => time - (times.none[round] as bigint))
  return { none: summarize(times.none), strict: summarize(times.strict), overhead: summarize(overhead) }
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

async function measureResumes(sandboxes: Record<Level, LocalSandbox>, writer: Writer): Promise<Comparison> {
  const askers = { none: await startAsker(sandboxes.none), strict: await startAsker(sandboxes.strict) }
  try {
    await sleep(QUIET_MS)
    return await inTurns(ANSWERS, async (level, round) => {
      const toolCallId = `ask-${round}`
      const answeredAt = askers[level].ask(toolCallId)
      const record = await recordOf(sandboxes[level], toolCallId)
      await sleep(THINK_MS * (1 + Math.random()))
      const path = join(sandboxes[level].workdir, answerFilePath(toolCallId))
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
    const text = await files.read(questionRecordPath(toolCallId))
    if (text !== null) return parseQuestionRecord(text)
    await sleep(1)
  }
}
