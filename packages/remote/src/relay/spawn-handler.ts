import type { Readable } from 'node:stream'
import type { LocalSandbox } from '@sandagent/sdk'
import * as v from 'valibot'
import { type ProcessEvent, processInputSchema } from '../protocol/calls.ts'
import { toWireError } from '../protocol/wire-errors.ts'
import type { Handler } from './task.ts'
import { variablesOf } from './variables.ts'

/** The most bytes of an output that one event carries. */
const PIECE_BYTES = 64 * 1024

/** Starts a program whose streams go over the connection. It ends with the connection. */
export const spawnHandler =
  (sandbox: LocalSandbox): Handler<'spawn'> =>
  async ({ command, args, env, hosts }, { signal, emit, onInput }) => {
    const child = await sandbox.spawn(command, args, { env: variablesOf(env), hosts, signal })
    child.stdin.on('error', () => {}) // It reads no more. Its exit code tells why.
    onInput((given) => {
      const input = v.parse(processInputSchema, given)
      if ('kill' in input) child.kill()
      else if ('end' in input) child.stdin.end()
      else child.stdin.write(Buffer.from(input.stdin, 'base64'), () => void emit({ written: true }))
    })
    await emit({ pid: child.pid ?? null })
    const passOn = async (output: Readable, eventOf: (piece: string) => ProcessEvent): Promise<void> => {
      for await (const bytes of output as AsyncIterable<Buffer>)
        for (let from = 0; from < bytes.length; from += PIECE_BYTES)
          await emit(eventOf(bytes.subarray(from, from + PIECE_BYTES).toString('base64')))
    }
    const [{ exitCode, signal: endedBy, error }] = await Promise.all([
      child.ended,
      passOn(child.stdout, (stdout) => ({ stdout })),
      passOn(child.stderr, (stderr) => ({ stderr })),
    ])
    return { exitCode, signal: endedBy, error: error && toWireError(error) }
  }
