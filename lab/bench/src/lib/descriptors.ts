import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = '/proc/self/fdinfo'

/** How many descriptors this process has open; `null` where the system does not tell. */
export function descriptors(): number | null {
  return process.platform === 'linux' ? readdirSync(FOLDER).length : null
}

/** How many files and folders the system watches for this process; `null` where the system does not tell. */
export function watchCount(): number | null {
  if (process.platform !== 'linux') return null
  const texts = readdirSync(FOLDER).map(readOrNothing)
  return texts.join('').match(/^inotify /gm)?.length ?? 0
}

/** The descriptor that reads the folder is closed by now. */
function readOrNothing(name: string): string {
  try {
    return readFileSync(`${FOLDER}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
