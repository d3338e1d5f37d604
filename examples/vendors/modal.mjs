// A sandbox of Modal: the relay is a program, whose streams are there.
import { Readable, Writable } from 'node:stream'
import { RemoteSandbox } from '@sandagent/remote'

/**
 * @param {import('modal').Sandbox} service what `sandboxes.create()` or `sandboxes.fromId()` of `modal` gave
 * @param {Omit<import('@sandagent/remote').RemoteSandboxOptions, 'name' | 'connect'>} options
 */
export function modalSandbox(service, options) {
  /** @type {import('@sandagent/remote').Connect} */
  const connect = async (argv) => {
    const program = await service.exec([...argv], { mode: 'binary', stderr: 'ignore' })
    const stdin = Writable.fromWeb(/** @type {import('node:stream/web').WritableStream} */ (program.stdin))
    const stdout = Readable.fromWeb(/** @type {import('node:stream/web').ReadableStream} */ (program.stdout))
    return {
      stdin,
      stdout,
      closed: program.wait().then(
        (code) => `The relay ended with ${code}`,
        (error) => String(error?.message ?? error),
      ),
      end() {
        for (const stream of [stdin, stdout]) stream.destroy()
        // At the end of its input, the relay ends by itself.
        void program.closeStdin().catch(() => {})
      },
    }
  }
  return new RemoteSandbox({ ...options, name: `modal ${service.sandboxId}`, connect })
}
