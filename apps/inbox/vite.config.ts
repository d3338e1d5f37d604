import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The command ships the page and serves it. */
export default defineConfig({
  root: 'src',
  plugins: [react()],
  build: {
    outDir: '../../../packages/cli/dist/inbox',
    emptyOutDir: true,
    license: { fileName: 'THIRD-PARTY-LICENSES.md' },
    modulePreload: { polyfill: false },
  },
})
