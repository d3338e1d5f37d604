import type { UiStream } from '../../run/ui-stream.ts'

/** The text of a program in the UI stream. */
export interface CommandProse {
  /** Shows a paragraph of its own. */
  paragraph(text: string): Promise<void>
  /** Adds a line to the text that is open, or begins one. */
  line(text: string): Promise<void>
  /** Ends the text that is open, before something else is shown. */
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
