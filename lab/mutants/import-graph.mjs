// Which tests reach a source through imports, and over how many files.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** @typedef {{ from: string, names: readonly string[] | null }} Import `names` is null where everything is imported */
/** @typedef {{ imports: Import[], passedOn: Map<string, { from: string, name: string }>, passedOnWhole: string[] }} Module */

/**
 * @param {string} root
 * @param {readonly string[]} folders relative to the root
 * @returns {string[]} relative paths of their modules
 */
export function modulesIn(root, folders) {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders]
  return execFileSync('git', list, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !path.endsWith('.d.ts') && existsSync(join(root, path)))
}

/**
 * @param {string} root
 * @param {readonly string[]} paths of all modules
 * @returns {(path: string) => Map<string, number>} the modules that reach one, with their distance, nearest first
 */
export function importGraph(root, paths) {
  const known = new Set(paths)
  const find = finder(root, known)
  const modules = new Map(paths.map((path) => [path, moduleOf(root, path, find)]))
  /** @type {Map<string, Set<string>>} */
  const importers = new Map()
  for (const [path, { imports }] of modules)
    for (const { from, names } of imports)
      for (const target of names === null
        ? everythingOf(modules, from)
        : names.map((name) => origin(modules, from, name)))
        importers.set(target, (importers.get(target) ?? new Set()).add(path))
  return (path) => {
    const distances = new Map([[path, 0]])
    for (const [near, distance] of distances)
      for (const importer of importers.get(near) ?? [])
        if (!distances.has(importer)) distances.set(importer, distance + 1)
    return distances
  }
}

/**
 * @param {ReadonlyMap<string, Module>} modules
 * @param {string} path
 * @returns {string[]}
 */
function everythingOf(modules, path) {
  const { passedOn, passedOnWhole } = modules.get(path) ?? {}
  const named = [...(passedOn?.keys() ?? [])].map((name) => origin(modules, path, name))
  return [path, ...named, ...(passedOnWhole ?? []).flatMap((from) => everythingOf(modules, from))]
}

/**
 * The module that makes what another passes on: an index reaches everything, but its importers do not.
 *
 * @param {ReadonlyMap<string, Module>} modules
 * @param {string} path
 * @param {string} name
 * @returns {string}
 */
function origin(modules, path, name) {
  const { passedOn, passedOnWhole } = modules.get(path) ?? {}
  const passed = passedOn?.get(name)
  if (passed) return origin(modules, passed.from, passed.name)
  const further = passedOnWhole?.map((from) => origin(modules, from, name)) ?? []
  return further.find((found) => !passedOnWhole?.includes(found)) ?? path
}

/**
 * @param {string} root
 * @param {string} path
 * @param {(from: string, request: string) => string | null} find
 * @returns {Module}
 */
function moduleOf(root, path, find) {
  const { module } = parseSync(path, readFileSync(join(root, path), 'utf8'))
  /** @type {Module} */
  const found = { imports: [], passedOn: new Map(), passedOnWhole: [] }
  for (const { moduleRequest, entries } of module.staticImports) {
    const from = find(path, moduleRequest.value)
    const names = entries.filter(({ isType }) => !isType).map(({ importName }) => importName.name ?? null)
    const isType = entries.length > 0 && names.length === 0
    if (from && !isType) found.imports.push({ from, names: allOrSome(names) })
  }
  for (const { entries } of module.staticExports)
    for (const { moduleRequest, importName, exportName, isType } of entries) {
      const from = moduleRequest && find(path, moduleRequest.value)
      if (!from || isType) continue
      if (importName.name && exportName.name)
        found.passedOn.set(exportName.name, { from, name: importName.name })
      else found.passedOnWhole.push(from)
    }
  const source = readFileSync(join(root, path), 'utf8')
  for (const { moduleRequest } of module.dynamicImports) {
    const from = find(path, source.slice(moduleRequest.start + 1, moduleRequest.end - 1))
    if (from) found.imports.push({ from, names: null })
  }
  return found
}

/** @param {readonly (string | null)[]} names */
function allOrSome(names) {
  const some = names.filter((name) => name !== null)
  return some.length === 0 || some.length < names.length ? null : some
}

/**
 * Packages of this repository are found by their sources.
 *
 * @param {string} root
 * @param {ReadonlySet<string>} known
 * @returns {(from: string, request: string) => string | null}
 */
function finder(root, known) {
  /** @type {Map<string, Record<string, { default: string }>>} */
  const doors = new Map()
  return (from, request) => {
    if (request.startsWith('.')) {
      const path = relative(root, resolve(root, dirname(from), request))
      return known.has(path) ? path : null
    }
    const [, name, entry] = /^@sandagent\/([^/]+)(?:\/(.+))?$/.exec(request) ?? []
    const manifest = join(root, 'packages', name ?? '', 'package.json')
    if (name === undefined || !existsSync(manifest)) return null
    if (!doors.has(name)) doors.set(name, JSON.parse(readFileSync(manifest, 'utf8')).exports)
    const door = doors.get(name)?.[entry === undefined ? '.' : `./${entry}`]
    if (!door?.default) return null
    const path = join('packages', name, door.default.replace('dist/', 'src/').replace(/\.js$/, '.ts'))
    return known.has(path) ? path : null
  }
}
