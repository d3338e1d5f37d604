import type { UiStream } from '../../run/ui-stream.ts'

/** Writes the text of a program to the UI stream. */
export interface CommandProse {
  paragraph(text: string): Promise<void>
  /** Adds a line to the open text, or begins a text. */
  line(text: string): Promise<void>
  /** Ends the open text. */
  end(): Promise<void>
}

export function createCommandProse(ui: UiStream): CommandProse {
  let count = 0
  let open: string | null = null

  const begin = async (): Promise<string> => {
    open = `text-${++count}`
    await ui.textStart(open)
    return open
  }
  const end = async (): Promise<void> => {
    if (open !== null) await ui.textEnd(open)
    open = null
  }

  return {
    async paragraph(text) {
      await end()
      await ui.textDelta(await begin(), text)
      await end()
    },
    line: async (text) => ui.textDelta(open ?? (await begin()), `${text}\n`),
    end,
  }
}
