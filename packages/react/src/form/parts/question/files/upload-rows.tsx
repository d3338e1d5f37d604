import type { CSSProperties, ReactElement } from 'react'
import type { AskComponents } from '../../../state/ask-form.ts'
import type { Upload } from './call-uploads.ts'
import type { Uploads } from './use-uploads.ts'

export const LIST: CSSProperties = {
  listStyle: 'none',
  margin: 0,
  padding: 0,
  display: 'grid',
  gap: '0.375rem',
}
export const ROW: CSSProperties = { display: 'flex', alignItems: 'center', gap: '0.625rem', minInlineSize: 0 }
export const NAME: CSSProperties = { flex: 1, minInlineSize: 0, overflowWrap: 'anywhere' }

/** Files that are on their way, or were not taken: items of a list. */
export function UploadRows({
  shown,
  store,
  labels,
  send,
  Button,
  onDismissed,
}: Omit<Uploads, 'uploads'> &
  Pick<AskComponents, 'Button'> & { shown: readonly Upload[]; onDismissed?: () => void }): ReactElement {
  return (
    <>
      {shown.map((upload) => (
        <li key={upload.id} style={ROW}>
          <span style={NAME}>
            <bdi>{upload.name}</bdi>{' '}
            {upload.fault === undefined ? (
              <progress
                value={upload.part}
                max={1}
                aria-label={labels.sendingFile(upload.name)}
                style={{ inlineSize: '6rem' }}
              />
            ) : (
              <span className="sa-missing" style={{ display: 'block' }}>
                {upload.fault || labels.fileLost}
              </span>
            )}
          </span>
          {upload.mayRetry && (
            <Button look="quiet" aria-label={labels.sendFileAgain(upload.name)} onClick={() => send(upload)}>
              ↻
            </Button>
          )}
          {upload.fault !== undefined && (
            <Button
              look="quiet"
              aria-label={labels.dismissFile(upload.name)}
              onClick={() => {
                store.drop(upload)
                onDismissed?.()
              }}
            >
              ×
            </Button>
          )}
        </li>
      ))}
    </>
  )
}
