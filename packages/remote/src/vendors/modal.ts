import { Readable, Writable } from 'node:stream'
import type { ReadableStream, WritableStream } from 'node:stream/web'
import type { Sandbox } from 'modal'
import type { Connection } from '../connection/connection.ts'
import { RemoteSandbox } from '../sandbox/remote-sandbox.ts'
import { messageOf } from '../transport/called-program.ts'
import type { VendorSandboxOptions } from './vendor-options.ts'

/**
 * A sandbox of Modal.
 *
 * @param sandbox what `sandboxes.create()` or `sandboxes.fromId()` of the package `modal` gave
 * @throws AskError `INVALID_REQUEST` for options that cannot be used
 */
export function modalSandbox(sandbox: Sandbox, options: VendorSandboxOptions): RemoteSandbox {
  const connect = async (argv: readonly string[]): Promise<Connection> => {
    const program = await sandbox.exec([...argv], { mode: 'binary', stderr: 'ignore' })
    const stdin = Writable.fromWeb(program.stdin as WritableStream)
    const stdout = Readable.fromWeb(program.stdout as ReadableStream)
    return {
      stdin,
      stdout,
      closed: program.wait().then((code) => `The relay ended with ${code}`, messageOf),
      end() {
        for (const stream of [stdin, stdout]) stream.destroy()
        // At the end of its input, the relay ends by itself.
        void program.closeStdin().catch(() => {})
      },
    }
  }
  return new RemoteSandbox({ ...options, name: `modal ${sandbox.sandboxId}`, connect })
}
