import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { ASK_TOOL_NAMES } from '@sandagent/core'
import type { UiStream } from '@sandagent/runner'
import { createWriter } from '../writer.ts'
import { printable } from './printable.ts'

/** The most lines of a tool's output that are shown. */
const OUTPUT_LINES = 20

/** Shows a run as text for people. Questions are not part of it: whoever asks them shows them. */
export function createTextUi(output: Writable & { isTTY?: boolean }): UiStream {
  const write = createWriter(output)
  const dim = (text: string): string => (output.isTTY ? styleText('dim', text) : text)
  const questions = new Set<string>()
  const nothing = async (): Promise<void> => {}

  return {
    start: nothing,
    startStep: nothing,
    finishStep: nothing,
    textStart: () => write('\n'),
    textDelta: (_, delta) => write(printable(delta)),
    textEnd: () => write('\n'),
    toolInputStart: nothing,
    toolInputDelta: nothing,
    async toolInput({ toolCallId, toolName, input }) {
      if (ASK_TOOL_NAMES.includes(toolName)) questions.add(toolCallId)
      else await write(`\n● ${printable(toolName)} ${printable(inOneLine(input))}\n`)
    },
    async toolOutput(toolCallId, result) {
      if (!questions.has(toolCallId)) await write(dim(indented(printedBy(result))))
    },
    toolError: (_, errorText) => write(`\n✗ ${printable(errorText)}\n`),
    data: nothing,
    error: nothing, // The command itself tells why it failed.
    abort: () => write('\nStopped.\n'),
    finish: nothing,
    done: nothing,
  }
}

/** What a tool is about: its command or path, or else its whole input. */
function inOneLine(input: unknown): string {
  const { command, path } = input as { command?: unknown; path?: unknown }
  const subject = command ?? path
  return typeof subject === 'string' ? subject : JSON.stringify(input)
}

function printedBy(result: unknown): string {
  const { stdout, stderr } = result as { stdout?: unknown; stderr?: unknown }
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
