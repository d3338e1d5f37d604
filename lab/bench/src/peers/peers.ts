import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The other systems, by their packages on npm. */
const PEERS = {
  [`@restatedev/restate-server-${process.platform}-${process.arch}`]: '1.7.12',
  '@restatedev/restate-sdk': '1.17.2',
  '@sandagent/runner-cli': '0.9.28-release.5',
  chokidar: '5.0.0',
  'write-file-atomic': '8.0.0',
} as const

const FOLDER = fileURLToPath(new URL('../../.peers', import.meta.url))
const require = createRequire(join(FOLDER, 'package.json'))

/** Installs the other systems in a folder of their own, with no script of theirs. */
export function installPeers(): void {
  mkdirSync(FOLDER, { recursive: true })
  const manifest = { private: true, type: 'module', dependencies: PEERS }
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify(manifest, null, 2))
  // Binaries of other agents are optional. The server's own binary is named above.
  const args = ['install', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund']
  execFileSync('npm', args, { cwd: FOLDER, stdio: 'inherit' })
}

/** The path of an installed package's folder; `null` if it is not installed. */
export function peerFolder(name: string): string | null {
  const folder = join(FOLDER, 'node_modules', name)
  return existsSync(folder) ? folder : null
}

/** An installed package; `null` if it is not installed. */
export async function importPeer<T>(name: string): Promise<T | null> {
  return peerFolder(name) ? await import(pathToFileURL(require.resolve(name)).href) : null
}
