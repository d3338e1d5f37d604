import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from './canonical-json.ts'

/** The SHA-256 of a text, in hex. */
export const sha256Hex = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/** The SHA-256 of a value's JSON, in hex: the same for equal contents, whatever the order of their keys. */
export const digestOf = (value: unknown): string => sha256Hex(canonicalJson(value))
