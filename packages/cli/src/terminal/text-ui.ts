import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import {
  ASK_TOOL_NAMES,
  type AskedQuestion,
  printable,
  readQuestions,
  visible,
} from '@sandagent/core/internal'
import type { UiStream } from '@sandagent/runner'
import type { ClaudeFacts } from '@sandagent/runner/claude'
import { createWriter } from '../writer.ts'

const OUTPUT_LINES = 20

/**
 * Shows a run as text. With `showQuestions` it shows questions too, because the terminal does not ask them.
 *
 * @param options.answerCommand the command that answers a question
 */
export function createTextUi(
  output: Writable & { isTTY?: boolean },
  {
    showQuestions,
    answerCommand,
  }: { showQuestions: boolean; answerCommand?: ((toolCallId: string) => string) | undefined },
): UiStream {
  const write = createWriter(output)
  const dim = (text: string): string => (output.isTTY ? styleText('dim', text) : text)
  const questions = new Set<string>()
  // A blank line separates text from tool calls, but not tool calls from each other.
  let afterWork = true
  let half = ''
  const nothing = async (): Promise<void> => {}

  return {
    start: nothing,
    startStep: nothing,
    finishStep: nothing,
    textStart: () => write('\n'),
    textDelta(_, delta) {
      const text = half + delta
      // The other half of a line break may come with the next delta.
      half = text.endsWith('\r') ? '\r' : ''
      return write(printable(half === '' ? text : text.slice(0, -1)))
    },
    textEnd() {
      afterWork = false
      half = ''
      return write('\n')
    },
    reasoningStart: nothing,
    reasoningDelta: nothing,
    reasoningEnd: nothing,
    toolInputStart: nothing,
    toolInputDelta: nothing,
    async toolInput({ toolCallId, toolName, input }) {
      if (ASK_TOOL_NAMES.includes(toolName)) {
        questions.add(toolCallId)
        if (showQuestions) await write(questionText(readQuestions(input), answerCommand?.(toolCallId)))
      } else await write(`${afterWork ? '' : '\n'}● ${visible(toolName)} ${visible(inOneLine(input))}\n`)
      afterWork = true
    },
    async toolOutput(toolCallId, result) {
      if (!questions.has(toolCallId)) await write(dim(indented(printedBy(result))))
      else if (showQuestions) await write(answerText(result))
    },
    toolError: (_, errorText) => write(`✗ ${printable(errorText)}\n`),
    data: nothing,
    async metadata(facts) {
      const { sessionId, durationMs } = facts as Partial<ClaudeFacts>
      if (typeof sessionId === 'string' && durationMs !== undefined)
        await write(dim(`\nGo on with it: --resume ${printable(sessionId)}\n`))
    },
    error: nothing, // The command prints it.
    abort: () => write('\nStopped.\n'),
    finish: nothing,
    done: nothing,
  }
}

/** The command or path of a tool call, or else its whole input. */
function inOneLine(input: unknown): string {
  const facts = (input ?? {}) as { command?: unknown; path?: unknown; file_path?: unknown }
  const subject = facts.command ?? facts.path ?? facts.file_path
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
  const { stdout, stderr } = (result ?? {}) as { stdout?: unknown; stderr?: unknown }
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

/** The answers in the result of a question. */
function answerText(result: unknown): string {
  const answers: unknown = Object(result).answers
  return Object.values(Object(answers))
    .map((answer) => `→ ${printable(typeof answer === 'string' ? answer : jsonOf(answer))}\n`)
    .join('')
}

function questionText(questions: readonly AskedQuestion[], command: string | undefined): string {
  const lines = questions.flatMap(({ question, options = [] }) => [
    `\n? ${printable(question)}\n`,
    ...options.map(({ label }) => `  - ${printable(label)}\n`),
  ])
  const where =
    command === undefined ? 'to come from elsewhere.' : `to come from elsewhere, such as: ${command}`
  return `${lines.join('')}\nWaiting for the answer ${where}\n`
}
