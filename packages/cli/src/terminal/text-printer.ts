import type { Writable } from 'node:stream'
import {
  ASK_TOOL_NAMES,
  type AskedQuestion,
  assumptionOf,
  ENDING_TEXTS,
  endingAccordingTo,
  printable,
  printableLine,
  questionAskedBack,
  readQuestions,
  visible,
} from '@sandagent/core/internal'
import { styled } from '../styled.ts'
import { createWriter } from '../writer.ts'

const OUTPUT_LINES = 20

/** A chunk of a UI message stream. Any program may have written it. */
export type Chunk = Readonly<Record<string, unknown>>

/** The chunk in an event. `null` for the end of a stream, comments, and what a program prints that is no chunk. */
export function chunkIn(data: string): Chunk | null {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

/**
 * Shows the chunks of a run as text, but for errors: they stand alone. With `showQuestions` it shows questions too, because
 * the terminal does not ask them.
 *
 * @param options.answerCommand the command that answers a question
 */
export function createTextPrinter(
  output: Writable & { isTTY?: boolean },
  {
    showQuestions,
    answerCommand,
  }: { showQuestions: boolean; answerCommand?: ((toolCallId: string) => string) | undefined },
): (chunk: Chunk) => Promise<void> {
  const write = createWriter(output)
  const questions = new Set<string>()
  // A blank line separates text from tool calls, but not tool calls from each other.
  let afterWork = true
  let half = ''
  let session = ''
  const goOn = (): string =>
    session === '' ? '' : styled('dim', `\nGo on with it: --resume ${printable(session)}\n`, output)

  return async (chunk) => {
    const toolCallId = textIn(chunk.toolCallId)
    switch (chunk.type) {
      case 'text-start':
        return write('\n')
      case 'text-delta': {
        const text = half + textIn(chunk.delta)
        // The other half of a line break may come with the next delta.
        half = text.endsWith('\r') ? '\r' : ''
        return write(printable(half === '' ? text : text.slice(0, -1)))
      }
      case 'text-end':
        afterWork = false
        half = ''
        return write('\n')
      case 'tool-input-available': {
        const toolName = textIn(chunk.toolName)
        const gap = afterWork ? '' : '\n'
        afterWork = true
        if (!ASK_TOOL_NAMES.includes(toolName))
          return write(`${gap}● ${visible(toolName)} ${visible(inOneLine(chunk.input))}\n`)
        questions.add(toolCallId)
        if (showQuestions) await write(questionText(chunk.input, answerCommand?.(toolCallId)))
        return
      }
      case 'tool-output-available':
        if (!questions.has(toolCallId)) return write(styled('dim', indented(printedBy(chunk.output)), output))
        if (showQuestions) await write(answerText(chunk.output))
        return
      case 'tool-output-error': {
        const errorText = textIn(chunk.errorText)
        const ending = questions.has(toolCallId) ? endingAccordingTo(errorText) : null
        if (ending === null) return write(`✗ ${printable(errorText)}\n`)
        // Whoever was asked here was told already.
        return showQuestions ? write(`✗ ${printable(ENDINGS[ending](errorText))}\n`) : undefined
      }
      case 'message-metadata':
        session = textIn(Object(chunk.messageMetadata).sessionId) || session
        return
      case 'abort':
        return write(`\nStopped.\n${goOn()}`)
      case 'error':
      case 'finish':
        return write(goOn())
    }
  }
}

/** How a question ended, for people. The text in the stream is for the model: it says what to do next. */
const ENDINGS = {
  declined(text: string) {
    const question = questionAskedBack(text)
    if (question !== null) return `Asked back: ${JSON.stringify(question)}`
    return `Declined${/, saying "(?:[^"\\]|\\.)*"/.exec(text)?.[0] ?? ''}.`
  },
  'timed-out': () => `${ENDING_TEXTS['timed-out']}.`,
  aborted: () => `${ENDING_TEXTS.aborted}.`,
}

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The command or path of a tool call, or else its whole input. */
function inOneLine(input: unknown): string {
  const facts = Object(input)
  const subject: unknown = facts.command ?? facts.path ?? facts.file_path
  return typeof subject === 'string' ? subject : jsonOf(facts)
}

/** A run may print what can be read as JSON, but not be written: it is nested too deeply. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return '…'
    throw error
  }
}

/** The readable output of a tool: its text, or the output of its command. */
function printedBy(result: unknown): string {
  if (typeof result === 'string') return result
  const { stdout, stderr } = Object(result)
  return [stdout, stderr].filter((text) => typeof text === 'string' && text !== '').join('\n')
}

function indented(text: string): string {
  if (text === '') return ''
  const lines = printable(text).split('\n')
  const shown = lines.slice(0, OUTPUT_LINES).map((line) => `  ${line}\n`)
  return lines.length > shown.length
    ? `${shown.join('')}  … ${lines.length - shown.length} more lines\n`
    : shown.join('')
}

function answerText(result: unknown): string {
  const answers: unknown = Object(result).answers
  return Object.values(Object(answers))
    .map((answer) => `→ ${printable(typeof answer === 'string' ? answer : jsonOf(answer))}\n`)
    .join('')
}

function questionText(input: unknown, command: string | undefined): string {
  const questions = readQuestions(input)
  const lines = questions.flatMap(({ question, options = [] }) => [
    `\n? ${printable(question)}\n`,
    ...options.map(({ label }) => `  - ${printable(label)}\n`),
  ])
  const where = command === undefined ? 'from elsewhere.' : `from elsewhere, such as: ${command}`
  return `${lines.join('')}\n${untilText(questions, Object(input).blocking)} ${where}\n`
}

function untilText(questions: readonly AskedQuestion[], blocking: unknown): string {
  if (blocking !== false) return 'Waiting for the answer to come'
  const [only, second] = questions
  const assumption = only && !second ? assumptionOf(only) : undefined
  return `The agent goes on${assumption === undefined ? '' : ` with ${printableLine(assumption)}`} until an answer comes`
}
