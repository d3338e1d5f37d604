/** A change of a source that takes away what a promise stands on. */
interface Break {
  /** The end of the built file's path. */
  file: string
  from: string
  to: string
}

export type BreakName = 'no-rename' | 'no-claim' | 'no-nonce' | 'no-re-read' | 'no-sync'

/** Builds that are broken on purpose. A torture that finds nothing in them proves nothing. */
export const BREAKS: Record<BreakName, Break> = {
  'no-rename': {
    file: 'files/dist/disk/writing/write-file-atomic.js',
    from: 'await calls.rename(temporary, path);',
    to: `{
      const { O_WRONLY, O_CREAT, O_TRUNC } = process.getBuiltinModule('node:fs').constants;
      const inPlace = await calls.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600);
      const half = text.length / 2;
      await calls.write(inPlace, text.slice(0, half));
      await new Promise(setImmediate);
      await calls.write(inPlace, text.slice(half));
      await calls.close(inPlace);
      await calls.unlink(temporary);
    }`,
  },
  'no-claim': {
    file: 'files/dist/disk/writing/write-file-atomic.js',
    from: 'await created(claimPath, linkOr(',
    to: 'if (directory === null) await created(claimPath, linkOr(',
  },
  'no-nonce': {
    file: 'core/dist/record/answer-file/answer-file.js',
    from: 'return answerFile.nonce === nonce',
    to: 'return true',
  },
  'no-re-read': {
    file: 'runner/dist/ask/await-outcome.js',
    from: 'const stored = await readLast(',
    to: 'const stored = null && await readLast(',
  },
  'no-sync': {
    file: 'files/dist/disk/writing/write-synced.js',
    from: 'await syncFile(calls, file);',
    to: '',
  },
}

export const BREAK_NAMES = Object.keys(BREAKS) as BreakName[]
