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

/** The folders that pnpm gives a node_modules: the root and every workspace. */
function workspaceFolders() {
  const groups = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  )
  const all = [root, ...groups, join(root, 'test'), join(root, 'test/react-18'), join(root, 'bench')]
  return all.filter((folder) => existsSync(join(folder, 'package.json')))
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
