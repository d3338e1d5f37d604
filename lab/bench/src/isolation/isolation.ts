import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseQuestionRecord, type QuestionRecord } from '@sandagent/core'
import { answerFilePath, questionRecordPath } from '@sandagent/files'
import { LocalSandbox } from '@sandagent/sdk'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { type Summary, summarize } from '../lib/statistics.ts'
import { answerTo } from '../lib/timed-answer.ts'
import { startWriter } from '../lib/writer.ts'

export const isolation: Scenario = defineScenario({
  title: 'with strict isolation and without',
  keys: {
    startP50Ms: 'from the start of a program until its first output, none, median',
    startStrictP50Ms: 'the same, strict',
    startOverheadP50Ms: 'how much longer strict takes than none right before or after it, median',
    resumeP50Ms: 'from the rename of an answer until askUser resolved, none, median',
    resumeStrictP50Ms: 'the same, strict',
    resumeOverheadP50Ms: 'how much longer strict takes, median',
  },
  measure: ({ quick }) => inFolder((folder) => measureIsolation(folder, quick ? 0.1 : 1)),
  goals: ({ startOverheadP50Ms, resumeOverheadP50Ms }) => [
    { text: 'strict adds at most 400 ms to a start', figure: startOverheadP50Ms, most: 400 },
    { text: 'strict adds at most 1 ms to an answer', figure: resumeOverheadP50Ms, most: 1 },
  ],
})

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
async function measureIsolation(folder: string, share: number) {
  const readable = [fileURLToPath(new URL('../..', import.meta.url))]
  const sandboxOf = (level: Level): LocalSandbox =>
    new LocalSandbox({ workdir: join(folder, level), isolation: level, readable, onIsolation: () => {} })
  const sandboxes = { none: sandboxOf('none'), strict: sandboxOf('strict') }
  try {
    await sandboxes.strict.activeIsolation()
  } catch {
    return null
  }
  const start = await inTurns(STARTS * share, (level) => timedStart(sandboxes[level]))
  const resume = await measureResumes(sandboxes, ANSWERS * share)
  return {
    startP50Ms: start.none.p50Ms,
    startStrictP50Ms: start.strict.p50Ms,
    startOverheadP50Ms: start.overhead.p50Ms,
    resumeP50Ms: resume.none.p50Ms,
    resumeStrictP50Ms: resume.strict.p50Ms,
    resumeOverheadP50Ms: resume.overhead.p50Ms,
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

async function measureResumes(sandboxes: Record<Level, LocalSandbox>, rounds: number): Promise<Comparison> {
  const writer = startWriter()
  const askers = { none: await startAsker(sandboxes.none), strict: await startAsker(sandboxes.strict) }
  try {
    await sleep(QUIET_MS)
    return await inTurns(rounds, async (level, round) => {
      const toolCallId = `ask-${round}`
      const answeredAt = askers[level].ask(toolCallId)
      const record = await recordOf(sandboxes[level], toolCallId)
      await sleep(THINK_MS * (1 + Math.random()))
      const path = join(sandboxes[level].workdir, answerFilePath(toolCallId))
      const renamedAt = await writer.write({ path, text: JSON.stringify(answerTo(record), null, 2) })
      return (await answeredAt) - renamedAt
    })
  } finally {
    writer.end()
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
