import { StringDecoder } from 'node:string_decoder'

/** Makes lines of what a terminal sends that lets a person correct them. */
export function createLineReader(onLine: (line: string) => void) {
  const decoder = new StringDecoder()
  let begun = ''
  return {
    read(chunk: Buffer): void {
      const lines = (begun + decoder.write(chunk)).split(/\r?\n/)
      begun = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    },
    /** Forgets a line that was begun. */
    drop(): void {
      begun = ''
    },
  }
}
