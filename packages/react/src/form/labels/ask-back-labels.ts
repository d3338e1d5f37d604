/** The texts of asking back, in English. */
export const englishAskBackLabels = {
  /** The button beside "Decline", and beside the decisions about a tool call. */
  chat: 'Chat about this',
  askFirst: 'Ask first',
  /** Above the field. */
  askBackTitle: 'Ask the agent. Nothing is decided by this',
  askBackField: 'What you want to know',
  askBackSend: 'Ask the agent',
  askBackCancel: 'Cancel',
  /** Above what was asked before. Without a name it may have been anybody. */
  askedBefore: (name: string | undefined, isOwn: boolean): string =>
    isOwn ? 'You asked' : name === undefined ? 'Somebody asked' : `${name} asked`,
  /** Above the words of the agent since then. */
  replied: 'The agent says',
}

export type AskBackLabels = typeof englishAskBackLabels
