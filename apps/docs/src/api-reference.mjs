import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Application, Comment, ReflectionKind } from 'typedoc'
import { dist, pagesFolder, root } from './paths.mjs'

/** @typedef {{ name: string, source: string, description: string }} Entry `name` is what is imported */

/** What programs import, and not only the compiler. */
const VALUES = ReflectionKind.Function | ReflectionKind.Class | ReflectionKind.Variable

/**
 * Writes one page for each public entry of each package, from the comments in the sources.
 *
 * @returns {Promise<void>}
 */
export async function writeApiReference() {
  const entries = sourceEntries()
  const tsconfig = join(dist, 'tsconfig.json')
  writeFileSync(tsconfig, JSON.stringify(compilerSettings(entries)))
  const shown = entries.filter(({ name }) => !name.endsWith('/internal'))
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    tsconfig,
    entryPoints: shown.map(({ source }) => source),
    basePath: join(root, 'packages'),
    displayBasePath: join(root, 'packages'),
    readme: 'none',
    disableSources: true,
    excludePrivate: true,
    excludeInternal: true,
    sort: ['kind', 'alphabetical'],
    kindSortOrder: ['Function', 'Class', 'Variable', 'Interface', 'TypeAlias'],
    groupOrder: ['Functions', 'Classes', 'Variables', 'Interfaces', 'Type Aliases'],
    // What the compiler finds wrong is found by `npm run check`.
    skipErrorChecking: true,
    validation: { notExported: false },
    logLevel: 'Warn',
    out: join(pagesFolder, 'reference/api'),
    ...{
      outputFileStrategy: 'modules',
      entryFileName: 'index.md',
      hidePageHeader: true,
      hideBreadcrumbs: true,
      hideGroupHeadings: false,
      useCodeBlocks: true,
      useHTMLAnchors: true,
      classPropertiesFormat: 'table',
      expandObjects: true,
      parametersFormat: 'table',
      interfacePropertiesFormat: 'table',
      typeDeclarationFormat: 'table',
      tableColumnSettings: {
        hideSources: true,
        hideModifiers: true,
        hideInherited: true,
        hideOverrides: true,
      },
      pageTitleTemplates: {
        index: 'The API',
        module: (/** @type {{ name: string }} */ { name }) => packageOf(name),
      },
      sanitizeComments: true,
    },
  })
  const project = await app.convert()
  if (!project) throw new Error('TypeDoc could not read the sources')
  nameParameters(project)
  for (const module of project.children ?? []) {
    const entry = shown.find(({ source }) => moduleName(source) === module.name)
    if (!entry) continue
    module.name = entry.name.replace('@sandagent/', '')
    module.comment = introductionOf(entry, module)
  }
  await app.generateOutputs(project)
}

/**
 * Names the parameters that the sources take apart, by their types: `StopOptions` is `options`.
 *
 * @param {import('typedoc').ProjectReflection} project
 */
function nameParameters(project) {
  for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
    if (parameter.name !== '__namedParameters') continue
    const { type } = /** @type {import('typedoc').ParameterReflection} */ (parameter)
    if (type?.type !== 'reference') parameter.name = 'options'
    // `Pick` and its like say nothing.
    else if (type.package === 'typescript') parameter.name = 'input'
    else parameter.name = /[A-Z][a-z]+$/.exec(type.name)?.[0].toLowerCase() ?? 'options'
  }
}

/**
 * What stands first on the page of an entry: what its package is for, and what can be imported.
 *
 * @param {Entry} entry
 * @param {import('typedoc').DeclarationReflection} module
 */
function introductionOf({ name, description }, module) {
  const isMain = name.split('/').length === 2
  /** @type {import('typedoc').CommentDisplayPart[]} */
  const parts = isMain ? [{ kind: 'text', text: `${description}.\n\n` }] : []
  for (const child of module.children ?? []) {
    if ((child.kind & VALUES) === 0) continue
    parts.push({ kind: 'text', text: parts.length > (isMain ? 1 : 0) ? ', ' : 'Functions and values: ' })
    parts.push({ kind: 'inline-tag', tag: '@link', text: child.name, target: child })
  }
  return new Comment(parts)
}

/**
 * The name that TypeDoc gives to a module.
 *
 * @param {string} source
 */
function moduleName(source) {
  return relative(join(root, 'packages'), source)
    .replaceAll('\\', '/')
    .replace(/(\/index)?\.ts$/, '')
}

/** @param {string} name */
function packageOf(name) {
  return `@sandagent/${name}`
}

/** @returns {Entry[]} the entries of all packages, as `exports` of their package.json has them */
function sourceEntries() {
  return readdirSync(join(root, 'packages')).flatMap((folder) => {
    const { name, description, exports = {}, private: isPrivate } = readManifest(folder)
    if (isPrivate) return []
    return Object.entries(exports).flatMap(([path, target]) => {
      if (!target.types?.endsWith('.d.ts') || path.endsWith('.css')) return []
      const source = join(
        root,
        'packages',
        folder,
        target.types.replace('./dist/', 'src/').replace('.d.ts', '.ts'),
      )
      return [{ name: name + path.slice(1), source, description }]
    })
  })
}

/**
 * @param {string} folder
 * @returns {{ name: string, description: string, private?: boolean, exports?: Record<string, { types?: string }> }}
 */
function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
}

/**
 * Each package is read from its sources, so that a type of another package links to its page.
 *
 * @param {Entry[]} entries
 */
function compilerSettings(entries) {
  return {
    extends: join(root, 'tsconfig.test.base.json'),
    compilerOptions: {
      lib: ['es2023', 'dom', 'dom.iterable'],
      jsx: 'react-jsx',
      incremental: false,
      paths: Object.fromEntries(entries.map(({ name, source }) => [name, [source]])),
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: entries.map(({ source }) => source),
  }
}
