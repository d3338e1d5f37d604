import type { SpawnOptions } from '@sandagent/sdk'
import type { WireProgram } from '../protocol/calls.ts'

export const wireProgram = (
  command: string,
  args: readonly string[],
  { env, hosts }: Pick<SpawnOptions, 'env' | 'hosts'>,
): WireProgram => ({
  command,
  args: [...args],
  env: env && Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? null])),
  hosts: hosts && [...hosts],
})
