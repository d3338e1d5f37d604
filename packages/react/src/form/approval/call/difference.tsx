import { type FileEdit, type LineChange, lineChanges, visible } from '@sandagent/core/internal'
import type { ReactElement } from 'react'

/** Apart from the line: "-" may be how it begins. */
const SIGNS: Readonly<Record<LineChange['kind'], string>> = { same: '  ', removed: '- ', added: '+ ' }

/** What an edit changes, with all of its lines. */
export const Difference = ({ edit }: { edit: Pick<FileEdit, 'before' | 'after'> }): ReactElement => (
  <pre dir="ltr">
    {blocksOf(lineChanges(edit.before, edit.after)).map(([kind, lines], index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a block is its position
      <span key={index} data-change={kind}>
        {lines.map((line) => `${SIGNS[kind]}${visible(line)}\n`).join('')}
      </span>
    ))}
  </pre>
)

/** The lines that follow each other and change alike: a page bears no element for each of half a million lines. */
function blocksOf(changes: readonly LineChange[]): [LineChange['kind'], string[]][] {
  const blocks: [LineChange['kind'], string[]][] = []
  for (const { kind, line } of changes) {
    const last = blocks.at(-1)
    if (last?.[0] === kind) last[1].push(line)
    else blocks.push([kind, [line]])
  }
  return blocks
}
