import { createUiStream, type UiStream } from '../src/index.ts'

/** A chunk of the UI stream, as far as tests look at it. */
export interface Chunk {
  type: string
  id?: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  output?: unknown
  errorText?: string
  delta?: string
  inputTextDelta?: string
}

/** A UI stream that keeps what is written. */
export function recordUi() {
  const events: string[] = []
  const ui: UiStream = createUiStream((text) => void events.push(text))
  const chunks = (): Chunk[] =>
    events
      .filter((event) => event !== 'data: [DONE]\n\n')
      .map((event) => JSON.parse(event.slice('data: '.length)))
  const text = (): string =>
    chunks()
      .map(({ type, delta }) => (type === 'text-end' ? '\n' : (delta ?? '')))
      .join('')
  return { ui, events, chunks, text }
}
