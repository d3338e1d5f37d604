import { createUiStream } from '@sandagent/runner'
import type { CliIo } from '../../io.ts'
import { createJsonWriter } from '../../json-line.ts'

/** Prepares a run. With `--format stream` it writes a failure into the UI stream too: a page reads nothing else. */
export async function reportInStream<T>(
  args: readonly string[],
  io: CliIo,
  prepare: () => Promise<T>,
): Promise<T> {
  try {
    return await prepare()
  } catch (error) {
    if (givenValue(args, 'format') === 'stream' && !io.signal.aborted) {
      const ui = createUiStream(createJsonWriter(io.stdout))
      await ui.start(`message-${givenValue(args, 'run-id') ?? ''}`)
      await ui.error(error instanceof Error ? error.message : String(error))
      await ui.done()
    }
    throw error
  }
}

/** Finds the value of an option, also on a wrong command line. */
function givenValue(args: readonly string[], name: string): string | undefined {
  const end = args.indexOf('--')
  const options = end === -1 ? args : args.slice(0, end)
  const place = options.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  if (place === -1) return undefined
  const word = options[place] as string
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : options[place + 1]
}
