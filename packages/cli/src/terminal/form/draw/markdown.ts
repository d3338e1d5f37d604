import {
  type AskedQuestion,
  isQuickToRender,
  markdownOff,
  markdownSource,
  printable,
  type Question,
  type QuestionOption,
  shownOption,
  showReferences,
  type TextKind,
  withoutImages,
} from '@sandagent/core/internal'
import type { Nodes, PhrasingContent, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { createPaint, type Paint } from './paint.ts'
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
  return blocks(read(text, 'block'), { paint, width, depth: 0 })
}

/** What the parser makes of a text: by the same settings as on the page, but tables stay text. */
const read = (text: string, kind: TextKind): RootContent[] =>
  fromMarkdown(markdownSource(withoutImages(text), kind), {
    extensions: [{ disable: { null: markdownOff(kind) } }],
  }).children

const NO_PAINT = createPaint(false)

/** The label of an option without the signs of Markdown, as the page shows it. */
export function labelText(
  question: Question,
  option: QuestionOption,
  questions: readonly AskedQuestion[],
): string {
  const { label, textFormat } = shownOption(question, option)
  if (textFormat === 'plain' || !isQuickToRender(label, questions)) return label
  return read(label, 'label')
    .map((node) =>
      inline('children' in node ? (node.children as PhrasingContent[]) : [node as PhrasingContent], NO_PAINT),
    )
    .join(' ')
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
      return wrap(plain(node), width - 2).map((line) => `  ${line}`)
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
      return paint.bold(inline(node.children, paint))
    case 'emphasis':
      return paint.italic(inline(node.children, paint))
    case 'inlineCode':
      return paint.mark(plain(node))
    case 'break':
      return '\n'
    case 'link': {
      // Nobody follows an address that another text hides.
      const address = printable(showReferences(node.url))
      const text = plain(node)
      return text === address ? text : `${text} ${paint.dim(`(${address})`)}`
    }
    case 'image':
      return `[${printable(showReferences(node.alt ?? '')) || 'image'}]`
    default:
      return plain(node)
  }
}

/** The text of a node and of all in it. In code, a reference is no character. */
function plain(node: Nodes): string {
  if (node.type === 'code' || node.type === 'inlineCode')
    return printable(showReferences(node.value, 'as written'))
  if ('value' in node) return printable(showReferences(node.value))
  if ('alt' in node) return printable(showReferences(node.alt ?? ''))
  if (node.type === 'break') return '\n'
  return 'children' in node ? node.children.map(plain).join('') : ''
}
