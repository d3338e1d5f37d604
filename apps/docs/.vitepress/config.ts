import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { dist, pagesFolder, siteFolder } from '../src/paths.mjs'
import { sidebar } from '../src/sidebar.mjs'
import { slugOf } from '../src/slug.mjs'

/** The site is read with plain file names, so that every static server can serve it. */
export default defineConfig({
  title: 'SandAgent',
  description: 'An agent in a sandbox asks its user a question, and goes on with the answer.',
  lang: 'en',
  srcDir: pagesFolder,
  outDir: siteFolder,
  cacheDir: join(dist, 'cache'),
  base: (process.env.DOCS_BASE ?? '/') as `/${string}/`,
  lastUpdated: false,
  markdown: {
    anchor: { slugify: slugOf },
    languageAlias: { mjs: 'js', svg: 'xml' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
  },
  // The pages are Markdown and no Vue: braces are text.
  vue: { template: { compilerOptions: { delimiters: ['\u0001', '\u0002'] } } },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        // TypeDoc's tables of parameters and the like are no titles that anybody looks for.
        miniSearch: { searchOptions: { boost: { title: 4, titles: 2 } } },
      },
    },
    outline: { level: [2, 3] },
    sidebar: sidebar(),
    nav: sidebar().flatMap(({ text, link }) => (text && link ? [{ text, link, activeMatch: link }] : [])),
  },
})
