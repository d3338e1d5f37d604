import { randomUUID } from 'node:crypto'
import { AskError, holdProcess } from '@sandagent/core/internal'
import type { DetachedPrograms } from '@sandagent/sdk'
import type { RelayClient } from '../connection/relay-client.ts'
import { wireProgram } from './wire-program.ts'

/** How long the last step of a start may take, in milliseconds. */
const LONGEST_BEGIN_MS = 600_000

export const remoteDetached = ({ call }: RelayClient): DetachedPrograms => ({
  async start(command, args, { stdout, stderr, beforeStart, ...options }) {
    const token = randomUUID()
    const program = wireProgram(command, args, options)
    const { handle } = await call('prepare', { ...program, token, stdout, stderr })
    const release = holdProcess()
    let hasBegun = false
    let mayHaveBegun = false
    try {
      await beforeStart?.(handle)
      mayHaveBegun = true
      // It waits for a lost connection: without a reply, nobody knows whether the program has begun.
      hasBegun = await call('begin', { token, stdout }, { isWaiting: true, timeoutMs: LONGEST_BEGIN_MS })
    } catch (error) {
      // After `close` this fails, and so does the removal of the record: the program may have begun.
      await call('drop', { token })
      if (mayHaveBegun) await call('kill', { handle })
      await call('settle', { stdout })
      throw error
    } finally {
      release()
    }
    call('settle', { stdout }).catch(() => {}) // The marks do no harm.
    if (!hasBegun)
      throw new AskError(
        'UNREACHABLE',
        'The connection was lost before the program began. It never will begin.',
      )
    const ended = call('whenEnded', { token, handle }, { isWaiting: true }).then(
      ({ exitCode, signal }) => ({ exitCode, signal }),
      (error: Error) => ({ exitCode: null, signal: null, error }),
    )
    return { handle, ended }
  },
  isRunning: (handle) => call('isRunning', { handle }),
  interrupt: async (handle) => void (await call('interrupt', { handle })),
  kill: async (handle) => void (await call('kill', { handle })),
  async until(handle, { files, bytes, signal }) {
    await call('until', { handle, files: [...files], bytes }, { signal, isWaiting: true }).catch(
      (error: unknown) => {
        if (!signal.aborted) throw error
      },
    )
  },
})
