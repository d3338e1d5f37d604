/** A change of a source that takes away what a promise stands on. */
interface Break {
  /** The end of the built file's path. */
  file: string
  from: string
  to: string
}

export type BreakName =
  | 'no-rename'
  | 'no-claim'
  | 'no-nonce'
  | 'no-re-read'
  | 'no-sync'
  | 'claims-ignored'
  | 'no-second-look'
  | 'no-swap'
  | 'clocks-trusted'
  | 'no-receipt'

/** Builds that are broken on purpose. A torture that finds nothing in them proves nothing. */
export const BREAKS: Record<BreakName, Break> = {
  'no-rename': {
    file: 'files/dist/disk/write-file.js',
    from: 'await calls.rename(at(temporary), at(name));',
    to: `{
      const { O_WRONLY, O_CREAT, O_TRUNC } = process.getBuiltinModule('node:fs').constants;
      const inPlace = await calls.open(at(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600);
      const half = text.length / 2;
      await calls.write(inPlace, text.slice(0, half));
      await new Promise(setImmediate);
      await calls.write(inPlace, text.slice(half));
      await calls.close(inPlace);
      await calls.unlink(at(temporary));
    }`,
  },
  'no-claim': {
    file: 'files/dist/disk/write-file.js',
    from: 'await create(sibling, (path) =>',
    to: 'if (folder === null) await create(sibling, (path) =>',
  },
  'no-nonce': {
    file: 'core/dist/record/answer-file/answer-file.js',
    from: ': answerFile.nonce === record.nonce',
    to: ': true',
  },
  'no-re-read': {
    file: 'runner/dist/ask/await-outcome.js',
    from: 'const stored = await readLast(',
    to: 'const stored = null && await readLast(',
  },
  'no-sync': {
    file: 'files/dist/disk/new-file.js',
    from: 'await syncFile(calls, file);',
    to: '',
  },
  // A runner reads the published file alone.
  'claims-ignored': {
    file: 'files/dist/channel/answers/find-answer.js',
    from: 'const { first } = await answers.finalClaim();',
    to: 'const first = null;',
  },
  // A host does not look again after a draft.
  'no-second-look': {
    file: 'files/dist/channel/answers/answer-store.js',
    from: 'const latest = isWritten && isFinal ? null :',
    to: 'const latest = isWritten ? null :',
  },
  // A host claims no draft, and no answer without a status.
  'no-swap': {
    file: 'files/dist/channel/answers/answer-store.js',
    from: 'await creates(fileName, text, { revision, claim })',
    to: 'await creates(fileName, text, { claim })',
  },
  // What another host stored before is later if its clock was ahead.
  'clocks-trusted': {
    file: 'sdk/dist/answers/request-order.js',
    from: 'if (before >= arrivedAt && !times.has(before))',
    to: 'if (before < 0)',
  },
  // A host acknowledges an answer to a question that is closing, and does not wait for its end.
  'no-receipt': {
    file: 'sdk/dist/answers/confirm-answer.js',
    from: "if (record?.state === 'open' ||",
    to: "if (record?.state !== 'aborted' ||",
  },
}

export const BREAK_NAMES = Object.keys(BREAKS) as BreakName[]
