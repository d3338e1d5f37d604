import { createSigningKey } from '@sandagent/sdk'
import { readCommandLine } from '../../arguments/command-line.ts'
import type { CliIo } from '../../io.ts'
import { KEY } from './key-args.ts'

/** Prints a new signing key. @throws AskError `INVALID_REQUEST` for wrong usage */
export async function key(args: readonly string[], { stdout }: Pick<CliIo, 'stdout'>): Promise<void> {
  readCommandLine(KEY, args)
  stdout.write(`${await createSigningKey()}\n`)
}
