import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { dist, pagesFolder, siteFolder } from '../src/paths.mjs'
import { nav, sidebar } from '../src/sidebar.mjs'
import { slugOf } from '../src/slug.mjs'

/** A triangle, as in the demo. In the page itself, so that browsers ask for no file. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#a8452d" d="M8 2l7 12H1z"/></svg>',
)}`

/** The site is read with plain file names, so that every static server can serve it. */
export default defineConfig({
  title: 'SandAgent',
  description: 'An agent in a sandbox asks its user a question, and goes on with the answer.',
  lang: 'en',
  srcDir: pagesFolder,
  outDir: siteFolder,
  cacheDir: join(dist, 'cache'),
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: ICON }]],
  markdown: {
    anchor: { slugify: slugOf },
    languageAlias: { mjs: 'js', svg: 'xml' },
    // The pages are Markdown and no Vue: braces are text.
    config: ({ renderer: { rules } }) => {
      for (const name of ['text', 'code_inline']) {
        const render = rules[name]
        if (render) rules[name] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;')
      }
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
  },
  // The index of the search holds every page.
  vite: { build: { chunkSizeWarningLimit: 3000 } },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        miniSearch: {
          searchOptions: {
            boost: { title: 4, titles: 2 },
            // Who searches for a word wants the page that explains it before the list of its types.
            boostDocument: (id: string) => (id.includes('/reference/api/') ? 0.5 : 1),
          },
        },
      },
    },
    outline: { level: [2, 3] },
    sidebar: sidebar(),
    nav: nav(),
  },
})
