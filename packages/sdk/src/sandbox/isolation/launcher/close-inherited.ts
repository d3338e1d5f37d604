import { closeSync, existsSync, readdirSync, readFileSync } from 'node:fs'

const FOLDER = '/proc/self/fdinfo'

/** In octal, as the kernel prints it. */
const CLOSE_ON_EXEC = 0o2000000

/**
 * Closes inherited descriptors beyond the first `kept`: an open folder of the host would lead out of the sandbox. Node's own
 * descriptors stay, they are closed on exec. Linux only.
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
