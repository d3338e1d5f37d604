import { PassThrough, Readable } from 'node:stream'
import type { SandboxProcess } from './process.ts'

export const unstartedProcess = (error: Error): SandboxProcess => ({
  pid: undefined,
  stdin: new PassThrough().resume(),
  stdout: Readable.from([]),
  stderr: Readable.from([]),
  ended: Promise.resolve({ exitCode: null, signal: null, error }),
  kill() {},
})
