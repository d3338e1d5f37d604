import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The licences of the packages that modules come from: what is bundled is copied, and their licences ask to go with it.
 *
 * @param {readonly string[]} modules paths
 * @returns {string}
 */
export function licencesOf(modules) {
  const folders = new Set(
    modules.filter((path) => path.includes('/node_modules/')).map((path) => packageFolder(path)),
  )
  return [...folders]
    .map(licenceIn)
    .sort()
    .join(`\n\n${'-'.repeat(80)}\n\n`)
}

/**
 * @param {string} path
 * @returns {string} the folder of the package that a module belongs to
 */
function packageFolder(path) {
  const folder = dirname(path)
  const manifest = join(folder, 'package.json')
  // Some packages have further files of that name, without a name in them.
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name
    ? folder
    : packageFolder(folder)
}

/** @param {string} folder */
function licenceIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (texts.length === 0 || !license) throw new Error(`${name} has no licence that could be shipped`)
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}
