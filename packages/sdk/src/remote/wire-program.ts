import type { WireProgram } from '../relay-protocol/calls.ts'
import type { SpawnOptions } from '../sandbox/process.ts'

export const wireProgram = (
  command: string,
  args: readonly string[],
  { env, hosts }: Pick<SpawnOptions, 'env' | 'hosts'>,
): WireProgram => ({
  command,
  args: [...args],
  ...(env && {
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? null])),
  }),
  ...(hosts && { hosts: [...hosts] }),
})
