import { fstatSync } from 'node:fs'
import { createInterface, type Interface } from 'node:readline'
import { AskError, type AskErrorCode, deferred } from '@sandagent/core/internal'
import { type AnswerLine, type AskLine, parseReplyLine, type WithdrawLine } from '../agents/command/lines.ts'
import type { ProgramCall } from './ask-by-files.ts'

/**
 * Set by the first program that asks below a run: the input and the output that the run reads and writes. What that program
 * starts inherits it. `ask.py` and `ask.sh` set the same.
 */
const OUTPUT_VARIABLE = 'SANDAGENT_OUTPUT'

/** Which input and output this process has, as `DEVICE:INODE` each: two that share them have the same ones. */
function ownEnds(): string {
  try {
    const ends = [0, 1].map((end) => fstatSync(end, { bigint: true }))
    return ends.map(({ dev, ino }) => `${dev}:${ino}`).join('\n')
  } catch {
    return 'none' // One is closed.
  }
}

// When this is loaded, nobody has asked yet, and the agent has started no program that asks.
if (process.env.SANDAGENT_PROMPT !== undefined) process.env[OUTPUT_VARIABLE] ??= ownEnds()

/**
 * Whether `createCommandAgent` started this program: it reads the lines that the program prints, and replies on its input.
 * It does not hear a program of the agent, unless that has the agent's input and output.
 */
export const isStartedByRunner = (): boolean =>
  process.env.SANDAGENT_PROMPT !== undefined && process.env[OUTPUT_VARIABLE] === ownEnds()

interface Waiting {
  questions: string
  signal: AbortSignal | undefined
  reply: ReturnType<typeof deferred<AnswerLine>>
}

/** The calls without a reply, by id. */
const waiting = new Map<string, Waiting>()
let input: Interface | undefined
/** The run replies to nothing any more. */
let isOver = false

/** Asks through the run that started this program. */
export async function askByLines({ signal, blocking, ...call }: ProgramCall): Promise<AnswerLine> {
  const questions = JSON.stringify(call.questions)
  const before = waiting.get(call.id)
  if (before?.signal?.aborted) {
    await before.reply.promise.catch(() => {}) // It was withdrawn, and is asked anew.
    return askByLines({ signal, blocking, ...call })
  }
  // Replies name the id alone. So a second call with an id is none of the run's as long as the first one waits.
  if (before?.questions === questions) return before.reply.promise
  if (before)
    throw new AskError('CONFLICT', `The call ${call.id} asks something else. Use a new id for each call`)
  if (isOver) throw ended()
  const line: AskLine = { type: 'ask', ...call, ...(blocking === false && { wait: false }) }
  const reply = deferred<AnswerLine>()
  waiting.set(call.id, { questions, signal, reply })
  input ??= listen()
  print(line)
  if (signal) withdrawBy(signal, call.id)
  return reply.promise
}

const print = (line: AskLine | WithdrawLine): void => console.log(JSON.stringify(line))

/** The run replies to a question that is withdrawn, too. */
function withdrawBy(signal: AbortSignal, id: string): void {
  const withdraw = (): void => print({ type: 'withdraw', id })
  if (signal.aborted) withdraw()
  else {
    signal.addEventListener('abort', withdraw, { once: true })
    void waiting
      .get(id)
      ?.reply.promise.catch(() => {})
      .finally(() => signal.removeEventListener('abort', withdraw))
  }
}

/** Reads replies as long as a call waits: an open input would keep the program from ending. */
function listen(): Interface {
  const lines = createInterface({ input: process.stdin })
  process.stdin.ref?.()
  lines.on('line', (text) => {
    const reply = parseReplyLine(text)
    // A fault without an id is that of another line of the program.
    const call = reply.id === undefined ? undefined : waiting.get(reply.id)
    if (!call || reply.id === undefined) return
    waiting.delete(reply.id)
    if (waiting.size === 0) stop()
    if (reply.type === 'answer') call.reply.resolve(reply)
    else call.reply.reject(new AskError(reply.code as AskErrorCode, reply.message, { faults: reply.faults }))
  })
  lines.on('close', () => {
    if (input !== lines) return // No call waits: see `stop`.
    isOver = true
    for (const { reply } of waiting.values()) reply.reject(ended())
    waiting.clear()
  })
  return lines
}

const ended = (): AskError =>
  new AskError('UNREACHABLE', 'The run ended before this question did. Start it again with the same --run-id')

function stop(): void {
  const lines = input
  input = undefined
  lines?.close()
  process.stdin.unref?.() // A file has none.
}
