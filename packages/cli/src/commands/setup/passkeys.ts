import { userInfo } from 'node:os'
import {
  AskError,
  nameKey,
  PASSKEYS_VARIABLE,
  type Passkey,
  PUBLIC_KEYS_VARIABLE,
  passkeysBy,
  printableLine,
  votesNeeded,
} from '@sandagent/core/internal'
import { openPasskeyFiles, openPasskeys, passkeySiteFaults } from '@sandagent/passkeys'
import { loadSigningKeys } from '@sandagent/sdk'
import { readCommandLine } from '../../arguments/command-line.ts'
import { usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { jsonLine } from '../../json-line.ts'
import { lasting } from '../../lasting.ts'
import { answererOf } from '../answerer-of.ts'
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

const peopleWith = (passkeys: readonly Passkey[]): number =>
  new Set(passkeys.map(({ person }) => nameKey(person))).size

/** Prints the variables of a run that demands passkeys. @throws AskError `INVALID_REQUEST` for wrong usage */
export async function env(args: readonly string[], { stdout, stderr }: CliIo): Promise<void> {
  const { policy: file, url } = readCommandLine(PASSKEYS_ENV, args).values
  if (file === undefined || url === undefined || !URL.canParse(url))
    throw usage('passkeys env takes --policy and the --url of the inbox')
  const { policy = [] } = await answererOf({ policy: file, name: undefined, role: undefined })
  const { origin, hostname } = new URL(url)
  const site = { rpId: hostname, origins: [origin] }
  const [fault] = passkeySiteFaults(site)
  if (fault) throw usage(`Browsers have no passkeys at ${url}. Give --url with ${fault.expected}`)
  const { publicKeys } = await loadSigningKeys({ create: true })
  const passkeys = await openPasskeys(site).forRun(policy)
  // The run would ask, and nobody could allow anything.
  for (const rule of policy) {
    const missing = rule.passkey ? votesNeeded(rule) - peopleWith(passkeysBy(rule, passkeys.passkeys)) : 0
    if (missing > 0)
      stderr.write(
        `Nobody can allow what a rule demands passkeys for: ${missing} more ${missing === 1 ? 'person' : 'people'} must register one for ${hostname} first, by sandagent passkeys add\n`,
      )
  }
  for (const [name, value] of Object.entries({
    [PUBLIC_KEYS_VARIABLE]: publicKeys,
    [PASSKEYS_VARIABLE]: passkeys,
  }))
    stdout.write(`export ${name}='${JSON.stringify(value).replaceAll("'", "'\\''")}'\n`)
}
