export type { ParkOptions } from './park/park-options.ts'
export { type ParkedSandbox, parkSandbox } from './park/park-sandbox.ts'
export type { ParkPhase } from './park/parked-place.ts'
