import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hostConfigFolder } from '@sandagent/files/internal'

/** The file of settings that is used if it exists. */
export const usualSettings = (): string => join(hostConfigFolder(), 'notices.json')

/** The settings that a person has given, or the usual ones; `null` if there are none. */
export function settingsFile(given: string | undefined): string | null {
  if (given !== undefined) return given
  return existsSync(usualSettings()) ? usualSettings() : null
}

/** Where it is kept what was sent as the settings say. */
export const noticesFolder = (): string => join(hostConfigFolder(), 'notices')

/** Where it is kept what was sent to browsers: a folder for each address of the inbox. */
const pushesFolder = (): string => join(hostConfigFolder(), 'web-push', 'sent')

/** All folders in which it is kept what was sent. */
export function noticesFolders(): string[] {
  const pushes = pushesFolder()
  const names = existsSync(pushes) ? readdirSync(pushes) : []
  return [noticesFolder(), ...names.map((name) => join(pushes, name))]
}
