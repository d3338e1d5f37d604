import type { UiStream } from './ui-stream.ts'

type Kind = 'text' | 'reasoning'

/** Writes what an agent says and thinks, block by block. */
export class TextWriter {
  readonly #ui: UiStream
  #open: { kind: Kind; message: string | undefined; id: string } | null = null
  #count = 0

  constructor(ui: UiStream) {
    this.#ui = ui
  }

  /**
   * Adds a piece. Another kind begins a block of its own.
   *
   * @param message so does another message, where the agent names them
   */
  async add(kind: Kind, text: string, message?: string): Promise<void> {
    if (text === '') return
    if (this.#open?.kind !== kind || this.#open.message !== message) {
      await this.end()
      this.#open = { kind, message, id: `${kind}-${++this.#count}` }
      await (kind === 'text' ? this.#ui.textStart(this.#open.id) : this.#ui.reasoningStart(this.#open.id))
    }
    const { id } = this.#open
    await (kind === 'text' ? this.#ui.textDelta(id, text) : this.#ui.reasoningDelta(id, text))
  }

  /** Whether a block of this kind is open. */
  isOpen(kind: Kind): boolean {
    return this.#open?.kind === kind
  }

  async end(): Promise<void> {
    const open = this.#open
    this.#open = null
    if (open) await (open.kind === 'text' ? this.#ui.textEnd(open.id) : this.#ui.reasoningEnd(open.id))
  }
}
