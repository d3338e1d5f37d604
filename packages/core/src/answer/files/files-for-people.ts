// What people read about files: on the page, in the terminal, and in messages.

/** The media types of files whose bytes do not say it, by their endings. The first ending of a type is what people call it. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html',
  json: 'application/json',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  log: 'text/plain',
  wav: 'audio/wav',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
}

/** What a file is by the ending of its name; an empty text if nobody knows. */
export function typeByName(name: string): string {
  const ending = /\.(\w+)$/.exec(name.toLowerCase())?.[1] ?? ''
  return Object.hasOwn(TYPES, ending) ? (TYPES[ending] ?? '') : ''
}

/** A media type as people say it: `PNG`, `TXT`, `images`. */
export function kindText(type: string): string {
  const [kind = '', format = ''] = type.split('/')
  if (format === '*') return kind === 'image' ? 'images' : kind
  const ending = Object.keys(TYPES).find((each) => TYPES[each] === type)
  return (ending ?? format.replace(/^(?:x-|vnd\.)+/, '')).toUpperCase()
}

/**
 * A size in kB or MB. A byte has a short sign in few languages, so small files are parts of a kB: `0.07 kB`.
 *
 * @param locale default: that of the browser, or of the terminal
 */
export function sizeText(bytes: number, locale?: string): string {
  const isLarge = bytes >= 999_950
  return (bytes / (isLarge ? 1_000_000 : 1000)).toLocaleString(locale, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    unitDisplay: 'short',
    ...(bytes < 1000 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1 }),
  })
}

/** When the agent has what a person gives. */
export const FILE_TEXT = 'The agent can read a file as soon as it is added'

/** What a question takes: `Up to 3 files · PNG, TXT · 2 MB each at most`. */
export const limitsText = (max: number, size: string, types: readonly string[]): string =>
  [
    max === 1 ? 'One file' : `Up to ${max} files`,
    types.map(kindText).join(', '),
    `${size}${max === 1 ? '' : ' each'} at most`,
  ]
    .filter(Boolean)
    .join(' · ')
