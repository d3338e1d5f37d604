// Checks the arrows of CONTRIBUTING's "What goes where": which package and which room may import which. It also finds circles,
// of type-only imports too.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './run.mjs'

/**
 * By package: the packages that its sources may import, those that its tests may import too, and its rooms from the bottom up.
 * A room imports only rooms in earlier rows. `*` stands for one name: two such rooms do not import each other. All other files
 * directly in `src` are entries, above all rooms.
 *
 * @typedef {{ packages: string[], inTests?: string[], rooms: string[][] }} PackageRooms
 * @typedef {{ name: string, inner: string, rules: PackageRooms }} Place
 * @type {Record<string, PackageRooms>}
 */
const PACKAGES = {
  core: {
    packages: [],
    inTests: ['fixtures', 'testing'],
    rooms: [
      ['lib'],
      ['question'],
      ['answer'],
      ['compat'],
      ['record'],
      ['channel.ts', 'defaults.ts', 'observers.ts'],
      ['permission'],
      ['session', 'dialects', 'store'],
    ],
  },
  files: {
    packages: ['core'],
    inTests: ['fixtures', 'testing'],
    rooms: [['lib'], ['watch'], ['disk'], ['channel']],
  },
  passkeys: {
    packages: ['core', 'files'],
    inTests: ['fixtures', 'testing'],
    rooms: [['change-request.ts', 'passkey-files.ts', 'passkey-site.ts'], ['open-passkeys.ts']],
  },
  runner: {
    packages: ['core', 'files'],
    inTests: ['fixtures', 'testing'],
    rooms: [['ask'], ['run'], ['mcp'], ['agents/*'], ['program']],
  },
  react: {
    packages: ['core'],
    inTests: ['fixtures', 'testing'],
    rooms: [
      ['page'],
      ['transport', 'notify', 'is-selected.ts'],
      ['use-ask-session.ts', 'use-open-questions.ts'],
      ['use-ask-user-question.ts'],
      ['fields.ts'],
      ['form/labels', 'form/markdown'],
      ['form/state'],
      ['form/typed'],
      ['form/parts', 'form/keyboard', 'form/previews'],
      ['form/approval'],
      ['form'],
      ['chat'],
    ],
  },
  sdk: {
    packages: ['core', 'files', 'react'],
    inTests: ['fixtures', 'fleet', 'fleet-host', 'testing'],
    rooms: [
      ['sandbox'],
      ['run-records'],
      ['signing', 'policy'],
      ['answers'],
      ['http'],
      ['runs', 'agentrail', 'audit'],
      ['agents'],
    ],
  },
  remote: {
    packages: ['core', 'files', 'sdk'],
    inTests: ['fixtures', 'testing'],
    rooms: [['protocol'], ['connection'], ['transport'], ['relay', 'sandbox'], ['park']],
  },
  inbox: {
    packages: ['core', 'files', 'sdk'],
    inTests: ['fixtures', 'fleet', 'fleet-host', 'testing'],
    rooms: [],
  },
  cli: {
    packages: [
      'core',
      'files',
      'fleet',
      'grants',
      'inbox',
      'notices',
      'passkeys',
      'remote',
      'runner',
      'sdk',
      'telemetry',
    ],
    inTests: ['fixtures', 'testing'],
    rooms: [
      ['signals.ts', 'version.ts', 'writer.ts'],
      ['io.ts', 'json-line.ts', 'warn.ts'],
      ['arguments', 'lasting.ts', 'styled.ts'],
      ['terminal', 'serve', 'log.ts'],
      ['commands'],
      ['cli.ts'],
    ],
  },
  fleet: {
    packages: ['core'],
    inTests: ['fixtures', 'testing'],
    rooms: [
      ['fleet-store.ts', 'latest-changes.ts', 'memory-logs.ts'],
      ['memory-fleet.ts', 'http'],
    ],
  },
  'fleet-host': {
    packages: ['core', 'fleet', 'sdk'],
    inTests: ['files', 'fixtures', 'testing'],
    rooms: [
      ['delivery.ts'],
      ['copy-log.ts', 'run-registrar.ts', 'runner-token.ts'],
      ['enter-fleet.ts', 'fleet-runs.ts', 'fleet-sandbox.ts', 'mirror-questions.ts', 'runner-handler.ts'],
    ],
  },
  postgres: {
    packages: ['core', 'fleet'],
    inTests: ['fixtures', 'testing'],
    rooms: [['lib'], ['database'], ['changes'], ['questions.ts', 'runs.ts', 'sweep.ts']],
  },
  nats: {
    packages: ['core', 'fleet'],
    inTests: ['fixtures', 'testing'],
    rooms: [
      ['lib'],
      ['service'],
      ['view', 'logs', 'files'],
      ['access'],
      ['question-store.ts', 'runs.ts', 'sweep.ts'],
    ],
  },
  notices: {
    packages: ['core', 'files', 'inbox', 'sdk'],
    inTests: ['fixtures', 'testing'],
    rooms: [
      ['notice.ts'],
      ['lib', 'rules', 'sent'],
      ['webhook', 'slack', 'chat', 'mail', 'desktop', 'web-push'],
      ['start'],
      ['settings'],
    ],
  },
  grants: {
    packages: ['core', 'files', 'inbox', 'sdk'],
    inTests: ['fixtures', 'runner', 'testing'],
    rooms: [
      ['reach'],
      ['grant.ts'],
      ['grant-files.ts', 'scopes.ts'],
      ['list-grants.ts', 'sweep-grants.ts', 'follow-approvals.ts'],
    ],
  },
  telemetry: {
    packages: ['core'],
    inTests: ['files', 'runner', 'sdk', 'fixtures'],
    rooms: [['names.ts', 'times.ts'], ['spans', 'metrics', 'log'], ['register-telemetry.ts']],
  },
  'user-choice': {
    packages: ['core', 'runner'],
    inTests: ['files', 'fixtures', 'testing'],
    rooms: [['lib'], ['machine'], ['runtime', 'tool']],
  },
  'ag-ui': {
    packages: ['core', 'sdk'],
    rooms: [
      ['interrupt-id.ts', 'to-events.ts'],
      ['inner-requests.ts'],
      ['resume.ts', 'run-stream.ts'],
      ['handler.ts'],
    ],
  },
  'ai-sdk': {
    packages: ['core', 'files', 'runner', 'sdk'],
    inTests: ['fixtures'],
    rooms: [
      ['cut-reply.ts', 'folder-messages.ts', 'plan.ts'],
      ['reply.ts'],
      ['chat.ts'],
      ['asking-stream.ts'],
    ],
  },
  testing: {
    packages: ['core', 'files', 'fleet', 'sdk'],
    inTests: ['fixtures'],
    rooms: [
      ['contract-case.ts', 'expect.ts', 'fake-clock.ts', 'said-answers.ts'],
      ['store', 'people', 'playwright', 'tool-parts.ts', 'memory-channel.ts'],
      ['sandbox'],
      ['store-contract.ts', 'sandbox-contract.ts'],
    ],
  },
  fixtures: {
    packages: ['core', 'files', 'testing'],
    rooms: [
      ['listen.ts', 'questions.ts', 'temp-dir.ts'],
      ['servers', 'records'],
    ],
  },
}

const IMPORT =
  /^\s*(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm

/**
 * @param {ReadonlyMap<string, string>} files source texts by path from the root
 * @returns {string[]} a line for each forbidden import and each circle
 */
export function roomFaults(files) {
  const faults = []
  /** @type {Map<string, string[]>} */
  const imports = new Map()
  for (const [path, text] of files) {
    const found = [...text.matchAll(IMPORT)].map(([, from, alone, lazy]) => String(from ?? alone ?? lazy))
    const targets = found
      .filter((name) => name.startsWith('.'))
      .map((name) => normalize(join(dirname(path), name)))
    imports.set(path, targets)
    for (const target of targets) faults.push(...faultsOfArrow(path, target))
    for (const name of found) faults.push(...faultsOfPackage(path, name))
  }
  return [...faults, ...circles(imports)]
}

/**
 * @param {string} path
 * @returns {Place | null} the package that a file belongs to, and its path in there
 */
function placeOf(path) {
  const [, name = '', inner = ''] = /^packages\/([^/]+)\/(.+)$/.exec(path) ?? []
  const rules = PACKAGES[name]
  return rules ? { name, inner, rules } : null
}

/**
 * @param {string} path
 * @param {string} imported
 */
function faultsOfPackage(path, imported) {
  const place = placeOf(path)
  const target = imported === 'sandagent' ? 'cli' : /^@sandagent\/([^/]+)/.exec(imported)?.[1]
  if (!place || target === undefined || target === place.name) return []
  const { packages, inTests = [] } = place.rules
  const allowed = place.inner.startsWith('src/') ? packages : [...packages, ...inTests]
  return allowed.includes(target) ? [] : [`${path}: ${place.name} does not import ${target}`]
}

/**
 * @param {string} path
 * @param {string} target
 */
function faultsOfArrow(path, target) {
  const to = placeOf(target)
  const from = placeOf(path)
  // The generated inputs go to parsers that no package exports.
  if (path.startsWith('lab/fuzz/') && to?.inner.startsWith('dist/')) return []
  if (to && from?.name !== to.name && /^(src|dist|test)\//.test(to.inner))
    return [`${path}: import ${to.name} by its name, not ${target}`]
  if (!from || !to || !from.inner.startsWith('src/') || !to.inner.startsWith('src/')) return []
  const [here, there] = [roomOf(from), roomOf(to)]
  if (here.name === there.name || there.level < here.level) return []
  return [`${path}: the room ${here.name} is not above ${there.name} (${target})`]
}

/** @param {Place} place */
function roomOf({ name, inner, rules: { rooms } }) {
  const parts = inner.split('/').slice(1)
  for (const [level, row] of rooms.entries())
    for (const room of row) {
      const words = room.split('/')
      if (words.every((word, index) => word === parts[index] || (word === '*' && parts.length > index + 1)))
        return { level, name: parts.slice(0, words.length).join('/') }
    }
  if (parts.length > 1) throw new Error(`check-rooms: the table names no room for packages/${name}/${inner}`)
  return { level: rooms.length, name: 'entries' }
}

/** @param {Map<string, string[]>} imports */
function circles(imports) {
  /** @type {string[]} */
  const found = []
  const done = new Set()
  /** @type {(path: string, trail: string[]) => void} */
  const visit = (path, trail) => {
    const start = trail.indexOf(path)
    if (start >= 0) found.push(`circle: ${[...trail.slice(start), path].join(' -> ')}`)
    if (start >= 0 || done.has(path)) return
    for (const next of imports.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  return found
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'], {
    cwd: root,
  })
  const files = new Map()
  for (const path of new Set(String(listed).trim().split('\n'))) {
    try {
      files.set(path, readFileSync(join(root, path), 'utf8'))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error // Deleted, and not yet committed.
    }
  }
  const faults = roomFaults(files)
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
