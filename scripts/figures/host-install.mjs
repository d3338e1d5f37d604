import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pnpm } from '../pnpm.mjs'
import { withDependencies } from './workspace.mjs'

/** 512 bytes: what `stat` counts in, on every system. */
const BLOCK_BYTES = 512

/**
 * Installs the packed packages as a host does that only answers: the sdk with all that it brings, and React.
 *
 * @returns {Promise<{ packages: number, megabytes: number, warnings: string[] }>} what npm then has on the disk and said
 */
export async function hostInstall() {
  const folder = mkdtempSync(join(tmpdir(), 'sandagent-host-'))
  try {
    const archives = join(folder, 'archives')
    mkdirSync(archives)
    const names = [...withDependencies('sdk')]
    const filters = names.map((name) => `--filter=./packages/${name}`)
    const code = await pnpm([...filters, 'pack', '--pack-destination', archives], { quiet: true })
    if (code !== 0) throw new Error(`pnpm pack ended with exit code ${code}`)
    const host = join(folder, 'host')
    mkdirSync(host)
    writeFileSync(join(host, 'package.json'), '{ "private": true, "type": "module" }')
    const packed = readdirSync(archives).map((name) => join(archives, name))
    const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...packed, 'react'], {
      cwd: host,
      encoding: 'utf8',
    })
    if (npm.status !== 0) throw new Error(`npm install failed:\n${npm.stderr}`)
    const modules = join(host, 'node_modules')
    const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
    return {
      packages: Object.keys(lock.packages).length,
      megabytes: Math.ceil(bytesIn(modules) / 2 ** 20),
      warnings: npm.stderr.split('\n').filter((line) => line.startsWith('npm warn')),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * @param {string} path
 * @returns {number} what the folder takes on the disk, as `du` counts
 */
function bytesIn(path) {
  const inner = readdirSync(path, { withFileTypes: true }).map((entry) => {
    const place = join(path, entry.name)
    return entry.isDirectory() ? bytesIn(place) : statSync(place).blocks * BLOCK_BYTES
  })
  return inner.reduce((sum, bytes) => sum + bytes, statSync(path).blocks * BLOCK_BYTES)
}
