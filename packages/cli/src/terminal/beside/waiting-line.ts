import {
  assumptionOf,
  printable,
  printableLine,
  type QuestionRecord,
  questionTitle,
} from '@sandagent/core/internal'
import type { CliIo } from '../../io.ts'
import { cutLine, widthOf } from '../form/draw/wrap.ts'
import type { Key } from '../keyboard/key.ts'
import type { Keyboard } from '../keyboard/keyboard.ts'

/** The key that opens the first question of the line. It answers nothing. */
const KEY = 'tab'
const ERASE = '\r\u001b[2K'

export interface WaitingLineOptions {
  stdout: CliIo['stdout']
  keyboard: Keyboard
  /** Aborts when the run ends. */
  signal: AbortSignal
}

/** The questions whose agent works on. They wait in one line below what it prints, and a key opens the oldest. */
export class WaitingLine {
  readonly #options: WaitingLineOptions
  readonly #waiting = new Map<string, { record: QuestionRecord; open: () => void }>()
  #stopReading: (() => void) | undefined
  #isDrawn = false
  /** How far the agent's last line has come. `null` where nobody knows. */
  #column: number | null = 0
  #isPaused = false
  #writing = 0

  constructor(options: WaitingLineOptions) {
    this.#options = options
    options.signal.addEventListener('abort', () => this.pause(), { once: true })
  }

  /** @param open called for the key, while nothing else is asked */
  add(record: QuestionRecord, open: () => void): void {
    this.#waiting.set(record.toolCallId, { record, open })
    this.#update()
  }

  /** The question waits no longer. @param ending what is said of it in the place of the line */
  remove(toolCallId: string, ending = ''): void {
    if (!this.#waiting.delete(toolCallId)) return
    this.#erase()
    if (ending !== '') {
      this.#options.stdout.write(`${this.#column === 0 ? '' : '\n'}${ending}`)
      this.#column = 0
    }
    this.#update()
  }

  /** Shows nothing, and opens nothing. */
  pause(): void {
    this.#isPaused = true
    this.#erase()
  }

  resume(): void {
    this.#isPaused = this.#options.signal.aborted
    this.#update()
  }

  /**
   * Writes something above the line.
   *
   * @param text what is written, if the next write may go on in its last line; `null` for what ends its line
   */
  async above(text: string | null, write: () => Promise<void>): Promise<void> {
    this.#erase()
    this.#column = text === null ? 0 : columnAfter(text, this.#column)
    this.#writing++
    try {
      await write()
    } finally {
      this.#writing--
      this.#draw()
    }
  }

  #update(): void {
    this.#erase()
    if (this.#waiting.size > 0)
      this.#stopReading ??= this.#options.keyboard.read({
        onKey: this.#press,
        onStop: () => {
          this.#erase()
          return () => this.#draw()
        },
      })
    else {
      this.#stopReading?.()
      this.#stopReading = undefined
    }
    this.#draw()
  }

  readonly #press = ({ name, ctrl, meta }: Key): void => {
    const [first] = this.#waiting.values()
    if (name === KEY && !ctrl && !meta && !this.#isPaused) first?.open()
  }

  #erase(): void {
    if (!this.#isDrawn) return
    this.#isDrawn = false
    // Back to where the agent's line ends, which may go on.
    const back = this.#column ? `\u001b[1A\u001b[${this.#column + 1}G` : ''
    this.#options.stdout.write(`${ERASE}${back}`)
  }

  #draw(): void {
    const [first] = this.#waiting.values()
    const { stdout } = this.#options
    const columns = stdout.columns || 80
    if (!first || this.#isDrawn || this.#isPaused || this.#writing > 0 || this.#column === null) return
    // Where a line just fills the terminal, terminals differ in where they go on.
    if (this.#column > 0 && this.#column % columns === 0) return
    this.#column %= columns
    this.#isDrawn = true
    stdout.write(
      `${this.#column > 0 ? '\n' : ''}${lineOf(first.record, this.#waiting.size - 1, columns - 1)}`,
    )
  }
}

/** Where a text ends that began in a column. */
function columnAfter(text: string, column: number | null): number | null {
  const lines = printable(text).split('\n')
  const last = lines.at(-1) ?? ''
  const before = lines.length > 1 ? 0 : column
  return before === null || /[\r\t]/.test(last) ? null : before + widthOf(last)
}

/** What waits, in one line. The key is never cut. */
function lineOf({ questions }: QuestionRecord, more: number, width: number): string {
  const [only, second] = questions
  const assumption = only && !second ? assumptionOf(only) : undefined
  const goesOn = `goes on${assumption === undefined ? '' : ` with ${printableLine(assumption)}`}`
  const what = `? ${printableLine(only ? questionTitle(only) : '')} · The agent ${goesOn}`
  const key = ` · Tab opens it${more === 0 ? '' : `, and ${more} more wait${more === 1 ? 's' : ''}`}`
  return `${cutLine(what, Math.max(4, width - widthOf(key)))}${key}`
}
