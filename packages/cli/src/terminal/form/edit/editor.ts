import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { MAX_FILE_BYTES, printableLine, warningOf } from '@sandagent/core/internal'
import { shellWords } from '../../../arguments/shell-words.ts'
import type { CliIo } from '../../../io.ts'
import type { Keyboard } from '../../keyboard/keyboard.ts'

/** What became of a text in an editor. */
export type EditorEnd = { text: string } | { fault: string }

/** @param fileName what the editor knows the text by, such as `input.json` */
export type RunEditor = (text: string, fileName: string) => Promise<EditorEnd>

/** How long an editor may take to end where nobody waits for it any more, in milliseconds. */
const FORCE_KILL_AFTER_MS = 2000

/** The command of the person's own editor; `undefined` without one, or where there is no terminal for it. */
export function editorOf({ stdin, stdout }: CliIo): string | undefined {
  const { VISUAL, EDITOR } = process.env
  return isatty(stdin.fd ?? -1) && stdout.isTTY ? VISUAL || EDITOR || undefined : undefined
}

interface EditorOptions {
  command: string
  keyboard: Pick<Keyboard, 'lend'>
  /** Aborts when nobody waits for the text any more. */
  signal: AbortSignal
}

/**
 * Lets a person edit a text in their editor, which has the terminal meanwhile. A file that nobody else can read holds the text.
 */
export async function runEditor(
  text: string,
  { fileName, ...by }: EditorOptions & { fileName: string },
): Promise<EditorEnd> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'sandagent-edit-'))
    try {
      return await edited(text, join(folder, fileName), by)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } catch (error) {
    return { fault: `Nothing was taken from the editor: ${printableLine(warningOf(error).message)}` }
  }
}

async function edited(text: string, path: string, by: EditorOptions): Promise<EditorEnd> {
  await writeFile(path, text, { mode: 0o600 })
  const fault = await ended(path, by)
  if (fault !== null) return { fault }
  const file = await readFile(path)
  if (file.length > MAX_FILE_BYTES) return { fault: 'This is too long: nothing was taken from the editor.' }
  const read = file.toString().replaceAll('\r\n', '\n')
  // Editors end the last line.
  const taken = text.endsWith('\n') ? read : read.replace(/\n$/, '')
  return taken === text
    ? { fault: 'The editor changed nothing. One that returns at once needs an option, such as: code --wait' }
    : { text: taken }
}

/** Resolves when the editor has ended: to `null`, or to what went wrong. */
async function ended(path: string, { command, keyboard, signal }: EditorOptions): Promise<string | null> {
  const [program, ...args] = shellWords('The variable VISUAL or EDITOR', command)
  // Ctrl-C in an editor is a signal for all programs of the terminal.
  const listeners = process.listeners('SIGINT')
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  for (const listener of listeners) process.off('SIGINT', listener)
  let timer: NodeJS.Timeout | undefined
  let end = (): void => {}
  try {
    const [code, name] = await keyboard.lend(() => {
      const child = spawn(program, [...args, path], { stdio: 'inherit' })
      end = (): void => {
        child.kill()
        timer = setTimeout(() => child.kill('SIGKILL'), FORCE_KILL_AFTER_MS)
      }
      if (signal.aborted) end()
      signal.addEventListener('abort', end, { once: true })
      return once(child, 'exit')
    })
    return code === 0 ? null : `The editor ended with ${name ?? `code ${code}`}: nothing was taken from it.`
  } catch (error) {
    return `${printableLine(program)} cannot be started. Set VISUAL or EDITOR to your editor: ${printableLine((error as Error).message)}`
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    for (const listener of listeners) process.on('SIGINT', listener)
    process.off('SIGINT', ignore)
  }
}
