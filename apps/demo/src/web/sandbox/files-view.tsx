import { type ReactElement, useState } from 'react'
import type { FileList } from '../../shared/api.ts'
import { readJson, readText, useFetched } from '../use-fetched.ts'

/** The files that the agent made, with their content. */
export function FilesView({ isRunning }: { isRunning: boolean }): ReactElement {
  const list = useFetched<FileList>('/api/files', readJson, isRunning)
  const [open, setOpen] = useState<string | null>(null)
  const url = open === null ? null : `/api/files?path=${encodeURIComponent(open)}`
  const text = useFetched(url, readText, isRunning)

  return (
    <section aria-labelledby="files-title">
      <h2 id="files-title">Files in the sandbox</h2>
      {list?.files.length ? (
        <ul className="files">
          {list.files.map(({ path, bytes }) => (
            <li key={path}>
              <button
                type="button"
                aria-expanded={open === path}
                onClick={() => setOpen(open === path ? null : path)}
              >
                <span className="path">{path}</span>
                <span className="quiet">{bytes} B</span>
              </button>
              {open === path && text !== null && <pre>{text}</pre>}
            </li>
          ))}
        </ul>
      ) : (
        <p className="quiet">Nothing yet. What the agent writes shows up here.</p>
      )}
      {list?.truncated && <p className="quiet">There are more files than are shown.</p>}
      {list && <p className="workdir">{list.workdir}</p>}
    </section>
  )
}
