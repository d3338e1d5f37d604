// A sandbox of Daytona. The input of its commands never ends and adds line breaks, so requests go there in files.
import { randomUUID } from 'node:crypto'
import { connectByCalls, fileTransport, RemoteSandbox, shellLine } from '@sandagent/remote'

/**
 * @param {import('./daytona-service.d.ts').DaytonaService} service what `create()` or `get()` of `@daytona/sdk` gave
 * @param {Omit<import('@sandagent/remote').RemoteSandboxOptions, 'name' | 'connect'>} options
 */
export function daytonaSandbox({ id, fs, process }, options) {
  /** @type {(path: string, bytes: Buffer) => Promise<void>} */
  const writeFile = (path, bytes) => fs.uploadFile(bytes, path)
  /** @type {import('@sandagent/remote').Connect} */
  const connect = (argv) =>
    connectByCalls(async ({ print, complain }) => {
      const session = `sandagent-${randomUUID()}`
      const { argv: fed, send, end } = fileTransport(argv, { node: options.node, writeFile })
      await process.createSession(session)
      const remove = () => process.deleteSession(session).catch(() => {}) // The sandbox may be gone.
      // The session's shell reads the command. If the program took its place, nobody would note the end.
      const command = { command: shellLine(fed), runAsync: true }
      const { cmdId = '' } = await process.executeSessionCommand(session, command).catch(async (error) => {
        await remove()
        throw error
      })
      // The callback cannot hold the log back.
      const onStdout = (/** @type {string} */ text) => void print(text)
      const ended = process.getSessionCommandLogs(session, cmdId, onStdout, complain)
      // A log that was cut says nothing about the relay. The end of a session ends all that the relay has started.
      ended.then(remove, () => {})
      return { send, ended, end }
    })
  return new RemoteSandbox({ ...options, name: `daytona ${id}`, connect })
}
