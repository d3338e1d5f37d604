import { sha256Hex } from '../lib/digest.ts'

/** `hashed-…` is left out, or an id could be spelled like the hash of another. */
const PLAIN = /^(?!\.|hashed-)[A-Za-z0-9._-]{1,200}$/

/**
 * The file name, without its folder, that carries a tool call's question or answer file: `<toolCallId>.json`, or
 * `hashed-<sha256 hex>.json` for an id that could not be a file name. The only way from an id to a path.
 */
export const fileNameOf = (toolCallId: string): string =>
  PLAIN.test(toolCallId) ? `${toolCallId}.json` : `hashed-${sha256Hex(toolCallId)}.json`
