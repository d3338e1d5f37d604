// The programs that suites need besides Node, and how they get onto the machine.

import { readFileSync } from 'node:fs'
import { findCommand, run } from './run.mjs'

/**
 * One line per part that a suite uses at present. `package` is Debian's name for it.
 *
 * @type {{ part: string, command: string, package: string, usedBy: string }[]}
 */
export const systemParts = [
  { part: 'Chromium', command: 'chromium', package: 'chromium', usedBy: 'end-to-end tests in test/' },
]

/**
 * Installs missing parts where that is possible: as root on Debian. Says in one line per part what is left out elsewhere.
 *
 * @returns {Promise<boolean>} whether every part is there
 */
export async function ensureSystemParts() {
  if (missingParts().length > 0 && canUseApt()) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    const packages = missingParts().map((part) => part.package)
    const updated = await run('apt-get', ['update', '-qq'], { env })
    if (updated === 0)
      await run('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...packages], { env })
  }
  const missing = missingParts()
  for (const { part, command, package: name, usedBy } of missing) {
    console.error(
      `Skipped: ${usedBy}, for want of ${part} (no "${command}" on PATH). Debian: apt-get install ${name}`,
    )
  }
  return missing.length === 0
}

function missingParts() {
  return systemParts.filter(({ command }) => findCommand(command) === undefined)
}

function canUseApt() {
  return process.getuid?.() === 0 && findCommand('apt-get') !== undefined && isDebian()
}

function isDebian() {
  try {
    return /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return false
    throw error
  }
}
