import { readFileSync } from 'node:fs'

/** The text of a file; `null` when another process has removed it. */
export function textIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
