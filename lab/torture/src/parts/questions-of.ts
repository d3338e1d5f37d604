/** The questions of a call. People write their answers beside the options. */
export const questionsOf = (
  text: string,
): { id: string; question: string; options: { label: string }[] }[] => [
  { id: 'q', question: text, options: [{ label: 'An option' }, { label: 'Other' }] },
]
