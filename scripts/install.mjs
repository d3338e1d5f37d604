// Installs what the lockfile names, when it is not there yet. With --for-demo it leaves out what the demo
// does not need: the tests' packages, which are most of all in size, and the documentation's.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pnpm } from './pnpm.mjs'
import { root } from './run.mjs'

const stampPath = join(root, 'node_modules/.installed')
const forDemo = process.argv.includes('--for-demo')
/** @type {Record<string, string>} */
const leftOutOfDemo = {
  '@sandagent/test': 'test',
  '@sandagent/react-18': 'test/react-18',
  'next-example': 'apps/next-example',
  '@sandagent/docs': 'apps/docs',
  '@sandagent/start-next': 'examples/start/next',
}
const leftOutFolders = Object.values(leftOutOfDemo).map((folder) => join(root, folder))
const folders = workspaceFolders()
const wanted = fingerprint()

if (!isInstalled()) {
  console.log('Installing packages…')
  const filters = forDemo ? Object.keys(leftOutOfDemo).map((name) => `--filter=!${name}`) : []
  const code = await pnpm(['install', '--frozen-lockfile', '--loglevel=error', ...filters])
  if (code !== 0) process.exit(code)
  writeFileSync(stampPath, stampOf(forDemo))
}

function isInstalled() {
  if (!existsSync(stampPath)) return false
  const stamp = readFileSync(stampPath, 'utf8')
  const needed = forDemo ? folders.filter((folder) => !leftOutFolders.includes(folder)) : folders
  const isThere = needed.every((folder) => existsSync(join(folder, 'node_modules')))
  return isThere && (stamp === stampOf(false) || (forDemo && stamp === stampOf(true)))
}

/** @param {boolean} isPart */
function stampOf(isPart) {
  return isPart ? `${wanted} for the demo` : wanted
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
