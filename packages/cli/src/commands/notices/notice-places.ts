import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hostConfigFolder } from '@sandagent/files/internal'

/** The file of settings that is used if it exists. */
export const usualSettings = (): string => join(hostConfigFolder(), 'notices.json')

/** The settings that a person has given, or the usual ones; `null` if there are none. */
export function settingsFile(given: string | undefined): string | null {
  if (given !== undefined) return given
  return existsSync(usualSettings()) ? usualSettings() : null
}

/** Where it is kept what was sent. */
export const noticesFolder = (): string => join(hostConfigFolder(), 'notices')
