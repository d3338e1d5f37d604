const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/**
 * Text whose lines all end alike. What shows it would leave out the other ends, so that two words look like one. It is for
 * showing only: the key of an answer stays as it was asked.
 */
export const withLineBreaks = (text: string): string => text.replace(LINE_ENDS, '\n')
