import type { UiStream } from '../../run/ui-stream.ts'

/** Writes the text of a program to the UI stream. */
export class CommandProse {
  readonly #ui: UiStream
  #count = 0
  #open: string | null = null

  constructor(ui: UiStream) {
    this.#ui = ui
  }

  async paragraph(text: string): Promise<void> {
    await this.end()
    await this.#add(text)
    await this.end()
  }

  /** Adds a line to the open text, or begins a text. */
  line(text: string): Promise<void> {
    return this.#add(`${text}\n`)
  }

  /** Ends the open text. */
  async end(): Promise<void> {
    if (this.#open !== null) await this.#ui.textEnd(this.#open)
    this.#open = null
  }

  async #add(text: string): Promise<void> {
    if (this.#open === null) {
      this.#open = `text-${++this.#count}`
      await this.#ui.textStart(this.#open)
    }
    await this.#ui.textDelta(this.#open, text)
  }
}
