/** The folders of docs/ in the order in which they are read. `first` are pages that come first where no index says so. */
export const SECTIONS = [
  { folder: 'start', text: 'Start here', first: ['install.md', 'express.md', 'next.md', 'terminal.md'] },
  { folder: 'concepts', text: 'Concepts', first: [] },
  { folder: 'guides', text: 'Guides', first: [] },
  { folder: 'reference', text: 'Reference', first: ['http.md', 'files.md', 'errors.md'] },
  { folder: 'decisions', text: 'Decisions', first: [], collapsed: true },
]
