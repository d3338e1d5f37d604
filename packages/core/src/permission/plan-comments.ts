/** A person's words about a plan. */
export interface PlanComments {
  /** By the number of a line, from 1. */
  lines: ReadonlyMap<number, string>
  /** What is about no line. */
  rest: string
}

/** How much of a line stands before a comment for the model. */
const MOST_QUOTED = 500

/** `12: Not this one` is a comment on line 12. The lines below it go on with it. */
const COMMENT = /^(\d{1,6}): ?(.*)$/

export const planLines = (plan: string): string[] => plan.split(/\r\n|\n/)

/** Reads a note beside a decision about a plan. A number that no line has begins no comment. */
export function readComments(plan: string, note: string): PlanComments {
  const count = planLines(plan).length
  const lines = new Map<number, string>()
  const rest: string[] = []
  let current: number | null = null
  for (const line of note.split('\n')) {
    const [, digits, words = ''] = COMMENT.exec(line) ?? []
    const number = Number(digits)
    if (number >= 1 && number <= count) {
      current = number
      const before = lines.get(number)
      lines.set(number, before === undefined ? words : `${before}\n${words}`)
    } else if (current === null) rest.push(line)
    else lines.set(current, `${lines.get(current)}\n${line}`)
  }
  return { lines, rest: rest.join('\n') }
}

/** The same as a note. A line of a text that looks like the beginning of a comment is indented. */
export function writeComments({ lines, rest }: PlanComments): string {
  const comments = [...lines].filter(([, text]) => text !== '').sort(([a], [b]) => a - b)
  return [
    ...(rest === '' ? [] : [indented(rest)]),
    ...comments.map(([number, text]) => `${number}: ${indentedBelow(text)}`),
  ].join('\n')
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => (COMMENT.test(line) ? ` ${line}` : line))
    .join('\n')

/** The first line stands behind the number. */
const indentedBelow = (text: string): string => {
  const [first = '', ...more] = text.split('\n')
  return more.length === 0 ? first : `${first}\n${indented(more.join('\n'))}`
}

/** A note for the model: each comment below the line that it is about. */
export function quoteComments(plan: string, note: string): string {
  const { lines, rest } = readComments(plan, note)
  const texts = planLines(plan)
  const quoted = [...lines].map(([number, text]) => {
    const line = texts[number - 1] ?? ''
    return `On line ${number}:\n> ${line.length > MOST_QUOTED ? `${line.slice(0, MOST_QUOTED)}…` : line}\n${text.trim()}`
  })
  return [rest.trim(), ...quoted].filter((text) => text !== '').join('\n\n')
}
