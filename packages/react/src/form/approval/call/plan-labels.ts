/** The texts of a plan that is to be accepted, in English. */
export const englishPlanLabels = {
  /** Opens the lines of the plan. */
  planLines: 'Line by line',
  planComment: 'Comment on single lines',
  commentOn: (line: number): string => `Comment on line ${line}`,
}

export type PlanLabels = typeof englishPlanLabels
