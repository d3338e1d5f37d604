import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The command ships the page and serves it. */
export default defineConfig({
  root: 'src',
  // Its package.json says that the scripts are ES modules. The bundles in the folder above are not.
  publicDir: '../public',
  plugins: [react()],
  build: {
    outDir: '../../../packages/cli/dist/inbox',
    emptyOutDir: true,
    // The inbox, and the form behind an answer link.
    rolldownOptions: { input: ['src/index.html', 'src/answer.html'] },
    license: { fileName: 'THIRD-PARTY-LICENSES.md' },
    modulePreload: { polyfill: false },
  },
})
