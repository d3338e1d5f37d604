import { ARRIVAL_GUARD_MS } from '@sandagent/core/internal'
import type { CliIo } from '../../io.ts'
import { quiet } from '../keyboard/keyboard.ts'

/** Lets a terminal show nothing of what is typed, or show it again. */
export interface HiddenTyping {
  set(isHidden: boolean): void
  /** A line that was begun before the question must not answer it: what comes without a pause is dropped. */
  dropTypedAhead(): Promise<void>
  /** What a line says that was typed while nothing was shown: its keys for correcting have no terminal that acts on them. */
  lineOf(typed: string): string
}

export function createHiddenTyping({ stdin, signal, interrupt }: CliIo): HiddenTyping {
  let isHidden = false
  // Without its own keys, the terminal sends no signal for Ctrl-C.
  const follow = (chunk: unknown): void => {
    if (String(chunk).includes('\u0003')) interrupt('SIGINT')
  }
  return {
    set(next) {
      if (next === isHidden || !stdin.isTTY) return
      isHidden = next
      stdin.setRawMode?.(isHidden)
      if (isHidden) stdin.on('data', follow)
      else stdin.off('data', follow)
    },
    async dropTypedAhead() {
      stdin.setRawMode?.(true)
      if (!isHidden) stdin.on('data', follow)
      stdin.resume()
      await quiet({ stdin, signal }, ARRIVAL_GUARD_MS)
      if (!isHidden) stdin.off('data', follow)
      stdin.pause()
      stdin.setRawMode?.(isHidden)
    },
    lineOf(typed) {
      if (!isHidden) return typed
      let line = ''
      for (const character of typed)
        if (character === '\u007f' || character === '\b') line = [...line].slice(0, -1).join('')
        else if (character === '\u0015') line = ''
        else line += character
      return line
    },
  }
}
