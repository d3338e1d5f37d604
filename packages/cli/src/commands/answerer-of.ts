import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { AskError, parseJson } from '@sandagent/core/internal'
import { parsePolicy } from '@sandagent/sdk'
import type { Values } from '../arguments/command-line.ts'
import { usage } from '../arguments/option-values.ts'
import type { POLICY_OPTIONS } from '../arguments/shared-options.ts'
import type { CallerOptions } from '../terminal/session/record-transport.ts'

/** Who answers, and by which policy. */
export type PolicyChoice = Values<typeof POLICY_OPTIONS>

/** @throws AskError `INVALID_REQUEST` for a file that holds no policy, with its path */
export async function answererOf({ name, policy: file, role: roles }: PolicyChoice): Promise<CallerOptions> {
  if (file === undefined) {
    if (roles) throw usage('--role needs --policy')
    return { answeredBy: name }
  }
  try {
    const policy = parsePolicy(
      parseJson(await readFile(file, 'utf8'), 'INVALID_REQUEST', 'This is no policy'),
    )
    return { answeredBy: name ?? userInfo().username, roles, policy }
  } catch (error) {
    if (!(error instanceof AskError || (error instanceof Error && 'code' in error))) throw error
    throw usage(`--policy ${file}: ${error.message}`, error)
  }
}
