// Installs what the lockfile names, when it is not there yet. pnpm comes through npx, so Node and npm are enough.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, runOrExit } from './run.mjs'

const stampPath = join(root, 'node_modules/.installed')

export async function install() {
  const workspaces = workspaceFolders()
  const wanted = fingerprint(workspaces)
  const complete = workspaces.every((folder) => existsSync(join(folder, 'node_modules')))
  if (complete && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === wanted) return

  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  await runOrExit('npx', ['--yes', packageManager, 'install', '--frozen-lockfile'])
  writeFileSync(stampPath, wanted)
}

/** The folders that pnpm gives a node_modules: every workspace, and the root. */
function workspaceFolders() {
  const groups = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  )
  const folders = [root, ...groups, join(root, 'test'), join(root, 'test/react-18'), join(root, 'bench')]
  return folders.filter((folder) => existsSync(join(folder, 'package.json')))
}

/** @param {string[]} workspaces */
function fingerprint(workspaces) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  const manifests = workspaces.map((folder) => join(folder, 'package.json'))
  for (const path of [join(root, 'pnpm-lock.yaml'), join(root, 'pnpm-workspace.yaml'), ...manifests]) {
    hash.update(readFileSync(path))
  }
  return hash.digest('hex')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await install()
