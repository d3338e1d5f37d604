import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vite'

const OUT = join(import.meta.dirname, '../../packages/cli/dist/inbox')

/** What the page loads, and what it shows without a server. */
const shell = [...readdirSync(join(OUT, 'assets')).map((name) => `/assets/${name}`), '/offline']

/** The names of assets change with their content. */
const version = createHash('sha256')
  .update(JSON.stringify(shell))
  .update(readFileSync(join(OUT, 'offline.html')))
  .digest('hex')
  .slice(0, 16)

/** The service worker of the page: one file at the root, built after the page. */
export default defineConfig({
  root: 'src',
  publicDir: false,
  define: { SHELL: JSON.stringify(shell), VERSION: JSON.stringify(version) },
  build: {
    outDir: OUT,
    emptyOutDir: false,
    rolldownOptions: {
      input: 'src/worker/worker.ts',
      output: { format: 'iife', entryFileNames: 'worker.js' },
    },
  },
})
