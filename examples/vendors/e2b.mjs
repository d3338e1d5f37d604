// A sandbox of E2B: the relay is a command, reached by its streams.
import { connectByCalls, RemoteSandbox, shellLine } from '@sandagent/remote'

/**
 * @param {import('e2b').Sandbox} service what `Sandbox.create()` or `Sandbox.connect()` of `e2b` gave
 * @param {Omit<import('@sandagent/remote').RemoteSandboxOptions, 'name' | 'connect'>} options
 */
export function e2bSandbox({ commands, sandboxId }, options) {
  /** @type {import('@sandagent/remote').Connect} */
  const connect = (argv) =>
    connectByCalls(async ({ print, complain }) => {
      const command = await commands.run(`exec ${shellLine(argv)}`, {
        background: true,
        stdin: true,
        timeoutMs: 0, // Otherwise E2B ends the command after a minute.
        onStdout: print,
        onStderr: complain,
      })
      return {
        send: (bytes) => command.sendStdin(bytes),
        ended: command.wait(),
        async end() {
          // Old templates cannot close the standard input, which would let the relay end by itself.
          await command.closeStdin().catch(() => command.kill())
          await command.disconnect()
        },
      }
    })
  return new RemoteSandbox({ ...options, name: `e2b ${sandboxId}`, connect })
}
