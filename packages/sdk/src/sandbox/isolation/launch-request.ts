import { parseJson, parseWith } from '@sandagent/core/internal'
import * as v from 'valibot'
import type { ProgramAccess } from './policy.ts'

/** Tells the launcher which program to start, and what it may do. */
export interface LaunchRequest extends ProgramAccess {
  command: string
  args: readonly string[]
  /** The program's whole environment, except for variables that the sandbox sets. */
  env: Readonly<Record<string, string>>
}

/** The descriptor from which the launcher reads its request. */
export const REQUEST_DESCRIPTOR = 3

const texts = v.array(v.string())

const schema: v.GenericSchema<unknown, LaunchRequest> = v.object({
  workdir: v.string(),
  stateFolder: v.optional(v.string()),
  readable: texts,
  hidden: texts,
  hosts: texts,
  command: v.string(),
  args: texts,
  env: v.record(v.string(), v.string()),
})

/** @throws AskError `INVALID_REQUEST`, such as for an incomplete request when the host has ended */
export const parseLaunchRequest = (text: string): LaunchRequest => {
  const what = 'This is nothing to launch'
  return parseWith(schema, parseJson(text, 'INVALID_REQUEST', what), 'INVALID_REQUEST', what)
}
