import { createInterface, type Interface } from 'node:readline'
import { AskError, type AskErrorCode } from '@sandagent/core/internal'
import type { AnswerLine, AskLine, ReplyLine } from '../agents/command/lines.ts'
import type { ProgramCall } from './ask-by-files.ts'

/** Whether `createCommandAgent` started this program: it reads the lines that the program prints, and replies on its input. */
export const isStartedByRunner = (): boolean => process.env.SANDAGENT_PROMPT !== undefined

interface Waiting {
  resolve: (line: AnswerLine) => void
  reject: (error: AskError) => void
}

/** The calls without a reply, by id. */
const waiting = new Map<string, Waiting>()
let input: Interface | undefined

/** Asks through the run that started this program. */
export function askByLines(call: ProgramCall): Promise<AnswerLine> {
  const line: AskLine = { type: 'ask', ...call }
  return new Promise((resolve, reject) => {
    waiting.set(call.id, { resolve, reject })
    input ??= listen()
    console.log(JSON.stringify(line))
  })
}

/** Reads replies as long as a call waits: an open input would keep the program from ending. */
function listen(): Interface {
  const lines = createInterface({ input: process.stdin })
  process.stdin.ref?.()
  lines.on('line', (text) => {
    const reply = JSON.parse(text) as ReplyLine
    // A fault without an id is that of another line of the program.
    const call = reply.id === undefined ? undefined : waiting.get(reply.id)
    if (!call || reply.id === undefined) return
    waiting.delete(reply.id)
    if (waiting.size === 0) stop()
    if (reply.type === 'answer') call.resolve(reply)
    else call.reject(new AskError(reply.code as AskErrorCode, reply.message, { faults: reply.faults }))
  })
  lines.on('close', () => {
    const ended = 'The run ended before this question did. Start it again with the same --run-id'
    for (const { reject } of waiting.values()) reject(new AskError('UNREACHABLE', ended))
    waiting.clear()
  })
  return lines
}

function stop(): void {
  const lines = input
  input = undefined
  lines?.close()
  process.stdin.unref?.() // A file has none.
}
