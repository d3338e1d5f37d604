import { platform } from '../platform.ts'

// Buffer and Uint8Array.fromBase64 are not everywhere.

export const base64urlOf = (bytes: Uint8Array): string =>
  platform
    .btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')

export const bytesInBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(platform.atob(text.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
