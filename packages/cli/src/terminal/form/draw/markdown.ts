import {
  type AskedQuestion,
  isQuickToRender,
  printable,
  withLineBreaks,
  withoutImages,
} from '@sandagent/core/internal'
import type { Nodes, PhrasingContent, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Paint } from './paint.ts'
import { hanging, wrap } from './wrap.ts'

/** Deeper elements are text. */
const MOST_DEPTH = 20

interface Context {
  paint: Paint
  width: number
  depth: number
}

export interface MarkdownOptions {
  paint: Paint
  /** The questions of the form: all their texts together must not take long. */
  questions: readonly AskedQuestion[]
  /** Whether the text is shown as it is written. */
  isPlain: boolean
}

/** The lines of texts that were read before, by form. A form is drawn again at every key. */
const known = new WeakMap<readonly AskedQuestion[], Map<string, string[]>>()
/** After each change of the size all lines are others. */
const MOST_KNOWN = 3000

/**
 * The lines of a text of the agent, in Markdown, or as it is written if that would take long. HTML stays text, and so do
 * tables: in a terminal, their source is as easy to read.
 */
export function markdownLines(text: string, width: number, options: MarkdownOptions): string[] {
  const { paint, questions, isPlain } = options
  const lines = known.get(questions) ?? new Map<string, string[]>()
  if (lines.size > MOST_KNOWN) lines.clear()
  known.set(questions, lines)
  const key = JSON.stringify([width, isPlain, paint.hasColours, text])
  const found = lines.get(key) ?? readLines(text, width, options)
  lines.set(key, found)
  return found
}

function readLines(text: string, width: number, { paint, questions, isPlain }: MarkdownOptions): string[] {
  if (isPlain || !isQuickToRender(text, questions)) return wrap(printable(text), width)
  const { children } = fromMarkdown(withLineBreaks(withoutImages(text)), {
    extensions: [{ disable: { null: ['htmlFlow', 'htmlText'] } }],
  })
  return blocks(children, { paint, width, depth: 0 })
}

/** Blocks with an empty line between them. */
const blocks = (nodes: readonly RootContent[], context: Context): string[] =>
  nodes
    .map((node) => block(node, context))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))

function block(node: RootContent, context: Context): string[] {
  const { paint, width, depth } = context
  const within = (first: string): Context => ({
    paint,
    width: Math.max(1, width - first.length),
    depth: depth + 1,
  })
  if (depth === MOST_DEPTH) return wrap(plain(node), width)
  switch (node.type) {
    case 'paragraph':
      return wrap(inline(node.children, paint), width)
    case 'heading':
      return wrap(paint.bold(inline(node.children, paint)), width)
    case 'blockquote':
      return blocks(node.children, within('> ')).map((line) => paint.dim(`> ${line}`))
    case 'code':
      return wrap(printable(node.value), width - 2).map((line) => `  ${line}`)
    case 'list':
      return node.children.flatMap((item, index) => {
        const sign = node.ordered ? `${(node.start ?? 1) + index}. ` : '• '
        const lines = item.children.flatMap((child) => block(child, within(sign)))
        return hanging(sign, lines.length > 0 ? lines : [''])
      })
    case 'thematicBreak':
      return ['─'.repeat(Math.min(width, 20))]
    case 'definition':
      return []
    default:
      return wrap(inline([node as PhrasingContent], paint), width)
  }
}

const inline = (nodes: readonly PhrasingContent[], paint: Paint): string =>
  nodes.map((node) => phrase(node, paint)).join('')

function phrase(node: PhrasingContent, paint: Paint): string {
  switch (node.type) {
    case 'strong':
      return paint.bold(plain(node))
    case 'emphasis':
      return paint.italic(plain(node))
    case 'inlineCode':
      return paint.mark(plain(node))
    case 'break':
      return '\n'
    case 'link': {
      // Nobody follows an address that another text hides.
      const address = printable(node.url)
      const text = plain(node)
      return text === address ? text : `${text} ${paint.dim(`(${address})`)}`
    }
    case 'image':
      return `[${printable(node.alt ?? '') || 'image'}]`
    default:
      return plain(node)
  }
}

/** The text of a node and of all in it. A reference such as `&#x202e;` becomes its character only in the parser. */
function plain(node: Nodes): string {
  if ('value' in node) return printable(node.value)
  if ('alt' in node) return printable(node.alt ?? '')
  if (node.type === 'break') return '\n'
  return 'children' in node ? node.children.map(plain).join('') : ''
}
