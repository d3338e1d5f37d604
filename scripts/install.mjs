// Installs what the lockfile names, when it is not there yet.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pnpm } from './pnpm.mjs'
import { root } from './run.mjs'

const stampPath = join(root, 'node_modules/.installed')
const folders = workspaceFolders()
const wanted = fingerprint()

if (!isInstalled()) {
  console.log('Installing packages…')
  const code = await pnpm(['install', '--frozen-lockfile', '--loglevel=error'])
  if (code !== 0) process.exit(code)
  writeFileSync(stampPath, wanted)
}

function isInstalled() {
  return (
    folders.every((folder) => existsSync(join(folder, 'node_modules'))) &&
    existsSync(stampPath) &&
    readFileSync(stampPath, 'utf8') === wanted
  )
}

/** The folders that pnpm gives a node_modules: the root, and every workspace that pnpm-workspace.yaml names. */
function workspaceFolders() {
  const settings = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const names = /^packages:\n((?: +- .+\n)+)/m.exec(settings)?.[1]?.match(/[^\s-]\S*/g) ?? []
  const folders = names.flatMap((name) =>
    name.endsWith('/*') ? foldersIn(join(root, name.slice(0, -2))) : [join(root, name)],
  )
  return [root, ...folders].filter((folder) => existsSync(join(folder, 'package.json')))
}

/** @param {string} group */
function foldersIn(group) {
  return readdirSync(group).map((name) => join(group, name))
}

/** Changes with whatever pnpm would look at. */
function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  const manifests = folders.map((folder) => join(folder, 'package.json'))
  for (const path of [join(root, 'pnpm-lock.yaml'), join(root, 'pnpm-workspace.yaml'), ...manifests]) {
    hash.update(readFileSync(path))
  }
  return hash.digest('hex')
}
