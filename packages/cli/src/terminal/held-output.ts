import { Writable } from 'node:stream'
import type { CliIo } from '../io.ts'

/** The terminal for everything but the form. While a form is there, what is written waits. */
export interface HeldOutput {
  output: Writable & { isTTY?: boolean }
  /** Holds back what is written, until the returned function is called. */
  hold(): () => void
}

/**
 * An agent may go on writing while its question is on the screen, and does as soon as it has the answer. Its text would tear
 * the form apart. Writers do not wait: a run that ends with an open question must end.
 */
export function holdOutput(stdout: CliIo['stdout']): HeldOutput {
  let held: string[] | null = null
  const output = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      if (!held) return void stdout.write(chunk, (error) => done(error))
      held.push(String(chunk))
      done()
    },
  })
  return {
    output: Object.assign(output, { isTTY: stdout.isTTY === true }),
    hold() {
      held = []
      return () => {
        const text = held?.join('') ?? ''
        held = null
        if (text !== '') stdout.write(text)
      }
    },
  }
}
