interface Theme {
  /** The class of the page. */
  page: 'light' | 'dark' | ''
  /** Loads its style sheets. */
  load(): Promise<unknown>
}

const own = (): Promise<unknown> => import('./themes/own.css')

const shadcn = async (): Promise<void> => {
  await own()
  await import('./themes/shadcn-tokens.css')
  await import('./themes/shadcn.css')
}

/** The looks that the gallery shows. Forced colours and more contrast are settings of the browser. */
export const THEMES: Record<string, Theme> = {
  'The demo’s': { page: '', load: async () => {} },
  Light: { page: 'light', load: own },
  Dark: { page: 'dark', load: own },
  shadcn: { page: 'light', load: shadcn },
  'shadcn, dark': { page: 'dark', load: shadcn },
}
