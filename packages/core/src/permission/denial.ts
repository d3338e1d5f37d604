/** What the model reads about a tool call that did not run. */
export const notRunText = (toolName: string, reason: string): string => `${toolName} was not run. ${reason}`

/** What the model reads about a tool call that a person denied. */
export const denialText = (toolName: string, note: string | undefined): string =>
  notRunText(
    toolName,
    `The user denied it${note ? `, saying ${JSON.stringify(note)}` : ''}. Do not try to reach the same in another way; go on without it, or stop and say what you need.`,
  )

/** Whether a text is the {@link denialText} of a tool. */
export const isDenialText = (text: string): boolean => /^\S+ was not run\. The user denied it/.test(text)
