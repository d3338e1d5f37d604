import { register } from 'node:module'

// The conformance tests of MCP import `globSync` of `fs`, which Node 20 does not have, for a command that nobody uses here.
const fs = `import fs from 'node:fs'
export * from 'node:fs'
export { fs as default }
export const globSync = fs.globSync`

const hook = `export const resolve = (specifier, context, next) =>
  specifier === 'fs' && context.parentURL?.includes('/conformance/')
    ? { url: ${JSON.stringify(urlOf(fs))}, shortCircuit: true }
    : next(specifier, context)`

register(urlOf(hook))

/** @param {string} source */
function urlOf(source) {
  return `data:text/javascript,${encodeURIComponent(source)}`
}
