// A sandbox of Vercel. Its programs have no standard input, so requests go there in files. That is slower.
import { connectByCalls, fileTransport, RemoteSandbox } from '@sandagent/remote'

/**
 * @param {import('@vercel/sandbox').Sandbox} service what `Sandbox.create()` or `Sandbox.get()` of `@vercel/sandbox` gave
 * @param {Omit<import('@sandagent/remote').RemoteSandboxOptions, 'name' | 'connect'>} options
 */
export function vercelSandbox(service, options) {
  /** @type {(path: string, content: Buffer) => Promise<void>} */
  const writeFile = (path, content) => service.writeFiles([{ path, content }])
  /** @type {import('@sandagent/remote').Connect} */
  const connect = (argv) =>
    connectByCalls(async ({ print, complain }) => {
      const { argv: fed, send, end } = fileTransport(argv, { node: options.node, writeFile })
      const [cmd, ...args] = fed
      const command = await service.runCommand({ cmd, args, detached: true })
      const logs = command.logs()
      const read = async () => {
        for await (const { stream, data } of logs) await (stream === 'stdout' ? print : complain)(data)
      }
      return {
        send,
        ended: read(),
        async end() {
          logs.close()
          await end()
        },
      }
    })
  return new RemoteSandbox({ ...options, name: `vercel ${service.name}`, connect })
}
