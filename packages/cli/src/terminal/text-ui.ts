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

/** The most lines of a tool's output that are shown. */
const OUTPUT_LINES = 20

/**
 * Shows a run as text for people.
 *
 * @param showQuestions whether questions are shown too; left out where they are asked right there
 */
export function createTextUi(
  output: Writable & { isTTY?: boolean },
  { showQuestions }: { showQuestions: boolean },
): UiStream {
  const write = createWriter(output)
  const dim = (text: string): string => (output.isTTY ? styleText('dim', text) : text)
  const questions = new Set<string>()
  // A blank line stands between words and work, none between one piece of work and the next.
  let afterWork = true
  const nothing = async (): Promise<void> => {}

  return {
    start: nothing,
    startStep: nothing,
    finishStep: nothing,
    textStart: () => write('\n'),
    textDelta: (_, delta) => write(printable(delta)),
    textEnd() {
      afterWork = false
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
        if (showQuestions) await write(questionText(readQuestions(input)))
      } else await write(`${afterWork ? '' : '\n'}● ${visible(toolName)} ${visible(inOneLine(input))}\n`)
      afterWork = true
    },
    async toolOutput(toolCallId, result) {
      if (!questions.has(toolCallId)) await write(dim(indented(printedBy(result))))
    },
    toolError: (_, errorText) => write(`✗ ${printable(errorText)}\n`),
    data: nothing,
    async metadata(facts) {
      const { sessionId, durationMs } = facts as Partial<ClaudeFacts>
      if (sessionId !== undefined && durationMs !== undefined)
        await write(dim(`\nGo on with it: --resume ${printable(sessionId)}\n`))
    },
    error: nothing, // The command itself tells why it failed.
    abort: () => write('\nStopped.\n'),
    finish: nothing,
    done: nothing,
  }
}

/** What a tool is about: its command or path, or else its whole input. */
function inOneLine(input: unknown): string {
  const facts = (input ?? {}) as { command?: unknown; path?: unknown; file_path?: unknown }
  const subject = facts.command ?? facts.path ?? facts.file_path
  return typeof subject === 'string' ? subject : JSON.stringify(facts)
}

/** What a tool gave that people can read: its text, or what its command printed. */
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

function questionText(questions: readonly AskedQuestion[]): string {
  const lines = questions.flatMap(({ question, options = [] }) => [
    `\n? ${printable(question)}\n`,
    ...options.map(({ label }) => `  - ${printable(label)}\n`),
  ])
  return `${lines.join('')}\nWaiting for the answer to come from elsewhere.\n`
}
