import { ARRIVAL_GUARD_MS, type AskSession } from '@sandagent/core/internal'
import { render } from 'ink'
import type { CliIo } from '../../io.ts'
import type { Key } from '../keyboard/key.ts'
import type { Asked } from '../subject-lines.ts'
import { createPaint } from './draw/paint.ts'
import { Form } from './form.tsx'
import { createFormModel } from './form-model.ts'
import type { Size } from './form-state.ts'

/**
 * Shows the form of a session until the signal aborts. Then nothing of the form is left on the screen.
 *
 * @param options.ctrlC what Ctrl-C does, in a word or two
 * @param options.openKeyboard takes every key of the terminal until the returned function is called
 */
export async function showForm({
  session,
  asked,
  stdout,
  ctrlC,
  openKeyboard,
  signal,
}: {
  session: AskSession
  asked: Asked
  stdout: CliIo['stdout']
  ctrlC: string
  openKeyboard: (onKey: (key: Key) => void) => () => void
  signal: AbortSignal
}): Promise<void> {
  if (signal.aborted) return
  const paint = createPaint(stdout.hasColors?.() === true)
  const model = createFormModel({ session, asked, paint, ctrlC, size: sizeOf(stdout) })
  // Before Ink listens: it draws at once.
  const onResize = (): void => model.resize(sizeOf(stdout))
  stdout.on('resize', onResize)
  const closeKeyboard = openKeyboard(model.press)
  const form = render(<Form model={model} />, {
    stdout: sized(stdout) as NodeJS.WriteStream,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
  })
  const timer = setTimeout(model.arrive, ARRIVAL_GUARD_MS)
  try {
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    // Ink ends by itself only if drawing fails.
    await Promise.race([aborted, form.waitUntilExit()])
  } finally {
    clearTimeout(timer)
    closeKeyboard()
    stdout.off('resize', onResize)
    // Ink leaves on the screen what it drew last.
    form.rerender(null)
    form.unmount()
  }
}

/** A terminal of unknown size reports none, or 0. */
const sizeOf = ({ columns, rows }: CliIo['stdout']): Size => ({ columns: columns || 80, rows: rows || 24 })

/** Ink draws nothing where a terminal says that it has no size. */
const sized = (stdout: CliIo['stdout']): CliIo['stdout'] =>
  new Proxy(stdout, {
    get(target, name) {
      if (name === 'columns' || name === 'rows') return sizeOf(target)[name]
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
