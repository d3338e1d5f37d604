import { FILE_TEXT, kindText, limitsText, sizeText } from '@sandagent/core/internal'
import { isolated } from './isolated.ts'

/** The texts of files in an answer, in English. */
export const englishFileLabels = {
  /** The name of the group, and of its list. */
  files: 'Files',
  addFile: 'Add a file',
  addFiles: 'Add files',
  takePhoto: 'Take a photo',
  /** What may be given, in words. */
  fileLimits: limitsText as (max: number, size: string, types: readonly string[]) => string,
  fileHint: FILE_TEXT as string,
  pasteOrDrop: 'You can also paste or drop here',
  fileSize: (bytes: number): string => isolated(sizeText(bytes)),
  /** What loads a large image. */
  showImage: (name: string): string => `Show ${name}`,
  removeFile: (name: string): string => `Remove ${name}`,
  sendingFile: (name: string): string => `${name} is being sent`,
  /** What screen readers say. */
  fileThere: (name: string): string => `${name} is there already`,
  fileAdded: (name: string): string => `${name} was added`,
  fileRemoved: (name: string): string => `${name} was removed`,
  /** Beside a file that was not taken. */
  tooManyFiles: (max: number): string =>
    `Not added: ${max === 1 ? 'one file is' : `${max} files are`} the most`,
  fileTooLarge: (size: string): string => `Not added: larger than ${size}`,
  wrongFileType: (types: readonly string[]): string => `Not added: only ${types.map(kindText).join(', ')}`,
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

export type FileLabels = typeof englishFileLabels
