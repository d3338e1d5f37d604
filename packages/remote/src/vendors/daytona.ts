import { randomUUID } from 'node:crypto'
import { RemoteSandbox } from '../sandbox/remote-sandbox.ts'
import { connectByCalls } from '../transport/called-program.ts'
import { fileTransport } from '../transport/file-transport.ts'
import { quoted } from '../transport/shell-words.ts'
import type { VendorSandboxOptions } from './vendor-options.ts'

/** What is used of the class `Sandbox` of `@daytona/sdk`. That package takes 100 MB, so it is not installed here. */
export interface DaytonaService {
  id: string
  fs: { uploadFile(bytes: Buffer, path: string): Promise<void> }
  process: {
    createSession(id: string): Promise<void>
    deleteSession(id: string): Promise<void>
    executeSessionCommand(
      session: string,
      request: { command: string; runAsync: boolean },
    ): Promise<{ cmdId?: string }>
    getSessionCommandLogs(
      session: string,
      command: string,
      onStdout: (text: string) => void,
      onStderr: (text: string) => void,
    ): Promise<void>
  }
}

/**
 * A sandbox of Daytona. The input of its commands never ends and adds line breaks, so requests go there in files.
 *
 * @param sandbox what `create()` or `get()` of `@daytona/sdk` gave
 * @throws AskError `INVALID_REQUEST` for options that cannot be used
 */
export function daytonaSandbox(sandbox: DaytonaService, options: VendorSandboxOptions): RemoteSandbox {
  const { fs, process } = sandbox
  const writeFile = (path: string, bytes: Buffer) => fs.uploadFile(bytes, path)
  const connect = (argv: readonly string[]) =>
    connectByCalls(async (print) => {
      const session = `sandagent-${randomUUID()}`
      const { argv: fed, send, end } = fileTransport(argv, { node: options.node, writeFile })
      await process.createSession(session)
      // The session's shell reads the command. If the program took its place, nobody would note the end.
      const request = { command: fed.map(quoted).join(' '), runAsync: true }
      const remove = () => process.deleteSession(session).catch(() => {}) // The sandbox may be gone.
      const { cmdId = '' } = await process.executeSessionCommand(session, request).catch(async (error) => {
        await remove()
        throw error
      })
      // The callback cannot hold the log back.
      const onStdout = (text: string): void => void print(text)
      const logs = process.getSessionCommandLogs(session, cmdId, onStdout, () => {})
      // A log that was cut says nothing about the relay. The end of a session ends all that the relay has started.
      logs.then(remove, () => {})
      return { send, ended: logs, end }
    })
  return new RemoteSandbox({ ...options, name: `daytona ${sandbox.id}`, connect })
}
