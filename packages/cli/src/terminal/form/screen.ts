import type { Key } from '../keyboard/key.ts'
import type { Drawing } from './draw/drawing.ts'
import type { RunEditor } from './edit/editor.ts'
import type { Size } from './form-state.ts'

/** What is drawn on a terminal, and takes its keys. */
export interface Screen {
  getDrawing(): Pick<Drawing, 'lines' | 'cursor'>
  /** Calls back after every change. The returned function ends this. */
  subscribe(listener: () => void): () => void
  press(key: Key): void
  resize(size: Size): void
  /** The person can have seen it. */
  arrive(): void
  /** Time has passed: what is shown of it is up to date afterwards. */
  tick(): void
  /** Where texts go that stay above it. */
  onWholeTexts(print: (text: string) => void): void
  /** How a text is edited in the person's own editor. Where there is none, it is not called. */
  onEditor(run: RunEditor): void
  close?(): void
}
