// Why it is so: docs/decisions/0032-previews-are-foreign-text.md

import {
  type AskedQuestion,
  isQuickToRender,
  markdownOff,
  markdownSource,
  showReferences,
  type TextKind,
} from '@sandagent/core/internal'
import type { AlignType, Definition, Image, Root } from 'mdast'
import { type CompileContext, fromMarkdown, type Handle, type Token } from 'mdast-util-from-markdown'
import { gfmTable } from 'micromark-extension-gfm-table'
import { Fragment, type ReactElement, type ReactNode } from 'react'
import { DataImage } from './data-image.tsx'
import { imageSource, takeOutImages } from './image-source.ts'
import { MarkdownLink } from './markdown-link.tsx'

type Node = Root['children'][number]

/** What rendering needs to know about the text around a node. */
interface Context {
  kind: TextKind
  definitions: Map<string, Definition>
  /** The images that were taken out of the text. */
  images: readonly string[]
  depth: number
}

/** Deeper elements are text: browsers lay out nested elements by recursion. */
const MOST_DEPTH = 40

/**
 * Renders Markdown of an agent, with tables, as React elements. Nothing of the text becomes HTML. Links lead to other
 * sites only: the person is signed in at this one. Images are part of the text: no server learns who looks.
 */
export function renderMarkdown(text: string, kind: TextKind): ReactNode {
  const isLine = kind === 'line' || kind === 'label'
  const { rest, images } = takeOutImages(text)
  const tree = fromMarkdown(markdownSource(rest, kind), {
    extensions: [{ disable: { null: markdownOff(kind) } }, ...(isLine ? [] : [gfmTable()])],
    mdastExtensions: [tables],
  })
  const definitions = new Map<string, Definition>()
  collect(tree.children, definitions)
  const context: Context = { kind, definitions, images, depth: 0 }
  const [first, ...more] = tree.children
  return render(first?.type === 'paragraph' && more.length === 0 ? first.children : tree.children, context)
}

/** The same, but `undefined` for a text that would freeze the page, alone or together with all texts of its form. */
export const renderIfQuick = (
  text: string,
  kind: TextKind,
  questions: readonly AskedQuestion[],
): ReactNode | undefined => (isQuickToRender(text, questions) ? renderMarkdown(text, kind) : undefined)

function collect(nodes: readonly Node[], definitions: Map<string, Definition>): void {
  for (const node of nodes) {
    // The first one counts.
    if (node.type === 'definition' && !definitions.has(node.identifier))
      definitions.set(node.identifier, node)
    if ('children' in node) collect(node.children, definitions)
  }
}

const render = (nodes: readonly Node[], context: Context): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a node is its position
  nodes.map((node, index) => <Fragment key={index}>{renderNode(node, context)}</Fragment>)

function renderNode(node: Node, context: Context): ReactNode {
  if ('children' in node && context.depth === MOST_DEPTH) return textOf(node)
  const inner = (): ReactNode =>
    'children' in node ? render(node.children, { ...context, depth: context.depth + 1 }) : null
  switch (node.type) {
    case 'text':
      return showReferences(node.value)
    case 'break':
      return <br />
    case 'emphasis':
      return <em>{inner()}</em>
    case 'strong':
      return <strong>{inner()}</strong>
    case 'inlineCode':
      return <code>{textOf(node)}</code>
    case 'paragraph':
      return <p>{inner()}</p>
    // A heading of an agent is no heading of the page around it.
    case 'heading':
      return (
        <p>
          <strong>{inner()}</strong>
        </p>
      )
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>
    case 'code':
      return (
        <pre dir="ltr">
          <code>{textOf(node)}</code>
        </pre>
      )
    case 'thematicBreak':
      return <hr />
    case 'list':
      return node.ordered ? <ol start={node.start ?? 1}>{inner()}</ol> : <ul>{inner()}</ul>
    case 'listItem':
      return <li>{node.spread ? inner() : renderTight(node.children, context)}</li>
    case 'table':
      return renderTable(node.children, node.align ?? [], context)
    case 'link':
      return renderLink(node.url, textOf(node), inner(), context)
    case 'linkReference': {
      const { url = '' } = context.definitions.get(node.identifier) ?? {}
      return renderLink(url, textOf(node), inner(), context)
    }
    case 'image':
      return renderImage(node.url, node, context)
    case 'imageReference':
      return renderImage(context.definitions.get(node.identifier)?.url ?? '', node, context)
    default:
      return null
  }
}

/** The content of a list item whose paragraphs have no space between them. */
const renderTight = (nodes: readonly Node[], context: Context): ReactNode =>
  nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a node is its position
    <Fragment key={index}>
      {node.type === 'paragraph'
        ? render(node.children, { ...context, depth: context.depth + 1 })
        : renderNode(node, { ...context, depth: context.depth + 1 })}
    </Fragment>
  ))

function renderTable(
  [head, ...body]: Extract<Node, { type: 'table' }>['children'],
  align: readonly AlignType[],
  context: Context,
): ReactElement {
  const cells = (row: typeof head, Cell: 'th' | 'td'): ReactNode =>
    row?.children.map((cell, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its position
      <Cell key={index} data-align={align[index] ?? undefined} {...(Cell === 'th' && { scope: 'col' })}>
        {render(cell.children, { ...context, depth: context.depth + 1 })}
      </Cell>
    ))
  return (
    <table>
      <thead>
        <tr>{cells(head, 'th')}</tr>
      </thead>
      {body.length > 0 && (
        <tbody>
          {body.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position
            <tr key={index}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      )}
    </table>
  )
}

const renderLink = (url: string, text: string, children: ReactNode, { kind }: Context): ReactNode => (
  <MarkdownLink url={showReferences(url)} text={text} isText={kind === 'label'}>
    {children}
  </MarkdownLink>
)

function renderImage(url: string, { alt }: Pick<Image, 'alt'>, { kind, images }: Context): ReactNode {
  const source = images[Number(/^data:(\d+)$/.exec(url)?.[1])] ?? showReferences(url)
  const name = showReferences(alt ?? '')
  return <DataImage alt={name} address={source} image={kind === 'preview' ? imageSource(source) : null} />
}

/** The text of a node and of all in it. In code, a reference is no character. */
function textOf(node: Node): string {
  if (node.type === 'code' || node.type === 'inlineCode') return showReferences(node.value, 'as written')
  if ('value' in node) return showReferences(node.value)
  if ('alt' in node) return showReferences(node.alt ?? '')
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

/** The nodes of tables, which `mdast-util-from-markdown` does not know by itself. */
const tables = {
  enter: {
    table: function enterTable(this: CompileContext, token: Token & { _align?: (AlignType | 'none')[] }) {
      const align = (token._align ?? []).map((each) => (each === 'none' ? null : each))
      this.enter({ type: 'table', align, children: [] }, token)
    } as Handle,
    tableRow: function enterRow(this: CompileContext, token) {
      this.enter({ type: 'tableRow', children: [] }, token)
    } as Handle,
    tableHeader: enterCell,
    tableData: enterCell,
  },
  exit: { table: exit, tableRow: exit, tableHeader: exit, tableData: exit },
}

function enterCell(this: CompileContext, token: Token): undefined {
  this.enter({ type: 'tableCell', children: [] }, token)
}

function exit(this: CompileContext, token: Token): undefined {
  this.exit(token)
}
