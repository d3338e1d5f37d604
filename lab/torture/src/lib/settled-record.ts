import { readFileSync, rmSync } from 'node:fs'

/** Removes the record of a settled question. Returns whether it could: its disk may be read-only just now. */
export function removeSettled(path: string): boolean {
  try {
    const { state } = JSON.parse(readFileSync(path, 'utf8'))
    if (state === 'open' || state === 'closing') return false
    rmSync(path)
    return true
  } catch {
    return false
  }
}
