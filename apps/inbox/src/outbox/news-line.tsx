import type { ReactElement } from 'react'
import { useNews } from './news.ts'

/** What a person did last, and the way back. */
export function NewsLine(): ReactElement {
  const { text, isBad, undo } = useNews()
  return (
    <div className="news" data-bad={isBad || undefined}>
      <p role="status" title={text}>
        <bdi>{text}</bdi>
      </p>
      {undo && (
        <button type="button" className="plain" aria-keyshortcuts="z" onClick={undo}>
          Undo <kbd>z</kbd>
        </button>
      )}
    </div>
  )
}
