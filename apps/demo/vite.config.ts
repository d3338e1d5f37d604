import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const page = (name: string): string => fileURLToPath(new URL(`src/web/${name}.html`, import.meta.url))

export default defineConfig({
  root: 'src/web',
  plugins: [react()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    rolldownOptions: { input: [page('index'), page('gallery')] },
  },
})
