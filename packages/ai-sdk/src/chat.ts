// Why it is so: docs/decisions/0092-a-chat-is-one-run.md

import { AskError, sleep, systemClock } from '@sandagent/core/internal'
import {
  type LocalSandbox,
  type OwnRunLog,
  RUN_STREAM_HEADERS,
  type Run,
  readRun,
  recordOwnRun,
  streamRun,
} from '@sandagent/sdk'
import { attemptPaths, latestRecord, logError, readEnding } from '@sandagent/sdk/internal'
import type { UIMessage } from 'ai'
import { CONTINUES, NOTHING_SAID, readCutReply } from './cut-reply.ts'
import { goesOn, planOf, type ReplyPlan, type Wish } from './plan.ts'
import { type Reply, type ReplyOptions, withdrawn, writeReply } from './reply.ts'

/** One chat. Its replies are the starts of one run, so that only one of them is written at a time, by any server. */
export interface Chat {
  id: string
  owner: string | undefined
  sandbox: LocalSandbox
  runId: string
  load(): Promise<UIMessage[]>
  save(messages: UIMessage[]): Promise<void>
}

/** How often, and how many times, it is looked whether another request has begun or ended its reply; in milliseconds. */
const LOOK_MS = 20
const MOST_LOOKS = 600

/** @throws AskError `CONFLICT` for a message that cannot be replied to now, and errors of the disk and of the database */
export async function respond(chat: Chat, wish: Wish, options: ReplyOptions): Promise<Response> {
  const { sandbox, runId } = chat
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const run = await readRun(sandbox, runId)
    const log = run && attemptPaths(sandbox, runId, run.attempt).stream
    const isLogged = log !== null && (await readEnding(sandbox.files, log)) !== null
    const saved = await chat.load()
    const plan = planOf(wish, { run, isLogged, saved })
    if (plan.kind === 'nothing') return new Response(null, { status: 204 })
    if (
      plan.kind === 'stream' ||
      (plan.kind !== 'wait' && (await start(chat, plan, { run, saved }, options)))
    )
      return new Response(await streamRun(sandbox, runId), { headers: RUN_STREAM_HEADERS })
    await sleep(systemClock, LOOK_MS)
  }
  throw goesOn()
}

/** What was there when the plan was made. */
interface Before {
  run: Run | null
  saved: UIMessage[]
}

/** Begins a reply. It returns `false`, and has done nothing, if another request was faster. */
async function start(chat: Chat, plan: ReplyPlan, before: Before, options: ReplyOptions): Promise<boolean> {
  const { sandbox, runId } = chat
  const { kind, message } = plan
  const { run } = before
  const log = await recordOwnRun(sandbox, {
    runId,
    agent: 'ai-sdk',
    owner: chat.owner,
    args: [],
    prompt: message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    metadata: {
      chat: chat.id,
      message: message.id,
      ...(run && kind === 'finish' && { [CONTINUES]: String(run.attempt) }),
    },
  }).catch(nullInConflict)
  if (!log) return false
  try {
    if (await isOvertaken(chat, run)) {
      await log.close()
      return false
    }
    const reply = await replyOf(chat, plan, before)
    finish(log, reply, options).catch(logError)
    return true
  } catch (error) {
    await log.close()
    throw error
  }
}

const nullInConflict = (error: unknown): null => {
  if (error instanceof AskError && error.code === 'CONFLICT') return null
  throw error
}

/** Whether there was another reply since the plan was made. Then the start that has just begun is removed. */
async function isOvertaken({ sandbox, runId }: Chat, run: Run | null): Promise<boolean> {
  const own = await latestRecord(sandbox, runId)
  const earlier = own && (await latestRecord(sandbox, runId, { before: own.attempt }))
  if (!own || earlier?.attempt === run?.attempt) return false
  await sandbox.files.remove(attemptPaths(sandbox, runId, own.attempt).folder)
  return true
}

/** Saves what is replied to. */
async function replyOf(chat: Chat, plan: ReplyPlan, { run, saved }: Before): Promise<Reply> {
  const { sandbox, runId, save } = chat
  const isCut = run !== null && (plan.kind === 'finish' || plan.keepsCut)
  const cut = isCut ? await readCutReply(sandbox, run) : NOTHING_SAID
  if (plan.kind === 'finish') return { sandbox, runId, save, messages: saved, begun: cut }
  if (run) await removeLogs(chat, run)
  const all = [...saved, ...(await withdrawn(chat, cut))]
  const index = all.findIndex(({ id }) => id === plan.message.id)
  const messages = [...all.slice(0, index === -1 ? all.length : index), plan.message]
  await save(messages)
  return { sandbox, runId, save, messages, begun: NOTHING_SAID }
}

/** Removes the logs before that of the last reply, which a slow page may still read. */
async function removeLogs({ sandbox, runId }: Chat, { attempt }: Run): Promise<void> {
  let record = await latestRecord(sandbox, runId, { before: attempt })
  while (record) {
    const { folder, claim } = attemptPaths(sandbox, runId, record.attempt)
    await sandbox.files.remove(folder)
    await sandbox.files.remove(claim)
    record = await latestRecord(sandbox, runId, { before: record.attempt })
  }
}

async function finish(log: OwnRunLog, reply: Reply, options: ReplyOptions): Promise<void> {
  try {
    await writeReply(log, reply, options)
  } finally {
    await log.close()
  }
}
