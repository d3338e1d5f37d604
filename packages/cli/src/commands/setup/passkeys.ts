import { userInfo } from 'node:os'
import { AskError, PASSKEYS_VARIABLE, PUBLIC_KEYS_VARIABLE, printableLine } from '@sandagent/core/internal'
import { openPasskeyFiles } from '@sandagent/passkeys'
import { readCommandLine } from '../../arguments/command-line.ts'
import { usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { jsonLine } from '../../json-line.ts'
import { lasting } from '../../lasting.ts'
import { runDemand } from '../channel/run-demand.ts'
import { PASSKEYS_ADD, PASSKEYS_ENV, PASSKEYS_LIST, PASSKEYS_REMOVE } from './passkeys-args.ts'

/** Lists the passkeys of this user's hosts. */
export async function list(args: readonly string[], { stdout }: CliIo): Promise<void> {
  const { json } = readCommandLine(PASSKEYS_LIST, args).values
  const all = await openPasskeyFiles().all()
  if (json) return void stdout.write(jsonLine(all))
  if (all.length === 0)
    stdout.write('No passkey is registered. sandagent passkeys add lets a person register one.\n')
  for (const { id, person, name, rpId, addedAt, isBackedUp } of all) {
    const facts = [
      ...(name === '' ? [] : [name]),
      `for ${rpId}`,
      `registered ${lasting(Date.now() - Date.parse(addedAt))} ago`,
      ...(isBackedUp ? ['kept in an account, too'] : []),
    ]
    stdout.write(`${id}  ${printableLine(person)}\n  ${printableLine(facts.join(' · '))}\n`)
  }
}

/** Prints a code by which a person registers a passkey. */
export async function add(args: readonly string[], { stdout }: CliIo): Promise<void> {
  const { name: person = userInfo().username } = readCommandLine(PASSKEYS_ADD, args).values
  if (person.trim() === '') throw usage('passkeys add --name takes a name, as sandagent serve --name has it')
  const code = await openPasskeyFiles().newCode(person, Date.now())
  stdout.write(
    `${printableLine(person)} registers a passkey with this code, within 10 minutes, in the settings of the inbox: ${code}\n`,
  )
}

/** @throws AskError `INVALID_REQUEST` for wrong usage, `NOT_FOUND` for an id that no passkey has */
export async function remove(args: readonly string[], { stdout }: CliIo): Promise<void> {
  const { words } = readCommandLine(PASSKEYS_REMOVE, args)
  if (words.length === 0) throw usage('passkeys remove takes ids of passkeys: passkeys list has them')
  const files = openPasskeyFiles()
  for (const id of words) {
    if (!(await files.remove(id)))
      throw new AskError('NOT_FOUND', `No passkey has the id ${id}: see passkeys list`)
    stdout.write(`Removed ${id}. Runs that go on know it until they end.\n`)
  }
}

/**
 * Prints the variables of a run that demands passkeys. If it fails, it prints variables that no runner takes: a shell that
 * evaluates them must not start a run that demands nothing.
 *
 * @throws AskError `INVALID_REQUEST` for wrong usage
 */
export async function env(args: readonly string[], { stdout, stderr }: CliIo): Promise<void> {
  try {
    const { values } = readCommandLine(PASSKEYS_ENV, args)
    const variables = await runDemand(values, (sentence) => void stderr.write(`${sentence}\n`))
    for (const [name, value] of Object.entries(variables))
      stdout.write(`export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
  } catch (error) {
    stdout.write(`export ${PUBLIC_KEYS_VARIABLE}='' ${PASSKEYS_VARIABLE}=''; false\n`)
    throw error
  }
}
