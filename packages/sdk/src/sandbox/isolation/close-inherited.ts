import { closeSync, existsSync, readdirSync, readFileSync } from 'node:fs'

const FOLDER = '/proc/self/fdinfo'

/** As the kernel prints it in octal. */
const CLOSE_ON_EXEC = 0o2000000

/**
 * Closes what this process was started with beyond the first `kept` descriptors: an open folder of the host's would
 * lead out of every sandbox. What Node opened itself is closed on exec, and so told from it. Linux only.
 */
export function closeInherited(kept: number): void {
  if (!existsSync(FOLDER)) return
  for (const descriptor of readdirSync(FOLDER).map(Number))
    if (descriptor >= kept && isInherited(descriptor)) closeSync(descriptor)
}

function isInherited(descriptor: number): boolean {
  const path = `${FOLDER}/${descriptor}`
  if (!existsSync(path)) return false // The one by which the folder was read.
  const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(path, 'utf8'))?.[1]
  return (Number.parseInt(flags ?? '', 8) & CLOSE_ON_EXEC) === 0
}
