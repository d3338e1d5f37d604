type Shortcut = readonly [keys: string, meaning: string]

/** The texts of the list of shortcuts, in English. */
export const englishShortcuts = {
  pick: ['1–9', 'pick'] as Shortcut,
  move: ['↑ ↓', 'move'] as Shortcut,
  check: ['Space', 'check'] as Shortcut,
  steps: ['← →', 'change the question'] as Shortcut,
  go: ['Enter', 'go on'] as Shortcut,
  // In a multiple choice, Enter alone picks.
  goFromMany: ['Ctrl Enter', 'go on'] as Shortcut,
  send: ['Enter', 'send'] as Shortcut,
  sendFromMany: ['Ctrl Enter', 'send'] as Shortcut,
  find: ['Enter', 'to the options'] as Shortcut,
  line: ['Shift Enter', 'new line'] as Shortcut,
  note: ['n', 'note'] as Shortcut,
  escape: ['Esc', 'decline'] as Shortcut,
  // While the form asks whether to decline.
  stay: ['Esc', 'keep answering'] as Shortcut,
}

/** `undo` is shown while an answer waits to be sent. */
export type ShortcutLabels = { undo: Shortcut } & Partial<typeof englishShortcuts>
