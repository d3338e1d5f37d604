import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { AskError, parseJson } from '@sandagent/core/internal'
import { parsePolicy } from '@sandagent/sdk'
import { usage } from '../arguments/option-values.ts'
import type { CallerOptions } from '../terminal/record-transport.ts'

/** The options of commands by which a person answers. */
export const POLICY_OPTIONS = {
  name: { value: 'NAME', help: 'who answers, as agents and other people read it; default: your user name' },
  policy: {
    value: 'FILE',
    help: 'who may answer what, and how many people must give the same answer, as JSON',
    group: 'Under a policy',
  },
  role: {
    value: 'ROLE',
    multiple: true,
    help: 'a role that you have; can be given several times',
    group: 'Under a policy',
  },
} as const

/** The values of {@link POLICY_OPTIONS}. */
export interface PolicyChoice {
  name: string | undefined
  policy: string | undefined
  role: readonly string[] | undefined
}

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
