import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'

interface EntryPoint {
  types: string
  default: string
}

const EXPORT_LIST = /export (type )?\{([^}]*)\}/g
const EXPORTED_DECLARATION = /^export (?:declare )?(?:function|const|class|interface|type) (\w+)/gm

/** The names that a module exports: values as they are imported, types as they are declared. */
async function surfaceOf(folder: string, entry: EntryPoint): Promise<string[]> {
  const module = await import(pathToFileURL(join(folder, entry.default)).href)
  const values = Object.keys(module)
  const declarations = readFileSync(join(folder, entry.types), 'utf8')
  const passedOn = /^export \* from '(@sandagent\/[^']+)';$/m.exec(declarations)
  if (passedOn) return [`all of ${passedOn[1]}`]
  expect(declarations).not.toContain('export *')
  const listed = [...declarations.matchAll(EXPORT_LIST)].flatMap(([, , names = '']) => names.split(','))
  const declared = [...declarations.matchAll(EXPORTED_DECLARATION)].map(([, name = '']) => name)
  const names = [...listed.map((name) => name.replace(/^\s*type |.* as /, '').trim()), ...declared]
  const types = names.filter((name) => name !== '' && !values.includes(name))
  return [...values.sort(), ...[...new Set(types)].sort().map((name) => `type ${name}`)]
}

describe('the public names', () => {
  const manifestOf = (name: string) =>
    JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  const imported = readdirSync(join(root, 'packages')).filter((name) => {
    const { exports, private: isPrivate } = manifestOf(name)
    return exports && !isPrivate
  })

  // A change that is meant: npx vitest run test/packages/surface.test.ts --update
  it.each(imported)('of packages/%s are those that were agreed on', async (name) => {
    const manifest = manifestOf(name)
    const lines: string[] = []
    for (const [path, entry] of Object.entries<EntryPoint>(manifest.exports)) {
      // It promises nothing, and is for the packages of this repository.
      if (path === './internal') continue
      // A style sheet and a JSON Schema export no names, and `register` starts something instead.
      const names = /\.(css|json)$|^\.\/register$/.test(path)
        ? []
        : await surfaceOf(join(root, 'packages', name), entry)
      lines.push(path.replace('.', manifest.name), ...names.map((line) => `  ${line}`))
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`surface/${name}.txt`)
  })
})
