import { createHash } from 'node:crypto'
import { printableLine } from '@sandagent/core/internal'
import { BOOTSTRAP } from './bootstrap.ts'
import { uploadFile } from './upload-file.ts'

/** The relay as one file, which is also the runner. */
let known: { bytes: Buffer; hash: string } | undefined

function read(): { bytes: Buffer; hash: string } {
  if (!known) {
    const bytes = uploadFile('sandagent.cjs')
    known = { bytes, hash: createHash('sha256').update(bytes).digest('hex') }
  }
  return known
}

/** The command that starts this package's own relay, which is uploaded if it is not there. */
export function uploadedRelay(node: string): [string, ...string[]] {
  const { bytes, hash } = read()
  return [node, '-e', BOOTSTRAP, hash, String(bytes.length)]
}

/**
 * For one connection: what a line of the bootstrap asks for, which is the relay, once, or `null`.
 *
 * @returns a function that throws an Error when Node is too old there
 */
export function replyToBootstrap(): (line: string) => Uint8Array | null {
  let isSent = false
  return (line) => {
    const said = wordOf(line)
    if (said?.node !== undefined) {
      const version = typeof said.node === 'string' ? printableLine(said.node).slice(0, 50) : '(unknown)'
      throw new Error(`Node.js ${version} is too old in the sandbox: 20 or newer is needed`)
    }
    if (isSent || said?.wants === undefined || said.wants !== known?.hash) return null
    isSent = true
    return known.bytes
  }
}

function wordOf(line: string): { node?: unknown; wants?: unknown } | null {
  if (!line.startsWith('{"sandagent":"start",')) return null
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
