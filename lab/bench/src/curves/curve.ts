/** How something grows with the number of questions. Both axes are logarithmic. */
export interface Curve {
  /** The name of its picture. */
  name: string
  title: string
  /** What the upward axis counts. */
  unit: string
  lines: readonly Line[]
}

export interface Line {
  name: string
  /** Pairs of a number of questions and a figure, each above 0. */
  points: readonly (readonly [questions: number, figure: number])[]
}
