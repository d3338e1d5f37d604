import { userInfo } from 'node:os'
import { printableLine } from '@sandagent/core/internal'
import { type GrantEntry, listGrants, revokeGrant } from '@sandagent/grants'
import { readCommandLine } from '../../arguments/command-line.ts'
import { usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { jsonLine } from '../../json-line.ts'
import { lasting } from '../../lasting.ts'
import { styled } from '../../styled.ts'
import { warn } from '../../warn.ts'
import { createWriter } from '../../writer.ts'
import { GRANTS_LIST, GRANTS_REVOKE } from './grants-args.ts'
import { grantsFolder } from './grants-folder.ts'

/** Lists the permissions for more than one call. */
export async function list(args: readonly string[], io: CliIo): Promise<void> {
  const { json } = readCommandLine(GRANTS_LIST, args).values
  const write = createWriter(io.stdout)
  const all = await listGrants(grantsFolder(), { onWarning: warn(io.stderr) })
  for (const grant of all) await write(json ? jsonLine(grant) : textOf(grant, io.stdout))
  if (all.length === 0 && !json) await write('There are no permissions for more than one call.\n')
}

/**
 * Takes permissions back, and prints which.
 *
 * @throws AskError `INVALID_REQUEST` for wrong usage, `NOT_FOUND` for an id that no permission has
 */
export async function revoke(args: readonly string[], io: CliIo): Promise<void> {
  const { values, words } = readCommandLine(GRANTS_REVOKE, args)
  if (values.all === words.length > 0) throw usage('grants revoke takes ids of permissions, or --all')
  const onWarning = warn(io.stderr)
  const options = { by: userInfo().username, onWarning }
  const held = values.all
    ? (await listGrants(grantsFolder(), { onWarning })).filter(({ ended }) => !ended)
    : []
  for (const id of values.all ? held.map((grant) => grant.id) : words)
    io.stdout.write(textOf(await revokeGrant(grantsFolder(), id, options), io.stdout))
}

const END_WORDS = { expired: 'has ended', revoked: 'taken back', 'run-ended': 'has ended with its run' }

function textOf(
  { id, covers, place, givenAt, givenBy, ended, revokedBy, uses }: GrantEntry,
  stream: CliIo['stdout'],
): string {
  const facts = [
    ...(ended ? [`${END_WORDS[ended]}${revokedBy === undefined ? '' : ` by ${revokedBy}`}`] : []),
    `in ${place}`,
    `given ${lasting(Date.now() - Date.parse(givenAt))} ago${givenBy === undefined ? '' : ` by ${givenBy}`}`,
    uses.count === 1 ? 'used once' : uses.count === 0 ? 'not used' : `used ${uses.count} times`,
  ]
  return [
    `${styled(ended ? 'dim' : 'bold', id, stream)}  ${printableLine(covers)}\n`,
    styled('dim', `  ${printableLine(facts.join(' · '))}`, stream),
    '\n',
  ].join('')
}
