import type { Sandbox } from '@vercel/sandbox'
import { RemoteSandbox } from '../sandbox/remote-sandbox.ts'
import { connectByCalls } from '../transport/called-program.ts'
import { fileTransport } from '../transport/file-transport.ts'
import type { VendorSandboxOptions } from './vendor-options.ts'

/**
 * A sandbox of Vercel. Its programs have no standard input, so requests go there in files. That is slower.
 *
 * @param sandbox what `Sandbox.create()` or `Sandbox.get()` of `@vercel/sandbox` gave
 * @throws AskError `INVALID_REQUEST` for options that cannot be used
 */
export function vercelSandbox(sandbox: Sandbox, options: VendorSandboxOptions): RemoteSandbox {
  const writeFile = (path: string, content: Buffer) => sandbox.writeFiles([{ path, content }])
  const connect = (argv: readonly string[]) =>
    connectByCalls(async (print) => {
      const { argv: fed, send, end } = fileTransport(argv, { node: options.node, writeFile })
      const [cmd, ...args] = fed
      const command = await sandbox.runCommand({ cmd, args, detached: true })
      const logs = command.logs()
      const read = async (): Promise<void> => {
        for await (const { stream, data } of logs) if (stream === 'stdout') await print(data)
      }
      const ended = read()
      return {
        send,
        ended,
        async end() {
          logs.close()
          await end()
        },
      }
    })
  return new RemoteSandbox({ ...options, name: `vercel ${sandbox.name}`, connect })
}
