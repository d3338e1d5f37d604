import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Opens a link in the person's browser, by a file that leads there: everybody on this machine can read the arguments of a
 * process. The link is printed too, for where there is no browser.
 */
export function openInBrowser(link: string): { forget(): void } {
  // Only this user can read the folder.
  const folder = mkdtempSync(join(tmpdir(), 'sandagent-'))
  const file = join(folder, 'inbox.html')
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">`, { mode: 0o600 })
  const [command = '', ...words] = OPENERS[process.platform] ?? ['xdg-open']
  const opener = spawn(command, [...words, file], { stdio: 'ignore', detached: true })
  opener.on('error', () => {})
  opener.unref()
  return { forget: () => rmSync(folder, { recursive: true, force: true }) }
}
