import xterm from '@xterm/headless'

/** What a person sees in a terminal, from what a program writes to it. */
export interface TerminalScreen {
  write(data: string): void
  resize(columns: number, rows: number): void
  /** The lines on the screen, without spaces at their ends. */
  view(): Promise<string>
  /** Where the cursor is, from the top left corner. */
  cursor(): Promise<{ x: number; y: number }>
}

export function createTerminalScreen(
  columns: number,
  rows: number,
  { convertEol = false } = {},
): TerminalScreen {
  const terminal = new xterm.Terminal({ cols: columns, rows, convertEol, allowProposedApi: true })
  const written = (): Promise<void> => new Promise((resolve) => terminal.write('', resolve))
  return {
    write: (data) => terminal.write(data),
    resize: (columns, rows) => terminal.resize(columns, rows),
    async view() {
      await written()
      const { active } = terminal.buffer
      const lines = Array.from({ length: terminal.rows }, (_, row) =>
        active.getLine(active.viewportY + row)?.translateToString(true),
      )
      return lines.join('\n').trimEnd()
    },
    async cursor() {
      await written()
      const { cursorX, cursorY } = terminal.buffer.active
      return { x: cursorX, y: cursorY }
    },
  }
}
