import type { TextKind } from '@sandagent/core/internal'

/** Signs within a line: escapes, code, emphasis, links, references, and addresses in angle brackets. */
const IN_LINE = /\\[!-/:-@[-`{-~\r\n]|`|\*\S|(?<![\p{L}\p{N}])_\S|\]\(|\]\[|\]:|&[#a-z\d]|<[^\s<]/iu

/** Signs at the beginning of a line: headings, lists, quotations, code, rules, and the second line of a table. */
const AT_LINE_START =
  /^(?:[ \t]*(?:[-+*]|\d{1,9}[.)]|#{1,6})(?:[ \t]|$)|[ \t]*>|[ \t]*~~~| {4}|[ ]{0,3}\t|[ \t]*=+[ \t]*$|[ \t]*[-:|][-:| \t]*$)/m

/** Whether rendering would show a text in another way. A text without signs needs no renderer. */
export const needsMarkdown = (text: string, kind: TextKind): boolean =>
  IN_LINE.test(text) || ((kind === 'block' || kind === 'preview') && AT_LINE_START.test(text))
