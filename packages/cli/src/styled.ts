import { styleText } from 'node:util'

/** A text in a style, where the stream is a terminal and colours are wanted. */
export const styled = (style: 'bold' | 'dim', text: string, { isTTY }: { isTTY?: boolean }): string =>
  isTTY && !process.env.NO_COLOR ? styleText(style, text) : text
