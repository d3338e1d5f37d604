// Installs what the lockfile names, when it is not there yet. With --for-demo it leaves out what the demo
// does not need: the tests' packages, which are most of all in size, the documentation's, and Claude Code's program.
// With --for-demo --claude that program comes too.
//
// pnpm checks the age of each version in the lockfile. It needs the registry's list of all versions of each package for
// that, also of those that are left out: twice as much as the packages themselves. Whoever works on the project needs that
// check, and it is made there. The demo takes what was checked. The hashes of the lockfile count in any case.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pnpm } from './pnpm.mjs'
import { root } from './run.mjs'

const stampPath = join(root, 'node_modules/.installed')
const forDemo = process.argv.includes('--for-demo')
const withClaude = process.argv.includes('--claude')
/** @type {Record<string, string>} */
const leftOutOfDemo = {
  '@sandagent/test': 'test',
  '@sandagent/react-18': 'test/react-18',
  'next-example': 'apps/next-example',
  '@sandagent/docs': 'apps/docs',
  '@sandagent/start-next': 'examples/start/next',
  '@sandagent/start-next-ai-sdk': 'examples/start/next-ai-sdk',
  ...(!withClaude && { '@sandagent/demo-claude': 'apps/demo-claude' }),
}
const leftOut = forDemo ? leftOutOfDemo : {}
const leftOutFolders = Object.values(leftOut).map((folder) => join(root, folder))
const folders = workspaceFolders()
const wanted = fingerprint()

if (!isInstalled()) {
  console.log('Installing packages…')
  const { onLine, summary } = progress()
  const filters = Object.keys(leftOut).map((name) => `--filter=!${name}`)
  const trust = forDemo ? ['--trust-lockfile'] : []
  const install = ['install', '--frozen-lockfile', '--reporter=ndjson', ...trust, ...filters]
  const code = await pnpm(install, { onLine })
  if (code !== 0) process.exit(code)
  console.log(summary())
  writeFileSync(stampPath, stampOf(Object.keys(leftOut)))
}

/** What is left out now may be there already. */
function isInstalled() {
  if (!existsSync(stampPath)) return false
  const [stamp, ...missing] = readFileSync(stampPath, 'utf8').split(' ')
  const needed = folders.filter((folder) => !leftOutFolders.includes(folder))
  return (
    stamp === wanted &&
    missing.every((name) => name in leftOut) &&
    needed.every((folder) => existsSync(join(folder, 'node_modules')))
  )
}

/** @param {string[]} missing */
function stampOf(missing) {
  return [wanted, ...missing].join(' ')
}

/** Reads pnpm's lines: shows how much came so far, and why the installation failed. */
function progress() {
  let [packages, bytes] = [0, 0]
  const summary = () =>
    `Installed ${packages} packages, downloaded ${Math.round(bytes / 1e6)} MB, besides pnpm itself if npx did not have it`
  /** @param {string} line */
  const onLine = (line) => {
    // npx has lines of its own.
    if (!line.startsWith('{')) return console.error(line)
    const { name, level, status, size, added, message } = JSON.parse(line)
    if (level === 'error') console.error(message)
    if (name === 'pnpm:stats') packages += added ?? 0
    if (name !== 'pnpm:fetching-progress' || status !== 'started') return
    bytes += size ?? 0
    if (process.stdout.isTTY) process.stdout.write(`  downloading… ${Math.round(bytes / 1e6)} MB\r`)
  }
  return { onLine, summary }
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
