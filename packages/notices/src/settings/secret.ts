import { resolve } from 'node:path'
import { filledText } from '@sandagent/core/internal'
import { readPrivateFile } from '@sandagent/files/internal'
import * as v from 'valibot'

/** Where a secret is: in a variable of the environment, or in a file that only its owner can read. */
export type Secret = { env: string } | { file: string }

export const secretSchema: v.GenericSchema<unknown, Secret> = v.union(
  [v.strictObject({ env: filledText }), v.strictObject({ file: filledText })],
  '{ "env": "NAME" } or { "file": "PATH" }: secrets stand elsewhere',
)

export interface SecretPlace {
  env: Readonly<Record<string, string | undefined>>
  /** The folder that relative paths begin at. */
  folder: string
}

/**
 * Reads a secret, or says in words what is missing.
 *
 * @throws AskError `UNSAFE_PATH` for a file that others can read
 */
export async function readSecret(
  secret: Secret,
  { env, folder }: SecretPlace,
): Promise<{ value: string } | { missing: string }> {
  if ('env' in secret) {
    const value = env[secret.env]
    return value ? { value } : { missing: `a value in the variable ${secret.env}` }
  }
  const path = resolve(folder, secret.file)
  const value = (await readPrivateFile(path))?.trim()
  return value ? { value } : { missing: `a text in the file ${path}` }
}
