/** How much of an error output is kept for messages, in characters. */
const COMPLAINT_CHARS = 2000

/** Keeps the end of a program's error output, which says why the program ended. */
export function createComplaint(): { add(text: string): void; addedTo(sentence: string): string } {
  let complaint = ''
  return {
    add(text) {
      complaint = (complaint + text).slice(-COMPLAINT_CHARS)
    },
    /** The sentence, then the last line of the output if there is one. */
    addedTo(sentence) {
      const line = complaint
        .split('\n')
        .map((text) => text.trim())
        .findLast((text) => text !== '')
      return line === undefined ? sentence : `${sentence}: ${line}`
    },
  }
}
