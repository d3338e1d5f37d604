import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { onTestFinished } from 'vitest'
import { daytonaSandbox } from '../../../examples/vendors/daytona.mjs'
import type { DaytonaService } from '../../../examples/vendors/daytona-service.d.ts'
import { createCutter } from './cutter.ts'
import type { OpenPlace } from './vendor-contract.ts'

/**
 * Does what Daytona does with sessions, logs and files, right here. The package of Daytona is too large for this repository.
 */
export function daytonaService() {
  const sessions = new Set<string>()
  const cutter = createCutter()
  const commands = new Map<string, ChildProcess>()
  // A program whose connection was cut does not notice that the test is over.
  onTestFinished(() => {
    for (const { pid, exitCode } of commands.values()) if (pid && exitCode === null) process.kill(-pid)
  })
  const service: DaytonaService = {
    id: 'stand-in',
    fs: {
      async uploadFile(bytes, path) {
        if (cutter.isLost()) throw new Error('The upload was cut')
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, bytes)
      },
    },
    process: {
      async createSession(id) {
        sessions.add(id)
      },
      async deleteSession(id) {
        sessions.delete(id)
      },
      async executeSessionCommand(session, { command }) {
        const child = spawn('/bin/sh', ['-c', `${command}; exit`], {
          detached: true,
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        commands.set(session, child)
        return { cmdId: session }
      },
      getSessionCommandLogs: (session, _, onStdout) =>
        new Promise((resolve, reject) => {
          const output = commands.get(session)?.stdout
          const forget = cutter.add(() => {
            output?.removeAllListeners('data').resume()
            reject(new Error('The log was cut'))
          })
          output?.setEncoding('utf8').on('data', (text: string) => {
            if (!cutter.isLost()) onStdout(text)
          })
          output?.once('close', () => {
            forget()
            resolve()
          })
        }),
    },
  }
  return { service, sessions, cutAfter: cutter.cutAfter }
}

export const daytonaPlace: OpenPlace = async (options) => {
  const { service, cutAfter } = daytonaService()
  return { sandbox: daytonaSandbox(service, options), cutAfter }
}
