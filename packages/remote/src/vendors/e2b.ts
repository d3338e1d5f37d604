import type { Sandbox } from 'e2b'
import { RemoteSandbox } from '../sandbox/remote-sandbox.ts'
import { connectByCalls, messageOf } from '../transport/called-program.ts'
import { createComplaint } from '../transport/complaint.ts'
import { shellLine } from '../transport/shell-words.ts'
import type { VendorSandboxOptions } from './vendor-options.ts'

/**
 * A sandbox of E2B.
 *
 * @param sandbox what `Sandbox.create()` or `Sandbox.connect()` of `e2b` gave
 * @throws AskError `INVALID_REQUEST` for options that cannot be used
 */
export function e2bSandbox({ commands, sandboxId }: Sandbox, options: VendorSandboxOptions): RemoteSandbox {
  const connect = (argv: readonly string[]) =>
    connectByCalls(async (print) => {
      // Without this time-out, E2B ends a command after a minute.
      const { add, addedTo } = createComplaint()
      const options = {
        background: true,
        stdin: true,
        timeoutMs: 0,
        onStdout: print,
        onStderr: add,
      } as const
      const command = await commands.run(shellLine(argv), options)
      return {
        send: (bytes) => command.sendStdin(bytes),
        ended: command.wait().catch((error: unknown) => {
          throw new Error(addedTo(messageOf(error)))
        }),
        async end() {
          // Old templates cannot close the standard input, which would let the relay end by itself.
          await command.closeStdin().catch(() => command.kill())
          await command.disconnect()
        },
      }
    })
  return new RemoteSandbox({ ...options, name: `e2b ${sandboxId}`, connect })
}
