export { BREAK_NAMES, type BreakName } from './broken.ts'
export { type TortureFigures, type TortureOptions, type TortureResult, torture } from './torture.ts'
export type { ViolationKind } from './violation.ts'
