import type { ReactElement } from 'react'
import type { TravellingFile } from '../../shared/api.ts'
import { JsonText } from './json-text.tsx'

interface TravellingFileViewProps {
  title: string
  writer: string
  file: TravellingFile
  /** The key in the file with its state. */
  state: string
  /** The key that is scrolled to. */
  showKey?: string
}

/** One of the two files, as it is on disk. */
export function TravellingFileView({
  title,
  writer,
  file,
  state,
  showKey,
}: TravellingFileViewProps): ReactElement {
  const badge = file.text === null ? 'not yet' : stateIn(file.text, state)
  return (
    <li data-done={file.text !== null}>
      <h3>
        {title} <span className="quiet">{writer}</span> <span className="badge">{badge}</span>
      </h3>
      <p className="path">{file.path}</p>
      {file.text !== null && <JsonText text={file.text} showKey={showKey} />}
    </li>
  )
}

function stateIn(text: string, key: string): string {
  try {
    return String(JSON.parse(text)[key])
  } catch {
    return 'no JSON'
  }
}
