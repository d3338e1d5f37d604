import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type FileApi, fileSandbox } from '@sandagent/remote'
import { onTestFinished } from 'vitest'
import { createCutter } from './cutter.ts'
import type { OpenPlace } from './vendor-contract.ts'

/** A plain folder as the file API. Its programs have no streams. */
export function fileApi() {
  const cutter = createCutter()
  const programs: ChildProcess[] = []
  let isCut = false
  // The host learns of a cut by its next call. A new program is a new connection.
  cutter.add(() => {
    isCut = true
  })
  const reach = (): void => {
    if (isCut || cutter.isLost()) throw new Error('The connection was cut')
  }
  // A program whose connection was cut does not notice that the test is over.
  const folders = new Set<string>()
  onTestFinished(async () => {
    for (const { pid, exitCode } of programs) if (pid && exitCode === null) process.kill(-pid)
    await Promise.all(
      programs.map((program) => program.exitCode ?? program.signalCode ?? once(program, 'exit')),
    )
    // What a program started may still be ending.
    for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const api: FileApi = {
    async start([command, ...args]) {
      isCut = false
      programs.push(spawn(command, args, { detached: true, stdio: 'ignore' }))
    },
    async writeFile(path, bytes) {
      reach()
      folders.add(dirname(path))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(`${path}.new`, bytes)
      await rename(`${path}.new`, path)
    },
    async readFile(path) {
      reach()
      try {
        return await readFile(path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
  }
  return { api, programs, cutAfter: cutter.cutAfter }
}

export const filePlace: OpenPlace = async (options) => {
  const { api, cutAfter } = fileApi()
  return { sandbox: fileSandbox(api, { name: options.workdir, ...options }), cutAfter }
}
