/** The texts of files in an answer, in English. */
export const englishFileLabels = {
  /** The name of the group, and of its list. */
  files: 'Files',
  addFiles: 'Add files',
  takePhoto: 'Take a photo',
  /** What may be given, in words. */
  fileLimits: (max: number, size: string, types: readonly string[]): string =>
    [
      max === 1 ? 'One file' : `Up to ${max} files`,
      types.length > 0 ? types.map(kindOf).join(', ') : '',
      `${size}${max === 1 ? '' : ' each'} at most`,
    ]
      .filter(Boolean)
      .join(' · '),
  pasteOrDrop: 'You can also paste them, or drop them here',
  fileSize: (bytes: number): string => {
    const of = (value: number, unit: string, unitDisplay: 'long' | 'short'): string =>
      value.toLocaleString([], { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 })
    if (bytes < 1000) return of(bytes, 'byte', 'long')
    return bytes < 1_000_000
      ? of(bytes / 1000, 'kilobyte', 'short')
      : of(bytes / 1_000_000, 'megabyte', 'short')
  },
  /** What loads a large image. */
  showImage: (name: string): string => `Show ${name}`,
  removeFile: (name: string): string => `Remove ${name}`,
  sendingFile: (name: string): string => `${name} is being sent`,
  /** What screen readers say. */
  fileAdded: (name: string): string => `${name} was added`,
  fileRemoved: (name: string): string => `${name} was removed`,
  /** Beside a file that was not taken. */
  tooManyFiles: (max: number): string =>
    `Not added: ${max === 1 ? 'one file is' : `${max} files are`} the most`,
  fileTooLarge: (size: string): string => `Not added: larger than ${size}`,
  wrongFileType: (types: readonly string[]): string => `Not added: only ${types.map(kindOf).join(', ')}`,
  fileFailed: 'Not added: it could not be sent. Try again',
  /** A page that was left or reloaded took the file with it. */
  fileLost: 'Not added: the page was left too early. Add it again',
  /** The name of the list of files whose question is out of sight. */
  filesNotThere: 'Files that are not there yet',
  sendFileAgain: (name: string): string => `Send ${name} again`,
  dismissFile: (name: string): string => `Dismiss ${name}`,
  stillSending: 'Wait until your files are there, then send',
  filesNotTaken: 'Files cannot be given here',
}

/** A media type as people say it. */
const kindOf = (type: string): string => {
  const [kind = '', format = ''] = type.split('/')
  return format === '*' ? (kind === 'image' ? 'images' : kind) : format.toUpperCase()
}

export type FileLabels = typeof englishFileLabels
