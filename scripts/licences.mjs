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
  if (texts.length === 0 && MIT_HOLDERS[name] && license === 'MIT') texts.push(mitLicence(MIT_HOLDERS[name]))
  if (texts.length === 0 || !license) throw new Error(`${name} has no licence that could be shipped`)
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}

/**
 * Who holds the rights to packages under the MIT licence that ship no file with it, as their sources say.
 *
 * @type {Record<string, string>}
 */
const MIT_HOLDERS = {
  http_ece: 'Martin Thomson',
  standardwebhooks: '2023 Svix (https://www.svix.com)',
  'yoga-layout': 'Meta Platforms, Inc. and affiliates.',
}

/** @param {string} holder */
const mitLicence = (holder) => `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
