import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { pagesFolder, root } from './paths.mjs'

/** Folders that hold what was installed or built. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.next'])

/** Pages that show the files of the repository which other pages link to. */
export function createSourcePages() {
  /** @type {Set<string>} */
  const added = new Set()

  /**
   * @param {string} path below the repository
   * @returns {string} the path of its page
   */
  function add(path) {
    // VitePress reads brackets in a path as a parameter, and endings as formats.
    const name = path
      .replaceAll('\\', '/')
      .replace(/\/$/, '')
      .replace(/[[\].]/g, '-')
    const page = `source/${name}.md`
    if (added.has(page)) return page
    added.add(page)
    const isFolder = statSync(join(root, path)).isDirectory()
    const content = isFolder ? listOf(path) : codeOf(path)
    const target = join(pagesFolder, page)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, `---\nsearch: false\n---\n\n# ${path}\n\n${content}\n`)
    return page
  }

  /** @param {string} folder */
  function listOf(folder) {
    const entries = readdirSync(join(root, folder)).filter(
      (name) => !name.startsWith('.') && !LEFT_OUT.has(name),
    )
    const pages = entries.map((name) => add(join(folder, name)).split('/').slice(-2).join('/'))
    return entries.map((name, index) => `- [${name}](${pages[index]})`).join('\n')
  }

  return { add }
}

/** @param {string} path */
function codeOf(path) {
  const code = readFileSync(join(root, path), 'utf8')
  const fence = '`'.repeat(Math.max(3, ...Array.from(code.matchAll(/`+/g), ([ticks]) => ticks.length + 1)))
  return `${fence}${extname(path).slice(1)}\n${code.replace(/\n$/, '')}\n${fence}`
}
